"""A searcher over one index: what is found, in which order, and why."""

import os
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gossamer.errors import FormulaError, UsageError
from gossamer.rank.profiles import load_profile, shipped_names
from gossamer.search import candidates
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.filters import filters_of
from gossamer.search.local import LocalSearcher
from gossamer.text import Analyser
from tests.searching import SmallIndex

STONES = [
    {"id": "1", "title": "The Who in concert", "text": "To be or not to be, that is the question."},
    {"id": "2", "title": "George W. Bush", "text": "The 43rd president. The U.S. economy in 2005."},
    {"id": "3", "title": "Franklin D. Roosevelt", "text": "He was born in 1882, not in 1776."},
    {
        "id": "4",
        "title": "C++ primer",
        "text": "Programming in C++ and in C, with camelCase names.",
    },
    {"id": "5", "title": "Independence", "text": "The declaration of 1776. An e-mail to O'Neil."},
    {"id": "6", "title": "Alprazolam", "text": "A medicine for anxiety, sold since 1981. #health"},
    {
        "id": "7",
        "title": "Universities",
        "text": "The university of Freiburg and other universities.",
    },
    {
        "id": "8",
        "title": "Freiburg",
        "text": "A city at the edge of the Black Forest. Cafés abound.",
    },
]


@pytest.fixture
def stones(tmp_path: Path) -> LocalSearcher:
    index = SmallIndex(tmp_path)
    index.write(STONES)
    return index.searcher()


def _ids(answer: Answer) -> list[str]:
    return [hit.url for hit in answer.hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("George W. Bush", ["2"]),
        ("Franklin D. Roosevelt", ["3"]),
        ("1776", ["5", "3"]),
        ("U.S. economy", ["2"]),
        ("Alprazolam", ["6"]),
        ("C++", ["4"]),
        ('"to be or not to be"', ["1"]),
        ('"The Who"', ["1"]),
        ("the who", ["1"]),
        ("The Who", ["1"]),
        ("to be or not to be", ["1"]),
        ("Bush, George W.", ["2"]),
        ("US economy", ["2"]),
        ("F. D. Roosevelt", ["3"]),
        ("c++ programming", ["4"]),
        ("university", ["7"]),
        ("cafe", ["8"]),
        ("email", ["5"]),
        ("e-mail", ["5"]),
        ("camelcase", ["4"]),
        ("camel case", ["4"]),
        ("#health", ["6"]),
        ("health", ["6"]),
        ("o'neil", ["5"]),
        ("freiburg -university", ["8"]),
        ("+freiburg +university", ["7"]),
        ("title:freiburg", ["8"]),
        ('"black forest"', ["8"]),
        ('"forest black"', []),
        ('"edge forest"~4', ["8"]),
        ("univers*", ["7"]),
        ("medicine OR declaration", ["5", "6"]),
        ("(medicine OR declaration) -1776", ["6"]),
    ],
)
def test_finds_what_it_should(stones: LocalSearcher, query: str, expected: list[str]) -> None:
    found = _ids(stones.search(SearchRequest(query)))
    assert found[: len(expected)] == expected or sorted(found) == sorted(expected)
    if query.startswith(('"', "+", "title:")) or "-" in query:
        assert len(found) == len(expected)


def test_documents_with_all_words_come_first(stones: LocalSearcher) -> None:
    answer = stones.search(SearchRequest("freiburg university edge"))
    assert set(_ids(answer)) == {"7", "8"}
    answer = stones.search(SearchRequest("freiburg forest"))
    assert _ids(answer)[0] == "8"
    assert _ids(stones.search(SearchRequest("freiburg forest", all_words=True))) == ["8"]


