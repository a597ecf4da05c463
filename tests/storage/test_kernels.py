"""They are Arrow's own: `pyarrow.compute` is the measure of what they do."""

import subprocess
import sys

import pyarrow as pa
import pyarrow.compute as pc

from gossamer.storage import kernels

NUMBERS = pa.chunked_array([[0, 3, None], [7]], pa.int64())
WORDS = pa.chunked_array([["a", "b"], [None, "a"]], pa.string())


def test_they_do_what_arrow_does() -> None:
    mask = kernels.greater(NUMBERS, 2)
    assert mask == pc.greater(NUMBERS, 2)
    assert kernels.add(NUMBERS, 5) == pc.add(NUMBERS, 5)
    assert kernels.if_else(mask, NUMBERS, 0) == pc.if_else(mask, NUMBERS, 0)
    assert kernels.if_else(mask, "x", "") == pc.if_else(mask, "x", "")
    assert kernels.invert(mask) == pc.invert(mask)
    wanted = pa.array(["a"], pa.string())
    assert kernels.is_in(WORDS, wanted) == pc.is_in(WORDS, wanted)
    ends = pa.array([1, 3], pa.int32())
    runs = pa.RunEndEncodedArray.from_arrays(ends, pa.array(["a", "b"], pa.string()))
    assert kernels.repeated_until(runs.values, ends) == pc.run_end_decode(runs)
    assert kernels.repeated_until(runs.values, ends).to_pylist() == ["a", "b", "b"]


def test_workers_start_without_the_rest() -> None:
    code = "import sys, gossamer.workers; print('pyarrow.compute' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
