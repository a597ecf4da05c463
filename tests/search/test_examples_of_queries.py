"""What queries mean, each point by the smallest documents that tell right from wrong."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.oracle.engine import Engine, ids_of

TEXTS = {"title": "text", "text": "text", "kind": "keyword", "lang": "keyword"}


def indexed(engine: Engine, texts: Mapping[str, str], **settings: Any) -> None:
    """An index of English documents: their texts by their ids."""
    records = [{"id": name, "text": text, "language": "en"} for name, text in texts.items()]
    engine.build("texts", records, fields=TEXTS, **settings)


def found(engine: Engine, text: str, **options: Any) -> set[str]:
    return set(ids_of(engine.ask("texts", text, **options)))


# What is required


@pytest.fixture
def yachts(engine: Engine) -> Engine:
    indexed(
        engine,
        {
            "u": "umbra",
            "uy": "umbra yacht",
            "uyv": "umbra yacht vex",
            "y": "yacht",
            "yv": "yacht vex",
            "zck": "zonk comet karma",
            "ck": "comet karma",
            "c": "comet",
        },
    )
    return engine


def test_plain_words_beside_a_required_one_are_optional(yachts: Engine) -> None:
    umbra = {"u", "uy", "uyv"}
    assert found(yachts, "+umbra yacht") == umbra
    assert found(yachts, "+umbra yacht vex") == umbra
    assert found(yachts, "umbra AND yacht vex") == {"uy", "uyv"}
    assert found(yachts, "yacht vex") == {"uy", "uyv", "y", "yv"}


def test_a_required_word_in_brackets_is_required(yachts: Engine) -> None:
    assert found(yachts, "(+zonk) comet karma") == {"zck"}
    assert found(yachts, "((+zonk)) comet") == {"zck"}
    assert found(yachts, "(+umbra vex) yacht") == {"u", "uy", "uyv"}


def test_phrases_and_conditions_in_brackets_are_required(yachts: Engine) -> None:
    assert found(yachts, '("umbra yacht") vex') == {"uy", "uyv"}
    assert found(yachts, '(vex ("umbra yacht")) comet') == {"uy", "uyv"}
    assert found(yachts, "(lang:en) zonk") == {"zck"}
    assert found(yachts, "(lang:de zonk) comet") == set()


def test_what_is_in_brackets_is_excluded_as_it_would_be_found(yachts: Engine) -> None:
    assert found(yachts, "yacht -(+umbra +vex)") == {"uy", "y", "yv"}
    assert found(yachts, "yacht -(umbra vex)") == {"y"}
    assert found(yachts, "comet -(karma lang:en)") == {"c"}
    assert found(yachts, 'yacht -("umbra yacht" vex)') == {"y", "yv"}


# What is excluded


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("-yacht", {"u", "zck", "ck", "c"}),
        ("* -yacht", {"u", "zck", "ck", "c"}),
        ('-"umbra yacht" -comet', {"u", "y", "yv"}),
        ("(-yacht) -comet", {"u"}),
        ("-yacht lang:en", {"u", "zck", "ck", "c"}),
        ("-yacht -lang:en", set()),
        ("umbra (-yacht)", {"u"}),
        ("zonk OR (-yacht)", {"u", "zck", "ck", "c"}),
        ("yacht -(-umbra)", {"uy", "uyv"}),
        ("umbra NOT yacht", {"u"}),
        ("umbra AND NOT yacht", {"u"}),
        ("NOT (yacht comet)", {"u"}),
        ("+umbra OR vex", {"u", "uy", "uyv"}),
        ("vex OR +umbra", {"u", "uy", "uyv"}),
        ("-*", {"u", "uy", "uyv", "y", "yv", "zck", "ck", "c"}),
        ("-", set()),
    ],
)
def test_exclusions(yachts: Engine, query: str, expected: set[str]) -> None:
    assert found(yachts, query) == expected
    expected = expected if query != "-yacht -lang:en" else set()
    assert found(yachts, query, filters={"lang": "en"}) == expected
    assert found(yachts, query, filters={"lang": "de"}) == set()


def test_excluded_words_are_not_corrected(engine: Engine) -> None:
    indexed(engine, {f"{n}": f"lighthouse keeper {n}" for n in range(30)} | {"x": "lamp"})
    assert engine.ask("texts", "lighthose").searched_instead == "lighthouse"
    for query in ("-lighthose", "lamp -lighthose", "lamp NOT lighthose"):
        answer = engine.ask("texts", query)
        assert not answer.did_you_mean
        assert not answer.searched_instead
    for query, meant in (
        ("lamp lighthose -keepr", "lamp lighthouse -keepr"),
        ("keepr -keepr lamp NOT keepr", "keeper -keepr lamp NOT keepr"),
    ):
        assert engine.ask("texts", query).did_you_mean == meant


# Proximity


def test_words_near_each_other(engine: Engine) -> None:
    records = [
        {"id": "next", "title": "x", "text": "one alpha beta"},
        {"id": "apart", "title": "x", "text": "alpha one two three beta"},
        {"id": "far", "title": "x", "text": "alpha one two three four beta"},
        {"id": "turned", "title": "x", "text": "beta alpha"},
        {"id": "fields", "title": "x alpha", "text": "beta x"},
        {"id": "three", "title": "x", "text": "alpha one gamma two beta"},
    ]
    engine.build("texts", records, fields=TEXTS, language="en")
    assert found(engine, '"alpha beta"') == {"next"}
    assert found(engine, '"alpha beta"~2') == {"next"}
    assert found(engine, '"alpha beta"~3') == {"next", "apart", "three"}
    assert found(engine, '"alpha beta"~100') == {"next", "apart", "three", "far"}
    assert found(engine, '"beta alpha"~3') == {"turned"}
    assert found(engine, '"alpha gamma beta"~1') == set()
    assert found(engine, '"alpha gamma beta"~2') == {"three"}


# Compound words

COMPOUNDS = {
    "joined": "A state-of-the-art camp",
    "apart": "The state of the art today",
    "parts": "The art of a state",
    "none": "The end of the road",
    "box": "An out-of-the-box tent",
    "tent": "The tent and the box",
}


@pytest.mark.parametrize("shards", ["1", "3"])
def test_compounds_match_their_parts_next_to_each_other(engine: Engine, shards: str) -> None:
    records = [{"id": name, "text": text} for name, text in COMPOUNDS.items()]
    engine.build("texts", records, "--shards", shards, fields=TEXTS, language="en")
    assert found(engine, "state-of-the-art") == {"joined", "apart"}
    assert found(engine, "+state-of-the-art") == {"joined", "apart"}
    assert found(engine, '"state of the art"') == {"joined", "apart"}
    assert found(engine, "out-of-the-box tent") == {"box", "tent"}
    assert found(engine, "out-of-the-box tent", all_words=True) == {"box"}
    assert found(engine, "camp -state-of-the-art") == set()


# Capitals, synonyms


def test_a_stop_word_in_capitals_counts_where_it_is_in_capitals(engine: Engine) -> None:
    texts = {
        "it": "It is raining, and it rains on",
        "IT": "The IT department",
        "jobs": "Jobs for people",
        "both": "IT jobs here",
    }
    indexed(engine, texts)
    assert found(engine, "IT jobs") == {"IT", "jobs", "both"}
    assert found(engine, "it jobs") == {"jobs", "both"}
    assert found(engine, "+IT jobs") == {"IT", "both"}


def test_synonyms_of_all_forms_of_a_word(engine: Engine) -> None:
    engine.home.joinpath("synonyms.txt").write_text("car, automobile\ncity => town\n")
    texts = {
        "one": "A car stops",
        "many": "Two cars stop",
        "other": "An automobile stops",
        "others": "Automobiles stop",
        "town": "Some towns",
    }
    indexed(engine, texts, synonyms=str(engine.home / "synonyms.txt"))
    cars = {"one", "many", "other", "others"}
    for query in ("car", "cars", "automobile", "automobiles", "Cars"):
        assert found(engine, query) == cars, query
    for query in ("city", "cities"):
        assert found(engine, query) == {"town"}, query
    assert found(engine, "towns") == {"town"}


# Stems of other languages


def test_a_stem_of_another_language_that_is_a_stop_word_finds_nothing(engine: Engine) -> None:
    french = [
        {"id": f"fr{n}", "text": f"Le chat dort dans le jardin {n}", "language": "fr"}
        for n in range(5)
    ]
    german = [
        {"id": "leer", "text": "Das Glas ist leer", "language": "de"},
        {"id": "voll", "text": "Das Glas ist voll", "language": "de"},
    ]
    english = [{"id": f"en{n}", "text": f"A cat sleeps {n}", "language": "en"} for n in range(9)]
    engine.build("texts", [*french, *german, *english], fields=TEXTS)
    for query in ("leer", "+leer", '"leer"', "leere"):
        assert found(engine, query) == {"leer"}, query


def test_a_stem_counts_where_the_typed_word_occurs_in_its_language(engine: Engine) -> None:
    records = [
        {"id": "en", "text": "The morning news", "language": "en"},
        {"id": "fr", "text": "Un new deal pour Paris", "language": "fr"},
        {"id": "fr2", "text": "Les chanteuses de Paris", "language": "fr"},
    ]
    english = [{"id": f"en{n}", "text": f"A cat sleeps {n}", "language": "en"} for n in range(9)]
    engine.build("texts", [*records, *english], fields=TEXTS)
    assert found(engine, "news") == {"en"}
    assert found(engine, "chanteuses") == {"fr2"}