def test_a_joined_word_finds_its_parts_side_by_side(tmp_path: Path) -> None:
    texts = {
        "apart": "A well known keeper",
        "joined": "A well-known keeper",
        "name": "getElementById, my_snake_case, joe@example.org",
        "away": "Known as well",
    }
    index = SmallIndex(tmp_path)
    index.write({"id": name, "title": name, "text": text} for name, text in texts.items())
    searcher = index.searcher()

    def found(query: str) -> set[str]:
        return set(_ids(searcher.search(SearchRequest(query))))

    assert found("well-known") == found("wellKnown -name") == {"apart", "joined"}
    assert found("keeper -well-known") == set()
    for query in ("snake_case", "getElement", "example.org"):
        assert found(query) == {"name"}
    assert found("#wellKnown") == set()  # nobody writes that in two words


def test_snippets_mark_the_words(stones: LocalSearcher) -> None:
    (hit, *_) = stones.search(SearchRequest("black forest")).hits
    assert [hit.snippet[mark.start : mark.end] for mark in hit.marks] == ["Black", "Forest"]


def test_snippets_show_the_words_of_the_query(tmp_path: Path) -> None:
    """And not those that feedback has added to it."""
    rest = "The satellite of the planet has craters, plains, dust and no air. " * 20
    texts = [
        f"The moon is near. {rest} Why the moon has phases is told here. {rest}" for _ in range(6)
    ]
    index = SmallIndex(tmp_path)
    index.write({"id": str(n), "title": f"t{n}", "text": text} for n, text in enumerate(texts))
    searcher = index.searcher(profile="default")
    (hit, *_) = searcher.search(SearchRequest("moon phases", group=False)).hits
    assert [hit.snippet[mark.start : mark.end] for mark in hit.marks] == ["moon", "phases"]


def test_snippets_show_what_was_quoted(tmp_path: Path) -> None:
    rest = "The keeper of a light watched the sea, and those who sailed to it or not. " * 200
    text = f"{rest} Played by The Who. {rest} To be or not to be! {rest} The end: sea light. "
    index = SmallIndex(tmp_path)
    index.write(
        {"id": str(n), "title": f"t{n}", "text": text + f"{rest} {n}" * n} for n in range(3)
    )
    searcher = index.searcher()
    for query in ("The Who", "To be or not to be", "sea light"):
        answer = searcher.search(SearchRequest(f'"{query}"', group=False))
        assert len(answer.hits) == 3
        for hit in answer.hits:
            assert hit.snippet.index(query) in {mark.start for mark in hit.marks}


def test_stop_words_alone_give_no_feedback(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write(
        {"id": str(n), "title": f"t{n}", "text": f"to be or not {'theism god ' * (n % 3)}"}
        for n in range(20)
    )
    searcher = index.searcher(profile="default")
    (hit, *_) = searcher.search(SearchRequest("to be or not", explain=True)).hits
    assert hit.explain is not None
    assert hit.explain["features"]["feedback"]["value"] == 0


def test_snippets_are_of_the_field_that_holds_the_words(tmp_path: Path) -> None:
    fields = dict.fromkeys(("name", "summary", "features", "description"), "text")
    index = SmallIndex(tmp_path, fields)
    texts = {"summary": "A lantern of tin", "description": "Hollow tubes carry air to the flame"}
    index.write([{"id": "1", "name": "Lantern", **texts, "features": ["glass", "spare wick"]}])
    searcher = index.searcher()
    for query, snippet in {
        "lantern": texts["summary"],
        "wick": "… spare wick",
        "flame lantern": texts["description"],
    }.items():
        (hit,) = searcher.search(SearchRequest(query)).hits
        assert hit.snippet == snippet
        assert len(hit.marks) == 1


def test_bad_syntax_is_read_as_words(stones: LocalSearcher) -> None:
    answer = stones.search(SearchRequest('(freiburg "black'))
    assert "8" in _ids(answer)
    assert answer.notes


@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest("x", limit=0),
        SearchRequest("x", page=0),
        SearchRequest("x", page=10**30),
        SearchRequest("x", sort="y"),
        SearchRequest("x", filters=filters_of({"colour": "red"})),
        SearchRequest("x", filters=filters_of({"title": "\udcff"})),
        SearchRequest("x", filters=filters_of({"text": "1..5"})),
        SearchRequest("x", k=10**30),
        SearchRequest("x", sort="-"),
        SearchRequest("x", k=float("nan")),
        SearchRequest("x", k=-1.0),
        SearchRequest("x", b=1.5),
        SearchRequest("x", weighted_words={"x": float("inf")}),
        SearchRequest("x", field_weights={"titel": 3.0}),
        SearchRequest("x", field_weights={"title": float("nan")}),
        SearchRequest("x", deadline_seconds=float("nan")),
    ],
)
def test_wrong_requests_are_refused(stones: LocalSearcher, request_: SearchRequest) -> None:
    with pytest.raises(UsageError):
        stones.search(request_)


