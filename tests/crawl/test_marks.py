"""Who is to blame when a page repeats another: a shape, a parameter, a folder, a host."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.crawl.journal import Journal
from gossamer.crawl.shapes import Level, address_rank, are_alike, marks_of, to_blame
from gossamer.crawl.traps import Traps
from gossamer.records import Exclusion
from gossamer.urls import site_of

PAGES = 10
A = "http://a.example"


def levels(url: str, original: str, *, brings_links: bool = False) -> set[Level]:
    blamed = to_blame(url, original, brings_links=brings_links)
    return {mark.level for mark in marks_of(url) if mark.hash in blamed}


@pytest.mark.parametrize(
    ("url", "original", "expected"),
    [
        (f"{A}/x?print=1", f"{A}/x", {Level.SHAPE, Level.PARAMETER}),
        (f"{A}/en/x/y", f"{A}/x/y", {Level.SHAPE, Level.FOLDER}),
        ("http://m.a.example/x", f"{A}/x", {Level.SHAPE, Level.HOST}),
        (f"{A}/view/2", f"{A}/view/1", {Level.SHAPE}),
        (f"{A}/en/x", f"{A}/z", {Level.SHAPE}),
    ],
)
def test_the_difference_is_to_blame(url: str, original: str, expected: set[Level]) -> None:
    assert levels(url, original) == expected
    assert levels(url, original, brings_links=True) == expected - {Level.SHAPE, Level.PARAMETER}


def test_only_the_parameter_that_differs_is_to_blame() -> None:
    blamed = to_blame(f"{A}/x?id=3&print=1", f"{A}/x?id=3")
    (shape, _, first, second) = marks_of(f"{A}/x?id=3&print=1")
    assert blamed == {shape.hash, second.hash}
    assert first.hash in {mark.hash for mark in marks_of(f"{A}/y?id=4")}


def test_the_shorter_address_is_the_one_to_keep() -> None:
    worst_first = [f"{A}/x?a=1&b=2", f"{A}/x?print=1", f"{A}/en/x", f"{A}/x"]
    assert sorted(worst_first, key=address_rank) == worst_first[::-1]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("/calendar/2031/04", "/calendar/2031/04/17", True),
        ("/shop?colour=red", "/shop?size=s&colour=red", True),
        ("/list?page=1", "/article/17", False),
        ("/old/1f0a9c", "/old/f3e21b", True),
    ],
)
def test_alike(one: str, other: str, expected: bool) -> None:
    assert are_alike(A + one, A + other) is expected


@pytest.fixture
def traps(tmp_path: Path) -> Iterator[Traps]:
    journal = Journal(tmp_path / "journal.sqlite")
    with journal.transaction(durable=False):
        yield Traps(journal, PAGES)
    journal.close()


def objection(traps: Traps, url: str) -> Exclusion | None:
    return traps.objection(url)


def test_a_parameter_that_makes_no_page_is_left_wherever_it_stands(traps: Traps) -> None:
    for number in range(PAGES):
        traps.note_new(f"{A}/{number}/x")
        traps.note_repeat(f"{A}/{number}/x?print=1", f"{A}/{number}/x")
    assert objection(traps, f"{A}/elsewhere?id=3&print=1") is Exclusion.TRAP_PARAMETERS
    assert objection(traps, f"{A}/elsewhere?id=3") is None


def test_a_list_that_leads_on_is_no_trap(traps: Traps) -> None:
    for number in range(2, 50):
        here, before = f"{A}/list?page={number}", f"{A}/list?page={number - 1}"
        traps.note_repeat(here, before, brings_links=True)
    assert objection(traps, f"{A}/list?page=99") is None


def test_a_copy_of_a_host_is_left_and_its_original_is_not(traps: Traps) -> None:
    for number in range(PAGES):
        traps.note_new(f"{A}/x/{number}")
        traps.note_repeat(f"http://m.a.example/x/{number}", f"{A}/x/{number}", brings_links=True)
    assert objection(traps, "http://m.a.example/other") is Exclusion.TRAP_DUPLICATES
    assert objection(traps, f"{A}/other") is None


def test_a_site_is_restrained_once_it_has_repeated_itself(traps: Traps) -> None:
    site = site_of("a.example")[1]
    for number in range(100):
        traps.note_new(f"{A}/x/{number}")
    assert traps.most_out(site, endorsed=0) > 1_000_000
    for number in range(100, 105):
        traps.note_repeat(f"{A}/x/{number}", f"{A}/x/1")
    assert traps.most_out(site, endorsed=0) > 1_000_000
    traps.note_repeat(f"{A}/x/105", f"{A}/x/1")
    assert traps.most_out(site, endorsed=0) == 12
    assert traps.most_out(site, endorsed=9) == 5 * PAGES
