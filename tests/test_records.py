import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, msgpack

from gossamer.records import (
    Answer,
    CommittedAttempt,
    Exchange,
    Exclusion,
    HostGrant,
    HostReport,
    Item,
    Link,
    Outcome,
    PieceClass,
    Postponed,
    Refused,
    RobotsFile,
    Schedule,
    Visit,
)

NOT_ANSWERED = {
    *(Outcome.TIMEOUT, Outcome.DNS_ERROR, Outcome.CONNECT_ERROR, Outcome.TLS_ERROR),
    *(Outcome.PROTOCOL_ERROR, Outcome.ADDRESS_REFUSED),
    Outcome.REDIRECT,  # its target is counted
    Outcome.LISTING,  # so are the pages that it names
}


def test_which_outcomes_are_pages() -> None:
    assert {outcome for outcome in Outcome if not outcome.answered} == NOT_ANSWERED


def test_names_of_outcomes_and_exclusions_do_not_meet() -> None:
    """Counters are named after them: 'done.x' and 'excluded.x'."""
    assert not {*map(str, Outcome)} & {*map(str, Exclusion)}
    names = [*map(str, Outcome), *map(str, Exclusion)]
    assert all(name.replace("_", "").replace("trap.", "").isalnum() for name in names)


def test_the_class_of_a_piece_is_one_letter() -> None:
    letters = [str(kind) for kind in PieceClass]
    assert all(len(letter) == 1 for letter in letters)
    assert len(set(letters)) == len(letters)


def test_headers_are_found_in_any_case() -> None:
    headers = (("Content-Type", "text/html"), ("set-cookie", "a=1"), ("SET-COOKIE", "b=2"))
    exchange = Exchange("http://a.example/", 0.0, 0.0, Outcome.OK, status=200, headers=headers)
    assert exchange.header("content-type") == "text/html"
    assert exchange.header("set-cookie") == "a=1"
    assert exchange.all_headers("set-cookie") == ["a=1", "b=2"]
    assert exchange.header("etag") == ""
    assert exchange.all_headers("etag") == []


def schedule(server: int = 0, epoch: int = 1, number: int = 1, attempt: int = 1) -> Schedule:
    return Schedule(server, epoch, number, attempt, 10.0, 40.0, (), ())


NUMBERS = st.integers(0, 10**6)


@settings(deadline=None)
@given(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS))
def test_every_attempt_has_a_name_of_its_own(
    one: tuple[int, int, int, int], other: tuple[int, int, int, int]
) -> None:
    assert (schedule(*one).name == schedule(*other).name) == (one == other)


def test_names_of_attempts_sort_as_they_were_made() -> None:
    names = [schedule(number=number).name for number in range(1, 2_000, 7)]
    assert names == sorted(names)
    assert schedule(2, 3, 4, 5).name == "002-0000000004-000003-0005"


# -- What crosses a border arrives as it was

TEXT = st.text(max_size=10)
HASHES = st.integers(-(1 << 63), (1 << 63) - 1)
COUNTS = st.integers(0, 1 << 40)
ITEMS = st.builds(
    Item,
    *(TEXT, HASHES, HASHES, COUNTS, TEXT, TEXT, st.tuples(TEXT, TEXT) | st.just(())),
    *(COUNTS, COUNTS),
)
LINKS = st.builds(Link, ITEMS, st.none() | st.sampled_from(Exclusion))


@settings(deadline=None)
@given(LINKS)
def test_links_travel_whole(link: Link) -> None:
    assert msgpack.decode(msgpack.encode(link), type=Link) == link


ITEM = Item("http://a.example/", -(1 << 63), (1 << 63) - 1, 3, "up", "ä", ("by", "way"), 1, 2)
ROBOTS = RobotsFile("http://a.example", 1e9, 200, "User-agent: *")
VISIT = Visit(
    *(1, -2, "http://a.example/", Outcome.OK, 200, 10, 20, 0.5, True, -(1 << 63)),
    *(5, 1, 1, 1, 1, 2, (Link(ITEM), Link(ITEM, Exclusion.SCOPE))),
)
REPORT = HostReport("a.example", 0.5, 1.0, 0.1, 10, 1, (ROBOTS,), ("cookie",))
RECORDS: list[Struct] = [
    VISIT,
    REPORT,
    HostGrant("a.example", 2, 1e9, 1.0, -1, (ROBOTS,), ("cookie",)),
    Schedule(1, 2, 3, 4, 10.0, 40.0, (ITEM,), (), (0,)),
    Answer(
        *(1, 2, 3, 4, "fetcher-0.1", "staged", (VISIT,), (Postponed(ITEM, 1.5, True),)),
        *((Refused(ITEM, Exclusion.ROBOTS),), (ITEM,), (REPORT,), 7, 1),
    ),
    CommittedAttempt(1, 2, "staged", {"a": "b"}, ("c",)),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_records_travel_whole(record: Struct) -> None:
    assert msgpack.decode(msgpack.encode(record), type=type(record)) == record


def test_records_cannot_be_changed() -> None:
    item = Item("http://a.example/", 1, 2, 0)
    with pytest.raises(AttributeError):
        item.depth = 1  # type: ignore[misc]