def test_a_profile_that_counts_on_a_field_that_is_not_there(
    many: SmallIndex, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('score = "bm25f + log(1 + vots)"\n')
    searcher = many.searcher()
    with pytest.raises(FormulaError, match=r"'vots' is unknown. Did you mean 'votes'\?.*\n.*\n"):
        searcher.search(SearchRequest("word5", profile=str(path)))
    path.write_text('score = "bm25f + log(1 + votes)"\n')
    assert searcher.search(SearchRequest("word5", profile=str(path))).hits


def test_a_wrong_formula_is_pointed_at(stones: LocalSearcher) -> None:
    with pytest.raises(FormulaError, match="votse"):
        stones.search(SearchRequest("freiburg", boost="log(votse)"))


# --- many documents ---

SIZE = 5_000
VOCABULARY = [f"word{number}" for number in range(600)]


def _many(size: int) -> list[dict[str, Any]]:
    rng = random.Random(7)
    weights = [1 / (rank + 1) for rank in range(len(VOCABULARY))]
    return [
        {
            "id": str(number),
            "title": " ".join(rng.choices(VOCABULARY, weights, k=3)),
            "text": " ".join(rng.choices(VOCABULARY, weights, k=rng.randint(5, 60))),
            "votes": int(1000 * rng.random() ** 8),
            "price": rng.randint(1, 100),
            "kind": rng.choice(["red", "green", "blue"]),
        }
        for number in range(size)
    ]


FIELDS = {
    "title": "text",
    "text": "text",
    "votes": "number",
    "price": "number",
    "kind": "keyword",
}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> SmallIndex:
    index = SmallIndex(tmp_path_factory.mktemp("many"), FIELDS)
    index.write(_many(SIZE))
    return index


ALL_FIRST = ("default", "bm25f", "penn", "yioop")
QUERIES = ["word1", "word0 word3", "word2 word20 word40", "word500 word0", '"word0 word1"']


def _scoring_all(index: SmallIndex, request: SearchRequest) -> list[float]:
    """The ten best scores when every document is scored that matches at all."""
    return [hit.score for hit in index.searcher().search(request).hits]


@pytest.mark.parametrize("boost", ["", "votes / 10", "log(1 + votes)"])
@pytest.mark.parametrize("profile", shipped_names())
def test_the_top_ten_of_a_large_index(
    many: SmallIndex, profile: str, boost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only some candidates are scored: hardly any of the true top ten is missed."""
    missed = 0
    for query in QUERIES:
        request = SearchRequest(query, profile=profile, boost=boost, group=False)
        everything = _scoring_all(many, request)
        with monkeypatch.context() as patch:
            patch.setattr(candidates, "SMALL_INDEX", 0)
            chosen = [hit.score for hit in many.searcher().search(request).hits]
        assert chosen == sorted(chosen, reverse=True) or profile in ALL_FIRST
        missed += sum(
            not any(score == pytest.approx(other) for other in chosen) for score in everything
        )
    # Feedback orders the candidates by more words than they were chosen by.
    allowed = 10 if load_profile(profile).feedback else 1
    assert missed <= allowed, f"{missed} of {10 * len(QUERIES)}"


@pytest.mark.parametrize(("sort", "query"), [("-votes", QUERIES[0]), ("votes", "votes:0..")])
def test_a_sort_goes_over_all_matches(
    many: SmallIndex, sort: str, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not over those alone that are worth scoring."""
    request = SearchRequest(query, sort=sort, group=False)
    expected = [hit.fields["votes"] for hit in many.searcher().search(request).hits]
    with monkeypatch.context() as patch:
        patch.setattr(candidates, "SMALL_INDEX", 0)
        patch.setattr(candidates, "CANDIDATES", 5)
        patch.setattr(candidates, "_CHUNK", 100)
        found = [hit.fields["votes"] for hit in many.searcher().search(request).hits]
    assert found == expected
    assert found == sorted(found, reverse=sort.startswith("-"))


@pytest.mark.parametrize("profile", shipped_names())
def test_explanations_add_up(many: SmallIndex, profile: str) -> None:
    settings_ = {"profile": profile, "weights": {"word1": 3.0, "word7": -2.0}}
    searcher = many.searcher(**settings_)
    for query in QUERIES:
        answer = searcher.search(SearchRequest(query, boost="votes / 10", explain=True))
        for hit in answer.hits:
            assert hit.explain is not None
            values = {}
            for name, feature in hit.explain["features"].items():
                values[name] = feature["value"]
                if "words" in feature:
                    parts = [word["value"] for word in feature["words"]]
                    assert sum(parts) == pytest.approx(feature["value"], abs=1e-6)
                    for word in feature["words"]:
                        if "fields" in word:
                            assert sum(word["fields"].values()) == pytest.approx(
                                word["value"], abs=1e-6
                            )
            assert hit.explain["score"] == pytest.approx(hit.score, abs=1e-6)
            assert hit.explain["parts"].value == pytest.approx(hit.score, abs=1e-6)


def test_filters_ranges_sort_and_facets(many: SmallIndex) -> None:
    searcher = many.searcher()
    documents = {document["id"]: document for document in _many(SIZE)}
    answer = searcher.search(
        SearchRequest("word5 price:10..20", sort="-votes", facets=("kind",), limit=50, group=False)
    )
    found = [documents[hit.url] for hit in answer.hits]
    assert all(10 <= document["price"] <= 20 for document in found)
    votes = [document["votes"] for document in found]
    assert votes == sorted(votes, reverse=True)
    expected = [
        document
        for document in documents.values()
        if 10 <= document["price"] <= 20
        and "word5" in f"{document['title']} {document['text']}".split()
    ]
    assert answer.total == len(expected)
    assert sum(answer.facets["kind"].values()) == len(expected)
    only_red = searcher.search(SearchRequest("word5", filters=filters_of({"kind": "red"}), limit=5))
    assert {documents[hit.url]["kind"] for hit in only_red.hits} == {"red"}


@pytest.mark.parametrize("range_", ["price:cheap", "price:a..b", "text:1..5"])
def test_a_range_that_is_none_is_read_as_words(many: SmallIndex, range_: str) -> None:
    answer = many.searcher().search(SearchRequest(f"word5 {range_}"))
    assert answer.total
    assert any("read as plain words" in note for note in answer.notes)


def test_a_filter_holds_its_value_whole(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {"text": "text", "kind": "keyword"})
    index.write({"id": kind, "text": "chair", "kind": kind} for kind in ("oak wood", "oak", "tin"))
    answer = index.searcher().search(
        SearchRequest("chair", filters=filters_of({"kind": "oak wood"}))
    )
    assert _ids(answer) == ["oak wood"]


def test_stop_words_of_the_language_of_ones_own_or_none(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "text": "the moon"}, {"id": "2", "text": "the sun"}])

    def found(**settings: Any) -> list[str]:
        return sorted(_ids(index.searcher(**settings).search(SearchRequest("the moon"))))

    assert found() == ["1"]
    assert found(stop_words=()) == ["1", "2"]
    assert found(stop_words=("sun",)) == ["1", "2"]
    assert found(stop_words=("Moon",)) == ["1", "2"]
    assert found(stop_words=("The",)) == ["1"]


