import time

import pytest

from gossamer.lib.expressions import AnyOf, check


def test_any_of_them() -> None:
    some = AnyOf(["^a+$", "(?i)needle", "x|y"])
    assert some.found_in(b"aaa")
    assert some.found_in(b"hay NEEDLE hay")
    assert some.found_in(b"..y..")
    assert not some.found_in(b"aab")
    assert not AnyOf([]).found_in(b"")


def test_flags_of_one_do_not_reach_the_next() -> None:
    assert not AnyOf(["(?i)a", "b"]).found_in(b"B")


def test_many() -> None:
    some = AnyOf(f"^host{number}/" for number in range(1_000))
    assert some.found_in(b"host999/x")
    assert not some.found_in(b"host1000/x")


@pytest.mark.parametrize(
    "wrong", ["a(b", "a)b", "[", "*", "(?<=a)b", r"(a)\1", "(?P<n>a)(?P=n)", "a{5000}", "\udc80"]
)
def test_wrong_ones_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check(wrong)


def test_none_takes_long() -> None:
    evil = AnyOf(["(a*)*b", "(a|aa)+$c", "(x+x+)+y"])
    started = time.process_time()
    assert not evil.found_in(b"a" * 2_000 + b"x" * 2_000)
    assert time.process_time() - started < 1
