"""Passages of many languages, a few hundred characters each: nearly all are recognised."""

import json
from collections import Counter
from pathlib import Path

import pytest

from gossamer.extract.common_words import proves, speaks_for_kin
from gossamer.extract.language import detect, detect_with_hint

PASSAGES = Path(__file__).with_name("languages.jsonl")
LEAST_CHARACTERS = 200
LEAST_LANGUAGES = 50
LEAST_PASSAGES = 4
LEAST_SHARE = 0.99


def passages() -> list[tuple[str, str]]:
    """(language, text)"""
    rows = [json.loads(line) for line in PASSAGES.read_text(encoding="utf-8").splitlines()]
    return [(row["language"], row["text"]) for row in rows]


def test_there_are_enough_to_tell() -> None:
    counts = Counter(language for language, _ in passages())
    assert len(counts) >= LEAST_LANGUAGES
    assert min(counts.values()) >= LEAST_PASSAGES
    assert all(len(text) >= LEAST_CHARACTERS for _, text in passages())
    assert len({text for _, text in passages()}) == sum(counts.values())


@pytest.mark.parametrize("declared", ["", "en"])
def test_nearly_all_are_recognised(declared: str) -> None:
    """Whatever the page claims: many a template says English and holds something else."""
    wrong = Counter(
        (language, found)
        for language, text in passages()
        if (found := detect_with_hint(text, declared)) != language
    )
    assert wrong.total() <= (1 - LEAST_SHARE) * len(passages()), wrong


def test_half_a_passage_is_enough_for_most() -> None:
    wrong = Counter(
        (language, found)
        for language, text in passages()
        if (found := detect(text[: len(text) // 2])) != language
    )
    assert wrong.total() <= 0.05 * len(passages()), wrong


@pytest.mark.parametrize(
    ("text", "language", "kin"),
    [
        ("keď som bol malý, boli sme aj pri potoku alebo pod lesom", "sk", "cs"),
        ("když jsem byl malý, byli jsme také u potoka nebo pod lesem", "cs", "sk"),
        ("kerana dia boleh datang apabila mahu, bukan sahaja semasa hujan", "ms", "id"),
        ("karena dia bisa datang ketika mau, bukan saja saat hujan", "id", "ms"),
        ("hulle moet nie vir ons wag nie, want hy gaan baie laat wees", "af", "nl"),
        ("prije dvije godine djeca su uvijek bila ovdje, gdje je rijeka", "hr", "sr"),
        ("pre dve godine deca su uvek bila ovde, gde je reka", "sr", "hr"),
        ("eg veit ikkje kva dei har gjort, men det vart noko anna", "nn", "no"),
        ("cando chegou a xente xa non había máis ca unha porta aberta", "gl", "pt"),
    ],
)
def test_common_words_tell_kin_apart(text: str, language: str, kin: str) -> None:
    assert speaks_for_kin(text, kin)
    assert not speaks_for_kin(text, language)


def test_a_language_without_kin_is_not_doubted() -> None:
    assert not speaks_for_kin("the and of to in is that for it", "ja")


def test_no_passage_is_proof_of_another_language() -> None:
    claims = {language for language, _ in passages()}
    proved = Counter(
        (language, claim)
        for language, text in passages()
        for claim in claims
        if proves(text, claim)
    )
    assert [pair for pair in proved if len(set(pair)) > 1] == []
    assert len(proved) > len(claims) / 3


def test_a_few_borrowed_words_prove_nothing() -> None:
    assert not proves("the title of this song is 'the end', sagte er, und that's it", "de")
    assert not proves("Der Film 'The Man Who Knew Too Much' lief im Kino", "en")