def test_tuning_needs_no_new_index(many: SmallIndex) -> None:
    plain = many.searcher().search(SearchRequest("word3", group=False))
    tuned = many.searcher(b=0.0, k=0.1).search(SearchRequest("word3", group=False))
    per_request = many.searcher().search(SearchRequest("word3", b=0.0, k=0.1, group=False))
    assert _ids(plain) != _ids(tuned)
    assert _ids(tuned) == _ids(per_request)
    weighted = many.searcher(weights={"word599": 100.0}).search(SearchRequest("word3"))
    top = {document["id"]: document for document in _many(SIZE)}[weighted.hits[0].url]
    assert "word599" in f"{top['title']} {top['text']}"


@pytest.mark.parametrize("profile", shipped_names())
def test_a_word_that_is_not_there_is_explained_for_every_k(profile: str, tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "text": "moon"}, {"id": "2", "text": "moon sun"}])
    searcher = index.searcher(profile=profile)
    plain = searcher.search(SearchRequest("moon sun", k=0.0))
    told = searcher.search(SearchRequest("moon sun", k=0.0, explain=True))
    assert [hit.score for hit in told.hits] == pytest.approx([hit.score for hit in plain.hits])
    for hit in told.hits:
        assert "nan" not in str(hit.explain)


def test_what_a_profile_does_not_look_at_is_told(stones: LocalSearcher) -> None:
    asked = SearchRequest("freiburg", boost="3", weighted_words={"city": 2.0})
    assert stones.search(asked).notes == ()
    assert stones.search(replace(asked, profile="juno")).notes == (
        "The profile 'juno' does not use 'boost'.",
        "The profile 'juno' does not use 'weighted_words'.",
    )


