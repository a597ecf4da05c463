import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.lib.hashing import hash64


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"", 3244421341483603138),
        (b"a", -1817709641818812897),
        (b"gossamer", 9136988253807466516),
        (b"http://example.org/", -5242817029757127295),
    ],
)
def test_hashes_are_the_same_for_ever(data: bytes, value: int) -> None:
    """They lie in journals and segments."""
    assert hash64(data) == value


@settings(deadline=None)
@given(st.binary())
def test_hashes_fit_a_signed_integer_of_8_bytes(data: bytes) -> None:
    value = hash64(data)
    assert -(1 << 63) <= value < 1 << 63
    assert value == hash64(bytes(data))
