"""Kernels declare the types that they are called with."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from gossamer.lib.kernels import cache_folder, kernel, kernels_of, types_of

# Imported by a process of its own: a kernel registers itself, and what it makes is cached.
PROGRAM = """
from gossamer.lib.kernels import cache_folder
print(cache_folder())
from gossamer.graph.kernels import offsets_of
import numpy as np
print(offsets_of(np.array([2, 3])).tolist())
"""


def run(**environment: str) -> list[str]:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout.splitlines()


def test_types_of_a_signature() -> None:
    found = types_of("const i8[], u2[,], f8, b1")
    assert found == (
        numba.types.Array(numba.int64, 1, "C", readonly=True),
        numba.types.Array(numba.uint16, 2, "C"),
        numba.float64,
        numba.boolean,
    )
    assert types_of("") == ()


@pytest.mark.parametrize("wrong", ["i8[]x", "int64", "i3", "const  i8[]", "i8[],f8", "const f8"])
def test_a_signature_that_is_wrong(wrong: str) -> None:
    with pytest.raises(ValueError, match="type of an argument"):
        types_of(wrong)


def test_what_is_only_read_is_compiled_for_once() -> None:
    @kernel("const i8[], i8[]")
    def add(source: np.ndarray, target: np.ndarray) -> None:
        for place in range(len(source)):
            target[place] += source[place]

    (known,) = kernels_of([__name__])
    target = np.zeros(2, np.int64)
    writable = np.array([1, 2])
    constant = np.array([3, 4])
    constant.flags.writeable = False
    add(writable, target)
    add(constant, target)
    assert target.tolist() == [4, 6]
    assert writable.flags.writeable, "the array of the caller stays as it is"
    assert known.compiled.signatures == [types_of("const i8[], i8[]")]


def test_const_is_the_same_in_all_signatures() -> None:
    with pytest.raises(ValueError, match="differs"):

        @kernel("const i8[]", "i4[]")
        def first(values: np.ndarray) -> int:
            return int(values[0])


def test_the_folder_that_is_named_is_used(tmp_path: Path) -> None:
    named = tmp_path / "named"
    assert run(NUMBA_CACHE_DIR=str(named)) == [str(named), "[0, 2, 5]"]
    assert list(named.rglob("kernels.offsets_of-*.nbc"))


def test_the_package_keeps_what_is_compiled() -> None:
    if os.environ.get("NUMBA_CACHE_DIR"):
        pytest.skip("a folder is named")
    folder = cache_folder()
    assert folder is not None
    assert folder.parts[-3:] == ("gossamer", "__pycache__", "kernels")