def test_as_many_words_as_there_is_room_for(tmp_path: Path) -> None:
    """Words of the query, words with points, synonyms and feedback at once."""
    words = [f"word{number}" for number in range(400)]
    index = SmallIndex(tmp_path)
    index.write({"id": str(n), "text": " ".join([*words, f"own{n}"])} for n in range(20))
    same = tmp_path / "same.txt"
    same.write_text("".join(f"word{n}, other{n} word{n + 1}\n" for n in range(30)))
    searcher = index.searcher(profile="default", synonyms=str(same))
    points = dict.fromkeys(words[-120:], 1.0)
    asked = SearchRequest(" ".join(words), plain=True, weighted_words=points, explain=True)
    answer = searcher.search(asked)
    assert answer.hits[0].explain is not None
    assert answer.hits[0].explain["features"]["weighted_words"]["value"] == 120
    with pytest.raises(UsageError, match="At most 120"):
        searcher.search(replace(asked, weighted_words={**points, "more": 1.0}))


def test_an_edited_profile_acts_at_the_next_query(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "text": "moon"}])
    own = tmp_path / "own.toml"
    searcher = index.searcher(profile=str(own))
    for score in (3.0, 4.0):
        own.write_text(f'score = "{score}"\n')
        os.utime(own, (score, score))
        assert searcher.search(SearchRequest("moon")).hits[0].score == score


def test_a_field_cannot_count_less_than_nothing(stones: LocalSearcher) -> None:
    with pytest.raises(UsageError, match="0 or more"):
        stones.search(SearchRequest("moon", field_weights={"title": -1.0}))


def test_a_word_of_the_query_may_have_points_and_give_feedback(many: SmallIndex) -> None:
    """A term stands for one slot: further reasons to look for it must not hide the query's own."""
    plain = many.searcher(profile="default").search(SearchRequest("word3", explain=True))
    searcher = many.searcher(profile="default", weights={"word3": 2.0})
    weighted = searcher.search(SearchRequest("word3", explain=True))
    assert _ids(weighted) == _ids(plain)
    for one, other in zip(plain.hits, weighted.hits, strict=True):
        assert other.score == pytest.approx(one.score + 2.0)
        assert one.explain is not None
        assert one.explain["features"]["text"]["value"] > 0
        assert one.explain["features"]["feedback"]["value"] > 0


