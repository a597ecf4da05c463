"""Titles without the name of their site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.titles import Affixes, Cut, affixes, cuts, own_title


def own(titles: list[str], site: str = "lamp.example") -> list[str]:
    found = cuts([(site, affixes(title)) for title in titles])
    return [own_title(title, cut).own for title, cut in zip(titles, found, strict=True)]


def test_an_end_that_several_titles_share_names_the_site() -> None:
    assert own([f"{name} - Lantern" for name in "abcde"]) == [*"abcde"]
    assert own([f"{name} - Lantern" for name in "abcd"]) == [f"{name} - Lantern" for name in "abcd"]


def test_sections_go_with_the_site() -> None:
    titles = [f"{name} | Lamps | Shop" for name in "abcde"]
    assert own([*titles, "Lamps | Shop", "Shop"]) == [*"abcde", "Lamps", "Shop"]


def test_a_beginning_is_a_name_where_most_titles_have_it() -> None:
    titles = [f"Lantern | {name}" for name in "abcdef"]
    assert own(titles) == [*"abcdef"]
    series = [f"Moon – part {name}" for name in "abcdef"]
    assert own([*series, *"ghijklmno"])[0] == "Moon – part a"


def test_numbers_and_brackets_tell_pages_apart() -> None:
    titles = [f"{name} (page 2) • The Bench" for name in "abcde"]
    assert own(titles) == [f"{name} (page 2)" for name in "abcde"]
    assert own([f"{name} - page 2" for name in "abcde"])[0] == "a - page 2"


def test_sites_are_told_apart() -> None:
    titles = [(f"{site}.example", affixes("Home - Lantern")) for site in "abcde"]
    assert set(cuts(titles)) == {Cut()}


@pytest.mark.parametrize("title", ["", " - ", "- a", "a -", " - a - ", "x" * 5_000 + " - y"])
def test_a_title_that_has_no_parts_is_its_own(title: str) -> None:
    assert affixes(title) == Affixes() or own_title(title, Cut(ends=1)).own


@given(st.text(alphabet="ab -|–", max_size=40), st.booleans(), st.integers(0, 3))
def test_the_pieces_make_up_the_title(title: str, front: bool, ends: int) -> None:
    pieces = own_title(title, Cut(front, min(ends, len(affixes(title).ends))))
    assert "".join(pieces) == title
