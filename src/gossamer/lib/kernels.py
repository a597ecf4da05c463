"""Kernels: loops that numba compiles to machine code, each for the types that it is called with.

Compiling all of them takes about half a minute, so it is done ahead of time, by
`gossamer.app.kernels`, and the result is kept in `cache_folder()`. Therefore a kernel declares the
types that it is called with. A call with other types works, but is compiled at that moment.
"""

import os
import re
from collections.abc import Callable, Collection
from functools import cache, wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parents[1]
_TYPE = re.compile(r"(?P<read_only>const (?=\w+\[))?(?P<item>[iu][1248]|f[48]|b1)(?P<axes>\[,*\])?")


class Kernel(NamedTuple):
    module: str
    name: str
    compiled: Any  # numba's dispatcher: the function, compiled for some types
    signatures: tuple[str, ...]


_kernels: dict[str, Kernel] = {}


def kernel(*signatures: str, nogil: bool = False, inline: bool = False) -> Callable[[F], F]:
    """Decorate a kernel. Each of `signatures` lists the types of the arguments of a call, as in
    `"const i8[], f8[,], i4, b1"`: `i`, `u`, `f` and `b` for integers, unsigned ones, floats and
    booleans, with their bytes; `[]` for an array in C order, `[,]` for one of two dimensions.

    `const` marks an array that is only read. To numba an array that cannot be written to, such as
    one of a file, is of another type than one that can: each is passed on as one that cannot, and
    there is one type to compile for.

    Without signatures it is a kernel that only other kernels call: it is compiled with them.
    """

    def decorate(function: F) -> F:
        folder = cache_folder()
        # numba reads this setting when it decorates. Other users of numba here keep theirs.
        config: Any = numba.config
        theirs = config.CACHE_DIR
        config.CACHE_DIR = str(folder or theirs)
        try:
            compiled = numba.njit(
                cache=folder is not None, nogil=nogil, inline="always" if inline else "never"
            )(function)
        finally:
            config.CACHE_DIR = theirs
        called = _with_constants(compiled, signatures)
        name = f"{function.__module__}.{function.__qualname__}"
        _kernels[name] = Kernel(function.__module__, function.__qualname__, compiled, signatures)
        return cast(F, called)

    return decorate


def _with_constants(compiled: Any, signatures: tuple[str, ...]) -> Any:
    """Pass arguments that are only read on as arrays that cannot be written to."""
    places = {_constants_of(signature) for signature in signatures}
    if len(places) > 1:
        raise ValueError(f"{compiled.py_func.__name__}: 'const' differs between its signatures.")
    constants = next(iter(places), ())
    if not constants:
        return compiled

    @wraps(compiled.py_func)
    def call(*arguments: Any) -> Any:
        passed = list(arguments)
        for place in constants:
            if passed[place].flags.writeable:
                passed[place] = passed[place].view()
                passed[place].flags.writeable = False
        return compiled(*passed)

    return call


def _constants_of(signature: str) -> tuple[int, ...]:
    types = signature.split(", ")
    return tuple(place for place, one in enumerate(types) if one.startswith("const "))


def kernels_of(modules: Collection[str]) -> list[Kernel]:
    """Return the kernels of these modules, as far as they are imported."""
    return [kernel for kernel in _kernels.values() if kernel.module in modules]


def undeclared() -> list[str]:
    """Return the calls of this process with types that a kernel does not declare."""
    found = []
    for name, one in _kernels.items():
        declared = {types_of(signature) for signature in one.signatures}
        if declared:
            found += [
                f"{name}{types}" for types in one.compiled.signatures if types not in declared
            ]
    return found


@cache
def load_kernels(*modules: str) -> None:
    """Have the kernels of these modules ready to be called, so that no call waits for reading what
    was compiled before. Where they were not compiled yet, they are now."""
    for one in kernels_of(modules):
        for signature in one.signatures:
            one.compiled.compile(types_of(signature))


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled kernels: the one that NUMBA_CACHE_DIR names, else one in this
    package, else one in the cache of the user. None if none of them can be written to: each process
    then compiles for itself."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        candidates = [Path(chosen).absolute()]
    else:
        users = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
        candidates = [_PACKAGE / "__pycache__" / "kernels", users / "gossamer" / "kernels"]
    return next((folder for folder in candidates if _is_writable(folder)), None)


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def types_of(signature: str) -> tuple[Any, ...]:
    """Return the types of a signature as numba has them."""
    return tuple(_type_of(one) for one in signature.split(", ")) if signature else ()


def _type_of(text: str) -> Any:
    found = _TYPE.fullmatch(text)
    if found is None:
        raise ValueError(f"'{text}' is no type of an argument of a kernel.")
    item = getattr(numba.types, found["item"])
    if found["axes"] is None:
        return item
    return numba.types.Array(
        item, len(found["axes"]) - 1, "C", readonly=found["read_only"] is not None
    )
