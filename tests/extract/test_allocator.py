import sys

import pytest

from gossamer.extract.allocator import keep_freed_memory


@pytest.mark.skipif(sys.platform != "linux", reason="only the GNU C library has the setting")
def test_it_may_be_called_again_and_again() -> None:
    assert keep_freed_memory() == keep_freed_memory()
