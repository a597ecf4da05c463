"""Safe search leaves out what is marked, and nothing else."""

from pathlib import Path
from typing import Any

import pytest

from gossamer.search.contract import SearchRequest
from gossamer.search.safety import NOTHING_MARKED
from tests.searching import SmallIndex

FIELDS = {"title": "text", "text": "text", "safety": "keyword"}
B = "http://b.example/x"
DOCUMENTS = [
    {"id": "1", "title": "Film night", "text": "A film about lighthouses."},
    {
        "id": B,
        "title": "Film for grown-ups",
        "text": "A film that is not for all.",
        "safety": "adult",
    },
]


def found(index: SmallIndex, query: str, **options: Any) -> list[str]:
    answer = index.searcher().search(SearchRequest(query, **options))
    assert answer.total == len(answer.hits)
    return sorted(hit.id for hit in answer.hits)


@pytest.fixture
def films(tmp_path: Path) -> SmallIndex:
    index = SmallIndex(tmp_path, FIELDS)
    index.write(DOCUMENTS)
    return index


def test_by_request_and_by_setting(films: SmallIndex) -> None:
    assert found(films, "film") == ["1", B]
    assert found(films, "film", safe=True) == ["1"]
    assert found(films, "film", safe=True, all_words=True) == ["1"]
    for_all = films.searcher(safe=True)
    assert len(for_all.search(SearchRequest("film")).hits) == 1
    assert len(for_all.search(SearchRequest("film", safe=False)).hits) == 2


@pytest.mark.parametrize("query", ['"not for all"', "+grown", "safety:adult", "title:grown", B])
def test_no_query_gets_around_it(films: SmallIndex, query: str) -> None:
    assert B in found(films, query)
    assert B not in found(films, query, safe=True)


def test_browsing_does_not_get_around_it(films: SmallIndex) -> None:
    assert found(films, "", safe=True) == ["1"]
    assert found(films, "-safety:adult", safe=True) == ["1"]


def test_an_index_without_marks_says_so(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "title": "A", "text": "film"}])
    answer = index.searcher().search(SearchRequest("film", safe=True))
    assert len(answer.hits) == 1
    assert answer.notes == (NOTHING_MARKED,)