def test_pages_follow_each_other(many: SmallIndex) -> None:
    searcher = many.searcher()
    whole = _ids(searcher.search(SearchRequest("word3", limit=30)))
    pages = [_ids(searcher.search(SearchRequest("word3", page=page))) for page in (1, 2, 3)]
    assert [url for page in pages for url in page] == whole


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=st.text(st.characters(), max_size=60))  # halves of characters, too
def test_any_query_is_answered(stones: LocalSearcher, query: str) -> None:
    answer = stones.search(SearchRequest(query))
    for hit in answer.hits:
        assert all(0 <= mark.start < mark.end <= len(hit.snippet) for mark in hit.marks)


WRITTEN = st.text(st.characters(categories=("Ll", "Lu", "Lo", "Nd")), min_size=2, max_size=12)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(WRITTEN, min_size=1, max_size=8), min_size=1, max_size=5))
def test_every_document_is_found_by_each_of_its_rare_words(documents: list[list[str]]) -> None:
    analyser = Analyser()
    terms = [set(analyser.analyse(" ".join(words), "en").terms) for words in documents]
    with TemporaryDirectory() as folder:
        index = SmallIndex(Path(folder))
        index.write(
            {"id": f"document{number}", "text": " ".join(words)}
            for number, words in enumerate(documents)
        )
        searcher = index.searcher()
        for number, words in enumerate(documents):
            for word in words:
                own = set(analyser.analyse(word, "en").terms)
                # Rubbish is kept out of the index, and a word may be a term of others, too.
                if own and sum(bool(own & others) for others in terms) == 1:
                    answer = searcher.search(SearchRequest(word, plain=True))
                    assert f"document{number}" in _ids(answer), word
        searcher.close()


@pytest.mark.parametrize(
    ("language", "query", "word"),
    [
        ("de", "für Mond", "für"),
        ("fr", "à lune", "à"),
        ("en", "don't moon", "don't"),
        ("en", "the, moon", "the"),
    ],
)
def test_stop_words_are_known_by_whatever_signs(
    tmp_path: Path, language: str, query: str, word: str
) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "title": "Stone", "text": f"{word} stone"}], language)
    assert index.searcher().search(SearchRequest(query)).total == 0


def test_capitals_make_a_name_of_a_stop_word(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "title": "Stone", "text": "It is the stone"}])
    searcher = index.searcher()
    assert searcher.search(SearchRequest("IT jobs")).total == 0
    assert searcher.search(SearchRequest("it jobs")).total == 0
    assert searcher.search(SearchRequest("IT JOBS")).total == 0  # all is shouted


def test_a_range_that_ends_before_it_begins_is_told(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {"text": "text", "price": "number"})
    index.write([{"id": "1", "text": "a lamp", "price": 20}])
    answer = index.searcher().search(SearchRequest("lamp price:50..10"))
    assert answer.total == 0
    assert answer.notes == ("'price:50..10' is empty: it ends before it begins.",)


