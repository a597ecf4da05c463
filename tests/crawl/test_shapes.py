import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.shapes import shape_of
from gossamer.records import Exclusion

HOST = "http://a.example/"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("calendar/2031/04", "calendar/2031/05"),
        ("calendar?month=2031-04", "calendar?month=2029-11"),
        ("list?sort=a&page=1", "list?page=7&sort=b"),
        ("wiki/Moon", "wiki/Sun"),
        ("a/12.html", "a/9.html"),
        ("news/2024/05/one-story.html", "news/2023/11/another.html"),
    ],
)
def test_what_only_counts_up_is_one_shape(one: str, other: str) -> None:
    assert shape_of(HOST + one).hash == shape_of(HOST + other).hash


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wiki/Moon", "shop/Moon"),
        ("a/b.html", "a/b.pdf"),
        ("list?page=1", "list?sort=1"),
        ("list", "list?page=1"),
        ("a/", "a/b"),
        ("a/b/c", "a/c"),
    ],
)
def test_kinds_of_pages_have_shapes_of_their_own(one: str, other: str) -> None:
    assert shape_of(HOST + one).hash != shape_of(HOST + other).hash


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("calendar/2031/04", Exclusion.TRAP_CALENDAR),
        ("events?date=2031-04-01", Exclusion.TRAP_CALENDAR),
        ("kalender/2031-04", Exclusion.TRAP_CALENDAR),
        ("list?page=2", Exclusion.TRAP_PARAMETERS),
        ("news/2024/05/story", Exclusion.TRAP_DUPLICATES),
        ("calendar/about", Exclusion.TRAP_DUPLICATES),
    ],
)
def test_what_a_trap_of_the_shape_is_called(path: str, kind: Exclusion) -> None:
    assert shape_of(HOST + path).kind is kind


@given(st.text())
def test_any_address_has_a_shape(path: str) -> None:
    assert shape_of(HOST + path) == shape_of(HOST + path)
