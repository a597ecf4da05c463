"""Damaged pages of every format end as an outcome, and never as anything else."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.extract.processor import build_processors
from gossamer.records import RawPage, Unread
from gossamer.urls import Resolver
from tests.extract.heavy import HeavyReader, assert_whole, heavy_reader, is_our_bug
from tests.mutations import MEDIA_TYPES, PAGES, TOKENS, Edit, Kind, mutated

LIGHT = ("html", "text")
HEAVY = ("pdf", "docx", "odt")


@pytest.fixture(scope="module")
def heavy() -> Iterator[HeavyReader]:
    with heavy_reader() as running:
        yield running


def damaged(name: str) -> st.SearchStrategy[bytes]:
    data = st.binary(max_size=20) | st.sampled_from(TOKENS[name])
    edit = st.builds(Edit, st.sampled_from(Kind), st.floats(0, 1), st.integers(0, 200), data)
    return st.builds(
        lambda body, edits, inside: mutated(body, edits, inside=inside),
        st.sampled_from(PAGES[name]),
        st.lists(edit, min_size=1, max_size=8),
        st.booleans(),
    )


@pytest.mark.parametrize("name", LIGHT)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_pages(name: str, data: st.DataObject) -> None:
    body = data.draw(damaged(name))
    page = RawPage("https://example.org/dir/", MEDIA_TYPES[name], "", body)
    assert_whole(build_processors("Gossamer", Resolver()).process(page))


@pytest.mark.parametrize("name", HEAVY)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_documents(heavy: HeavyReader, name: str, data: st.DataObject) -> None:
    processed = heavy.processed(data.draw(damaged(name)), MEDIA_TYPES[name])
    assert_whole(processed)
    assert not is_our_bug(processed), processed


@pytest.mark.parametrize("name", [*LIGHT, *HEAVY])
def test_undamaged_pages_are_read(heavy: HeavyReader, name: str) -> None:
    """Or the others would prove nothing."""
    texts = [heavy.processed(body, MEDIA_TYPES[name]) for body in PAGES[name]]
    read = [found for found in texts if not isinstance(found, Unread)]
    assert len(read) == len(texts) - (name == "pdf")  # one of them has a password
    assert all(found.text for found in read)


@given(
    kinds=st.lists(st.sampled_from([*LIGHT, *HEAVY]), min_size=2, max_size=2), at=st.floats(0, 1)
)
@settings(max_examples=60, deadline=None)
def test_pages_of_two_formats(heavy: HeavyReader, kinds: list[str], at: float) -> None:
    """The start of one and the end of the other, under the name of one, the other, or none."""
    first, second = (PAGES[kind][0] for kind in kinds)
    body = first[: int(at * len(first))] + second[int(at * len(second)) :]
    for media_type in (*(MEDIA_TYPES[kind] for kind in kinds), "", "application/octet-stream"):
        assert_whole(heavy.processed(body, media_type))
