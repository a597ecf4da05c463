import subprocess
import sys
import threading

from gossamer.lib.threads import has_one_thread, refuse_thread_pools

_NUMPY = """
import os
from gossamer.lib.threads import has_one_thread, refuse_thread_pools
refuse_thread_pools()
import numpy
print(has_one_thread(), os.environ["OPENBLAS_NUM_THREADS"])
"""


def test_a_library_that_is_imported_later_starts_none() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _NUMPY], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "1"]


def test_another_environment_is_changed_alone() -> None:
    environment = {"OPENBLAS_NUM_THREADS": "8", "HOME": "/"}
    refuse_thread_pools(environment)
    assert environment == {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "HOME": "/"}


def test_a_thread_of_any_kind_is_seen() -> None:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        assert not has_one_thread()
    finally:
        ended.set()
        thread.join()
