import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gossamer.text.folding import fold, normalise, places


def test_accents_go_and_letters_stay() -> None:
    assert fold("straße") == "strasse"
    assert fold("smørrebrød łódź ærø þór") == "smorrebrod lodz aero thor"
    assert fold("ёлка їжак йод") == "елка їжак йод"
    assert fold("हिन्दी") == "हिन्दी"
    assert fold("が") == "が"
    assert fold("한국") == "한국"
    assert fold("أحمد كتاب کتاب") == "احمد كتاب كتاب"
    assert fold("१२٣") == "123"


def test_forms_that_read_the_same_become_one() -> None:
    assert normalise("ﬁ ＡＢ１ ｶﾞ") == "fi AB1 ガ"
    assert normalise("O’Neil e‑mail") == "O'Neil e-mail"
    assert normalise("soft\u00adhyphen \ufeffx") == "softhyphen x"
    assert normalise("Java™") == "Java "


def test_a_heap_of_marks_is_made_smaller() -> None:
    assert len(normalise("a" + "\u0315\u0316" * 100_000)) == 31


def test_places_lead_back() -> None:
    assert places("plain", "plain") is None
    assert places("a\u200bb", "ab") == [0, 2, 3]
    assert places("xﬁy", "xfiy") == [0, 1, 1, 2, 3]
    assert places("e\u0301a", "éa") == [0, 2, 3]


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    folded = fold(unicodedata.normalize("NFKC", text.lower()))
    assert fold(folded) == folded


@given(st.text())
def test_there_is_a_place_for_every_character(text: str) -> None:
    normalised = normalise(text)
    found = places(text, normalised)
    if found is not None:
        assert len(found) == len(normalised) + 1
        assert found == sorted(found)
        assert found[-1] == len(text)
