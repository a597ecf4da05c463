"""Compile all kernels ahead of time, once for each installation and kind of processor.

Whatever searches, ranks or builds an index calls `compile_kernels` first, so that no search spends
its time on compiling. Compiled kernels are kept in a folder (`gossamer.lib.kernels`). A stamp there
says that they are complete, so that nothing has to be loaded to know it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import msgspec

from gossamer.errors import StorageError
from gossamer.lib.hashing import hash64
from gossamer.lib.kernels import cache_folder, kernels_of, types_of
from gossamer.lib.locks import FileLock

MODULES = (
    "gossamer.graph.farm_kernels",
    "gossamer.graph.kernels",
    "gossamer.graph.line_kernels",
    "gossamer.graph.rank_kernels",
    "gossamer.index.chunk_kernels",
    "gossamer.index.hash_kernels",
    "gossamer.index.kernels",
    "gossamer.query.misspelling",
    "gossamer.query.qgrams",
    "gossamer.query.spelling",
    "gossamer.query.suggest",
    "gossamer.rank.cover",
    "gossamer.rank.kernels",
    "gossamer.search.snippets",
)
"""All that have kernels."""
_PACKAGE = Path(__file__).parents[1]
_LOCK_FILE = "lock"
_MASK = (1 << 64) - 1
_PAUSE_SECONDS = 0.1
_WAY_OUT = "Name a folder that can be written to in NUMBA_CACHE_DIR."

OnCompiled = Callable[[int, int], None]
"""Receives how many of how many are compiled."""

_lock = threading.Lock()
_is_done = False


def compile_kernels(on_compiled: OnCompiled = lambda _done, _all: None) -> None:
    """Compile what is not compiled yet. Several processes can call this at once: one compiles, the
    others wait for it. `on_compiled` is called only if there is something to do."""
    global _is_done
    if _is_done:
        return
    with _lock:
        if not _is_done:
            folder = cache_folder()
            if folder is None:
                _compile(on_compiled)
            elif not _is_complete(folder):
                _compile_into(folder, on_compiled)
            _is_done = True


def are_kernels_compiled() -> bool:
    """Return True if `compile_kernels` has nothing to do."""
    folder = cache_folder()
    return _is_done or (folder is not None and _is_complete(folder))


def _compile_into(folder: Path, on_compiled: OnCompiled) -> None:
    try:
        with _alone(folder):
            if not _is_complete(folder):  # by another process, while this one waited
                _compile(on_compiled)
                _write_stamp(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(
            f"Cannot keep compiled kernels in {folder}: {reason}. {_WAY_OUT}"
        ) from None


def _compile(on_compiled: OnCompiled) -> None:
    for module in MODULES:
        import_module(module)
    work = [(one, signature) for one in kernels_of(MODULES) for signature in one.signatures]
    on_compiled(0, len(work))
    for done, (one, signature) in enumerate(work, 1):
        one.compiled.compile(types_of(signature))
        on_compiled(done, len(work))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """numba reads and writes the list of what is compiled of a kernel without a lock: of two
    processes that compile, one would lose what it has made."""
    lock = FileLock(folder / _LOCK_FILE)
    while not lock.acquire():
        time.sleep(_PAUSE_SECONDS)
    try:
        yield
    finally:
        lock.release()


def _is_complete(folder: Path) -> bool:
    try:
        files = msgspec.json.decode(_stamp(folder).read_bytes(), type=list[str])
    except (OSError, msgspec.DecodeError):
        return False
    return all((folder / file).exists() for file in files)


def _write_stamp(folder: Path) -> None:
    stamp = _stamp(folder)
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.nb[ci]"))
    draft = stamp.with_suffix(".draft")
    draft.write_bytes(msgspec.json.encode(files))
    draft.replace(stamp)


def _stamp(folder: Path) -> Path:
    """Another file for other sources of the kernels, another numba, and another processor."""
    return folder / f"complete-{hash64(repr(_circumstances()).encode()) & _MASK:016x}.json"


def _circumstances() -> tuple[object, ...]:
    import sys

    import numba
    from llvmlite import binding

    sources = []
    for module in MODULES:
        source = _PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")
        status = source.stat()
        sources.append((str(source), status.st_size, status.st_mtime_ns))
    return (
        sys.implementation.cache_tag,
        numba.__version__,
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        tuple(sources),
    )
