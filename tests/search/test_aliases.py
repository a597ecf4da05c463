"""Several words for one, and one for several: found, ranked and explained as the query's own."""

import os
from pathlib import Path
from typing import Any

import pytest

from gossamer.search.aliases import MOST_WORDS
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.local import LocalSearcher
from tests.searching import SmallIndex

DOCUMENTS = [
    {"id": "nyc", "title": "Hotels in NYC", "text": "Where to sleep."},
    {"id": "york", "title": "Hotels in New York", "text": "Where to sleep."},
    {"id": "apple", "title": "Hotels in the Big Apple", "text": "Where to sleep."},
    {"id": "apart", "title": "Hotels in York", "text": "A new hotel opens. A big red apple."},
    {"id": "paris", "title": "Hotels in Paris", "text": "Where to sleep."},
    {"id": "nasa", "title": "N.A.S.A.", "text": "Rockets."},
    {
        "id": "space",
        "title": "The National Aeronautics and Space Administration",
        "text": "Rockets.",
    },
]
SYNONYMS = """
new york, nyc, big apple
nasa => national aeronautics and space administration
東京 => tokyo
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "synonyms.txt"
    path.write_text(SYNONYMS)
    return path


def searcher(tmp_path: Path, file: Path, **settings: Any) -> LocalSearcher:
    index = SmallIndex(tmp_path)
    index.write(DOCUMENTS)
    return index.searcher(synonyms=str(file), **settings)


def ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer.hits]


@pytest.mark.parametrize("profile", ["bm25f", "default", "scriburg"])
@pytest.mark.parametrize("query", ["nyc", "new york", "big apple", "Big Apple"])
def test_each_finds_the_others(tmp_path: Path, file: Path, query: str, profile: str) -> None:
    answer = searcher(tmp_path, file, profile=profile).search(SearchRequest(query))
    assert set(ids(answer)[:3]) == {"nyc", "york", "apple"}
    assert "paris" not in ids(answer)
    assert answer.did_you_mean == ""


@pytest.mark.parametrize("query", ["nyc hotels", "new york hotels", "hotels big apple"])
def test_they_count_as_all_words(tmp_path: Path, file: Path, query: str) -> None:
    answer = searcher(tmp_path, file).search(SearchRequest(query, all_words=True))
    expected = {"nyc", "york", "apple"}
    # 'york' and 'new' stand there, too, though apart: that is what was typed.
    assert set(ids(answer)) - {"apart"} == expected
    answer = searcher(tmp_path, file).search(SearchRequest(query))
    assert ids(answer).index("paris") >= 3


def test_words_that_are_apart_are_no_alias(tmp_path: Path, file: Path) -> None:
    answer = searcher(tmp_path, file).search(SearchRequest("nyc"))
    assert "apart" not in ids(answer)


def test_acronyms_go_one_way(tmp_path: Path, file: Path) -> None:
    one = searcher(tmp_path, file)
    assert set(ids(one.search(SearchRequest("NASA")))) == {"nasa", "space"}
    assert "nasa" not in ids(
        one.search(SearchRequest("+national +aeronautics +space +administration"))
    )
    assert set(ids(one.search(SearchRequest("+nasa rockets")))) == {"nasa", "space"}


def test_quotes_mean_what_they_hold(tmp_path: Path, file: Path) -> None:
    assert ids(searcher(tmp_path, file).search(SearchRequest('"new york"'))) == ["york"]


def test_they_are_marked_and_explained(tmp_path: Path, file: Path) -> None:
    request = SearchRequest("nyc", explain=True, group=False)
    hits = {hit.id: hit for hit in searcher(tmp_path, file).search(request).hits}
    hit = hits["york"]
    assert hit.explain is not None
    (word,) = hit.explain["features"]["bm25f"]["words"]
    assert word["word"] == "nyc"
    assert word["value"] == pytest.approx(hit.score)


def test_a_changed_file_acts_at_the_next_query(tmp_path: Path, file: Path) -> None:
    one = searcher(tmp_path, file)
    assert "apple" in ids(one.search(SearchRequest("nyc")))
    file.write_text("nyc, paris\n")
    os.utime(file, ns=(1, 1))
    assert set(ids(one.search(SearchRequest("nyc")))) == {"nyc", "paris"}


def test_a_line_of_many_phrases_says_what_is_left_out(tmp_path: Path, file: Path) -> None:
    others = ", ".join(f"word{n} other{n}" for n in range(MOST_WORDS))
    file.write_text(f"nyc, {others}\n")
    answer = searcher(tmp_path, file).search(SearchRequest("nyc"))
    assert ids(answer) == ["nyc"]
    assert answer.notes == (f"Only {MOST_WORDS} words of synonyms were used for ranking.",)


def test_what_stands_for_a_word_in_capitals_is_written_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.txt"
    file.write_text("us => america, united states\n")
    index = SmallIndex(tmp_path)
    texts = {
        "name": "The economy of America.",
        "long": "The economy of the united states.",
        "tell": "The economy, and us: tell us of the economy.",
    }
    index.write({"id": key, "text": text} for key, text in texts.items())
    answer = index.searcher(synonyms=str(file)).search(SearchRequest("US economy"))
    assert set(ids(answer)[:2]) == {"name", "long"}
