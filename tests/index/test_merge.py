"""Parts that are merged: the same documents, words and statistics, less what is gone."""

import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.index import merge
from gossamer.index.generations import PartEntry
from gossamer.search.contract import SearchRequest
from tests.searching import SmallIndex

FIELDS = {"title": "text", "text": "text", "price": "number", "kind": "keyword"}


def _entry(words: int, gone: int = 0) -> PartEntry:
    return PartEntry(1, 10, gone, words=words)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], []),
        ([_entry(100)] * 7, []),
        ([_entry(100)] * 8, [(0, 8)]),
        ([_entry(10_000), *[_entry(100)] * 9], [(1, 10)]),
        ([_entry(100, gone=3)], []),
        ([_entry(100), _entry(100, gone=4)], [(1, 2)]),
        ([_entry(merge.MOST_WORDS // 2)] * 9, []),
    ],
)
def test_what_is_due(entries: list[PartEntry], expected: list[tuple[int, int]]) -> None:
    assert merge.due(entries) == expected


WORDS = ["Lantern", "tide", "tides", "HARBOUR", "moon", "e-mail", "C++"]
Version = dict[int, list[str]]


@settings(max_examples=6, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.integers(0, 9), st.lists(st.sampled_from(WORDS), max_size=6)),
        min_size=1,
        max_size=11,
    )
)
def test_updates_and_merges_against_an_index_built_at_once(versions: list[Version]) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / "grown").mkdir()
        (folder / "fresh").mkdir()
        grown = SmallIndex(folder / "grown", FIELDS)
        for version in versions:
            grown.write(_documents(version))
        fresh = SmallIndex(folder / "fresh", FIELDS)
        fresh.write(_documents(versions[-1]))
        one, other = grown.reader(), fresh.reader()
        assert one.documents == other.documents == len(versions[-1])
        assert one.manifest.languages == other.manifest.languages
        assert sum(one.manifest.words.values()) == sum(other.manifest.words.values())
        slots = [["lantern"], ["tide"], ["harbour"], ["moon"], ["c++"], ["absent"]]
        for mine, its in zip(one.statistics(slots)[2:4], other.statistics(slots)[2:4], strict=True):
            assert np.array_equal(mine, its)
        for entry in one.manifest.parts:
            assert entry.gone <= 0.3 * entry.documents
        for query in ("lantern", "tide moon", '"lantern tide"', "price:3..6", "kind:odd"):
            request = SearchRequest(query, limit=100, group=False)
            found = {hit.id: hit.score for hit in grown.searcher().search(request).hits}
            expected = {hit.id: hit.score for hit in fresh.searcher().search(request).hits}
            assert found == pytest.approx(expected)
        one.close()
        other.close()
    finally:
        shutil.rmtree(folder)


def _documents(version: Version) -> list[dict[str, object]]:
    return [
        {
            "id": str(number),
            "title": f"Title {number}",
            "text": " ".join(words),
            "price": number,
            "kind": ["odd", "any"] if number % 2 else ["even"],
        }
        for number, words in version.items()
    ]


def test_many_small_updates_make_few_parts(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    documents = []
    searcher = index.searcher()
    for number in range(40):
        documents.append({"id": str(number), "title": f"Page {number}", "text": "Common lantern"})
        index.write(documents)
    manifest = index.folder.manifest()
    assert manifest is not None
    assert len(manifest.parts) < 16
    assert len(list((index.folder.path / "parts").iterdir())) == len(manifest.parts)
    reader = index.reader()
    assert reader.living().tolist() == list(range(1, 41)), "documents keep their numbers"
    reader.close()
    answer = searcher.search(SearchRequest("lantern", limit=100, group=False))
    numbers = {hit.id: hit.number for hit in answer.hits}
    assert numbers == {str(number): number + 1 for number in range(40)}


def test_words_of_deleted_documents_leave_the_proposals(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    kept = [{"id": f"k{n}", "title": "Harbour tides", "text": "calm water"} for n in range(10)]
    gone = [{"id": f"g{n}", "title": "Zanzibar spices", "text": "pepper"} for n in range(5)]
    index.write([*kept, *gone])
    assert index.searcher().suggest("zanz")
    assert index.searcher().search(SearchRequest("zanzibra")).searched_instead == "zanzibar"
    index.write(kept)
    assert not index.searcher().suggest("zanz")
    assert index.searcher().suggest("harb")
    answer = index.searcher().search(SearchRequest("zanzibra"))
    assert not answer.searched_instead
    assert not answer.did_you_mean
