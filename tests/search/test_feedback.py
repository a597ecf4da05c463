"""Who votes, for which words, and that it does not matter how an index is divided."""

from pathlib import Path

import numpy as np
import pytest

from gossamer.lib.hashing import hash64
from gossamer.matches import Floats, Ints
from gossamer.search import feedback
from gossamer.search.contract import SearchRequest
from gossamer.search.feedback import Votes, feedback_words, voters
from tests.searching import SmallIndex


def test_the_best_ten_vote_and_the_first_of_equals() -> None:
    scores = np.array([1.0, 5.0, *([2.0] * 15), 0.0, 4.0])
    best, power = voters(scores)
    assert best.tolist() == [1, 18, *range(2, 10)]
    assert power.sum() == pytest.approx(1.0)
    assert (np.diff(power) <= 0).all()


def test_fewer_than_three_have_nothing_in_common() -> None:
    assert len(voters(np.array([3.0, 2.0, 0.0, 0.0]))[0]) == 0
    assert len(voters(np.array([3.0, 2.0, 1.0]))[0]) == 3
    assert len(voters(np.empty(0))[0]) == 0


def _votes(words: list[int], counted: list[list[float]]) -> Votes:
    return Votes(np.array(words, np.int64), np.ones(len(words)), np.array(counted, np.float64))


def test_words_of_one_shard_are_weighed_by_what_it_knows() -> None:
    # documents that hold each word, how often it stands, its votes
    told = _votes([1, 2, 3], [[10, 1, 500], [12, 1, 900], [0.5, 3.0, 0.5]])
    found = feedback_words([told], 1000, None)
    assert found.words.tolist() == [1, 3]  # the second stands in one document only
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.weights[0] > found.weights[1]  # rarer
    assert (found.documents.tolist(), found.occurrences.tolist()) == ([10, 500], [12, 900])


def test_shards_choose_together() -> None:
    asked: list[list[int]] = []

    def counted_of(words: Ints) -> Floats:
        asked.append(sorted(words.tolist()))
        rows = {1: (4, 4, 0.2), 2: (5, 9, 0.4), 3: (1, 1, 0.9)}
        return np.array([rows[word] for word in words.tolist()]).T

    one = _votes([1, 2], [[1, 1], [1, 1], [0.1, 0.2]])
    other = _votes([2, 3], [[1, 1], [1, 1], [0.2, 0.9]])
    found = feedback_words([one, other], 100, counted_of)
    assert asked == [[1, 2, 3]]
    assert found.words.tolist() == [2, 1]
    assert len(feedback_words([], 100, counted_of).words) == 0


def test_stop_words_do_not_join_a_query(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {"text": "text"})
    index.write({"id": str(number), "text": "tide moon keel"} for number in range(4))
    reader = index.reader()
    ballot = feedback.ballot_of(reader, reader.living(), np.full(4, 0.25))
    every, some = feedback.votes(ballot, set()), feedback.votes(ballot, {hash64(b"moon")})
    assert set(reader.words_by_hash(every.words)) == {"tide", "moon", "keel"}
    assert set(reader.words_by_hash(some.words)) == {"tide", "keel"}
    assert some.counted.shape == (3, 2)
    reader.close()


@pytest.mark.parametrize("query", ["lantern", "tide moon", "harbour keel lantern"])
@pytest.mark.parametrize("explain", [False, True])
def test_several_parts_give_the_scores_of_one(tmp_path: Path, query: str, explain: bool) -> None:
    words = ["lantern", "tide", "harbour", "moon", "keel", "anchor", "rope", "sail"]
    documents = [
        {
            "id": str(number),
            "title": words[number % 5],
            "text": " ".join(
                word for place, word in enumerate(words * 3) if (number * 7 + place * 5) % 4
            ),
        }
        for number in range(60)
    ]
    (tmp_path / "one").mkdir()
    (tmp_path / "several").mkdir()
    one, several = SmallIndex(tmp_path / "one"), SmallIndex(tmp_path / "several")
    one.write(documents)
    for end in (40, 58, 60):
        several.write(documents[:end])
    assert (one.parts(), several.parts() > 1) == (1, True)
    request = SearchRequest(query, limit=60, explain=explain, group=False)
    expected = one.searcher(profile="default").search(request)
    found = several.searcher(profile="default").search(request)
    assert len(expected.hits) > 10
    assert {hit.id: hit.score for hit in found.hits} == pytest.approx(
        {hit.id: hit.score for hit in expected.hits}
    )
    plain = one.searcher(profile="bm25f").search(request)
    assert [hit.id for hit in plain.hits] != [hit.id for hit in expected.hits]


def test_words_of_navigation_and_numbers_do_not_join_a_query(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {"title": "text", "text": "text", "boilerplate": "text"})
    lamps = [
        {
            "id": str(number),
            "text": f"A lantern with a wick and a flame for 28.00, number {number}.",
            "boilerplate": "basket newsletter newsletter",
        }
        for number in range(6)
    ]
    index.write([*lamps, *({"id": f"o{number}", "text": "A boat."} for number in range(30))])
    searcher = index.searcher(profile="default")
    hits = searcher.search(SearchRequest("lantern", explain=True, limit=6)).hits
    for hit in hits:
        assert hit.explain is not None
        feature = hit.explain["features"]["feedback"]
        words = [word["word"] for word in feature["words"]]
        assert {"wick", "flame"} <= set(words)
        assert not {"basket", "newslett", "newsletter"}.intersection(words)
        assert not any(word[0].isdigit() for word in words)


def test_feedback_does_not_push_down_what_a_query_names(tmp_path: Path) -> None:
    """Nine lists of the same words say more of the feedback words than the page of that title."""
    index = SmallIndex(tmp_path)
    words = "tallowmere storm lantern wick flame paraffin glass brass candle lamp "
    lists = [{"id": f"list{n}", "title": "Lamps", "text": words * 6} for n in range(9)]
    named = {"id": "named", "title": "Tallowmere Storm Lantern", "text": "It burns in any wind."}
    others = [{"id": f"o{n}", "title": "Boat", "text": "A boat on the sea."} for n in range(40)]
    index.write([*lists, named, *others])
    searcher = index.searcher(profile="default")
    for query in ("tallowmere storm lantern", "tallowmere lantern", "storm lantern"):
        assert searcher.search(SearchRequest(query)).hits[0].id == "named"