def test_whole_words_are_corrected_wherever_they_stand(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write({"id": str(n), "text": "the lighthouse of ligthousen"} for n in range(20))
    searcher = index.searcher()

    def meant(query: str) -> str:
        return searcher.search(SearchRequest(query)).did_you_mean

    assert meant("ligthousen ligthouse") == "ligthousen lighthouse"
    assert meant("ligthouse of ligthouse, ligthousen") == "lighthouse of lighthouse, ligthousen"


def test_words_that_were_torn_apart_are_joined(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write(
        [{"id": f"a{n}", "title": "t", "text": f"The lighthouse of port{n}."} for n in range(30)]
        + [{"id": f"b{n}", "title": "t", "text": f"A light in port{n}."} for n in range(12)]
        + [{"id": f"c{n}", "title": "t", "text": f"A house in port{n}."} for n in range(12)]
    )
    searcher = index.searcher()
    assert searcher.search(SearchRequest("light house")).did_you_mean == "lighthouse"
    assert searcher.search(SearchRequest("light of house")).did_you_mean == ""
    assert searcher.search(SearchRequest('"light house"')).did_you_mean == ""
    answer = searcher.search(SearchRequest("lighthousein"))
    assert answer.searched_instead == "lighthouse in"


def test_words_that_others_write_apart_stay_apart(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write(
        [{"id": f"a{n}", "text": f"The lighthouse of port{n}."} for n in range(10)]
        + [{"id": f"b{n}", "text": f"A light in the house of port{n}."} for n in range(40)]
    )
    searcher = index.searcher()
    assert searcher.search(SearchRequest("light house")).did_you_mean == "lighthouse"
    index.write(
        [{"id": f"a{n}", "text": f"The lighthouse of port{n}."} for n in range(10)]
        + [{"id": f"b{n}", "text": f"A light house in port{n}."} for n in range(40)]
    )
    searcher.close()
    assert searcher.search(SearchRequest("light house")).did_you_mean == ""
    searcher.close()


@pytest.mark.parametrize("query", ["universität", "lamps", "email", "wifi", "title:lamps"])
def test_what_is_found_is_not_called_misspelt(tmp_path: Path, query: str) -> None:
    index = SmallIndex(tmp_path)
    texts = ["Die Universitäten", "A lamp and lamps", "An e-mail, a mail", "The wi-fi"]
    index.write(
        {"id": str(number), "title": text, "text": text} for number, text in enumerate(texts)
    )
    searcher = index.searcher()
    answer = searcher.search(SearchRequest(query))
    assert (answer.total, answer.did_you_mean) == (1, "")
    searcher.close()


@pytest.mark.parametrize("profile", ["default", "bm25f", "yioop"])
def test_what_is_late_is_partial(stones: LocalSearcher, profile: str) -> None:
    request = SearchRequest(
        "freiburg university", profile=profile, deadline_seconds=0.0, summary=True
    )
    answer = stones.search(request)
    assert answer.partial == "the time limit was reached"
    assert all(hit.summary == () for hit in answer.hits)
    assert not stones.search(SearchRequest("freiburg university", profile=profile)).partial


def test_limits_of_a_query_are_said(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    words = " ".join(f"lamp{one}{other}" for one in "abcdefgh" for other in "abcdefgh")
    index.write([{"id": "1", "title": "t", "text": words}])
    searcher = index.searcher()
    assert searcher.search(SearchRequest("lampa*")).notes == ()
    assert searcher.search(SearchRequest("lamp*")).notes == (
        "Of the words that begin with 'lamp', only the 40 most common were searched for.",
    )
    many = " ".join(f"word{n}" for n in range(500))
    assert searcher.search(SearchRequest(many, plain=True)).notes == (
        "Only the first 400 words were read.",
        "Only the first 150 different words were used for ranking.",
    )


@pytest.mark.parametrize(
    "points", [{"word300": 50.0}, {"word0": -50.0}, {"word0": -9.0, "word9": 9.0}]
)
@pytest.mark.parametrize("profile", ["bm25f", "scriburg"])
def test_words_with_points_choose_candidates(
    many: SmallIndex, profile: str, points: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    for query in QUERIES[:3]:
        request = SearchRequest(query, profile=profile, weighted_words=points, group=False)
        everything = _scoring_all(many, request)
        with monkeypatch.context() as patch:
            patch.setattr(candidates, "SMALL_INDEX", 0)
            chosen = [hit.score for hit in many.searcher().search(request).hits]
        assert chosen == pytest.approx(everything), query


def test_a_field_that_is_most_of_a_document_is_all_of_it(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "title": "amber", "text": "a stone"}])
    searcher = index.searcher()
    answer = searcher.search(SearchRequest("text:amber text:(stone)"))
    assert answer.total == 1
    assert answer.notes == ("'text' has no index of its own: all text was searched.",)
    assert not searcher.search(SearchRequest("title:amber")).notes
    searcher.close()
