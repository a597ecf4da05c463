"""How a query is read: the words that count only where they are written as they were typed."""

from pathlib import Path

import pytest

from gossamer.search import candidates
from gossamer.search.contract import Answer, SearchRequest
from tests.searching import SmallIndex, SmallSet

ACRONYMS = [
    {"id": "us", "title": "Growth", "text": "The U.S. economy grew in the last months."},
    {"id": "US", "title": "Trade", "text": "Of the US economy nothing is known in these parts."},
    {"id": "tell", "title": "Economy", "text": "Tell us about economy. Us, us and the economy."},
    {"id": "it", "title": "Work", "text": "Of the IT jobs here, nobody has heard a word till now."},
    {"id": "doing", "title": "Jobs", "text": "It has jobs: it does, it did, it will. Jobs for it."},
    {"id": "who", "title": "Health", "text": "What is in the WHO report of this year on health."},
    {"id": "wrote", "title": "Report", "text": "Who wrote the report? Who knows who did a report?"},
]


def _ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer.hits]


@pytest.mark.parametrize("profile", ["bm25f", "default"])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("U.S. economy", {"us", "US"}),
        ("u.s. economy", {"us", "US"}),
        ("US economy", {"us", "US"}),
        ("+US economy", {"us", "US"}),
        ("U.S. ECONOMY", {"us", "US"}),
        ("US", {"us", "US"}),
        ("us economy", {"tell"}),
        ("US ECONOMY", {"tell"}),  # all is shouted
        ("IT jobs", {"it"}),
        ("it jobs", {"doing"}),
        ("WHO report", {"who"}),
        ("who report", {"wrote"}),
    ],
)
def test_what_is_typed_in_capitals_counts_where_it_stands_in_capitals(
    tmp_path: Path, profile: str, query: str, expected: set[str]
) -> None:
    index = SmallIndex(tmp_path)
    index.write(ACRONYMS)
    answer = index.searcher(profile=profile).search(SearchRequest(query))
    assert set(_ids(answer)[: len(expected)]) == expected


def test_capitals_count_where_another_language_is_more_common(tmp_path: Path) -> None:
    german = "Der Hafen von Hamburg ist groß, und die Schiffe fahren hinaus."
    index = SmallIndex(tmp_path)
    documents = [{"id": f"de{number}", "text": german, "language": "de"} for number in range(30)]
    texts = ["The IT jobs are open.", "It rained all day long.", "The jobs of the farm are hard."]
    documents += [{"id": text.split()[1], "text": text, "language": "en"} for text in texts]
    index.write(documents)
    searcher = index.searcher()
    assert set(_ids(searcher.search(SearchRequest("IT jobs")))) == {"IT", "jobs"}
    assert _ids(searcher.search(SearchRequest("IT"))) == ["IT"]


def test_a_document_with_another_word_of_the_same_letters_does_not_hold_all_words(
    tmp_path: Path,
) -> None:
    index = SmallIndex(tmp_path)
    index.write([*ACRONYMS, {"id": "far", "text": "economy " + "a word " * 500 + "and the US"}])
    searcher = index.searcher(profile="yioop")  # documents with all words come first
    answer = searcher.search(SearchRequest("US economy"))
    assert set(_ids(answer)[:3]) == {"us", "US", "far"}


def test_only_places_in_capitals_are_in_the_explanation(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write(ACRONYMS)
    searcher = index.searcher(profile="default")
    scores = [hit.score for hit in searcher.search(SearchRequest("US economy")).hits]
    hits = searcher.search(SearchRequest("US economy", explain=True)).hits
    assert [hit.score for hit in hits] == pytest.approx(scores)
    for hit in hits:
        assert hit.explain is not None
        text = hit.explain["features"]["text"]
        assert sum(word["value"] for word in text["words"]) == pytest.approx(text["value"])
        for word in text["words"]:
            assert sum(word["fields"].values()) == pytest.approx(word["value"])
        assert ("US" in [word["word"] for word in text["words"]]) == (hit.id in ("us", "US"))


def test_shards_agree_on_capitals(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    one, several = SmallIndex(tmp_path / "one"), SmallSet(tmp_path / "several", 2)
    assert one.write(ACRONYMS) == several.write(ACRONYMS)
    searcher = several.searcher()
    for query in ("US economy", "IT jobs", "WHO report"):
        whole = one.searcher().search(SearchRequest(query))
        parts = searcher.search(SearchRequest(query))
        assert _ids(parts) == _ids(whole)
        assert [hit.score for hit in parts.hits] == [hit.score for hit in whole.hits]
    searcher.close()


def test_a_large_index_of_other_words_hides_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "SMALL_INDEX", 0)
    index = SmallIndex(tmp_path)
    others = ({"id": str(n), "text": "Tell us, us: economy. " * 3} for n in range(1_500))
    index.write([*others, *ACRONYMS])
    for query in ("US economy", "U.S. economy"):
        answer = index.searcher(profile="default").search(SearchRequest(query))
        assert set(_ids(answer)[:2]) == {"us", "US"}
