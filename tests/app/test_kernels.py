"""All kernels are known, and can be compiled ahead of time."""

import ast
from importlib import import_module
from pathlib import Path

from gossamer.app.kernels import MODULES, are_kernels_compiled, compile_kernels
from gossamer.lib.kernels import kernels_of

PACKAGE = Path(__file__).parents[2] / "src" / "gossamer"


def sources() -> dict[str, ast.Module]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(("gossamer", *path.relative_to(PACKAGE).with_suffix("").parts))
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def decorator_of(node: ast.AST) -> ast.Call | None:
    for decorator in getattr(node, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "kernel":
            return decorator
    return None


def test_every_module_with_kernels_is_known() -> None:
    having = {
        name
        for name, tree in sources().items()
        if any(decorator_of(node) is not None for node in ast.walk(tree))
    }
    assert having == set(MODULES), "gossamer.app.kernels.MODULES lists them all"


def test_numba_is_used_by_kernels_alone() -> None:
    """What numba compiles in another way would not be compiled ahead of time."""
    importing = set()
    for name, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                imported = [node.module or ""]
            else:
                continue
            if any(one.split(".")[0] == "numba" for one in imported):
                importing.add(name)
    assert importing == {"gossamer.lib.kernels", "gossamer.app.kernels"}


def test_a_kernel_without_signatures_is_called_by_kernels_alone() -> None:
    """Whatever else calls it would have it compiled at that moment."""
    for name in MODULES:
        tree = sources()[name]
        inner = {
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
            and (decorator := decorator_of(node)) is not None
            and not decorator.args
        }
        for node in tree.body:
            if decorator_of(node) is None:
                used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
                assert not used & inner, f"{name}: {used & inner} need signatures"
    called_from_elsewhere = {
        (node.value.id, node.attr)
        for name, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    for module in MODULES:
        import_module(module)
    for one in kernels_of(MODULES):
        if not one.signatures:
            assert (one.module.rpartition(".")[2], one.name) not in called_from_elsewhere


def test_what_is_compiled_stays_so() -> None:
    compile_kernels()
    assert are_kernels_compiled()
    compile_kernels(lambda _done, _all: (_ for _ in ()).throw(AssertionError("compiled again")))
