import pytest

from gossamer.text.stemming import STEMMED_LANGUAGES, make_lower, make_stemmer, primary_language


def test_the_languages_of_snowball() -> None:
    assert {"ar", "da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro"} <= (
        STEMMED_LANGUAGES
    )
    assert {"ru", "sv", "tr", "nb", "nn"} <= STEMMED_LANGUAGES


@pytest.mark.parametrize("language", sorted(STEMMED_LANGUAGES))
def test_every_stemmer_makes_terms(language: str) -> None:
    terms = make_stemmer(language)
    for word in ("a", "s", "word", "été", "слово", "كلمة", "शब्द", "σοφός", "x" * 64):
        assert terms(word)[0]


def test_accents_go_after_the_ending() -> None:
    terms = make_stemmer("fr")
    assert terms("université") == ("univers", "universit")
    assert terms("universite") == ("universit", "")
    assert terms("maison") == ("maison", "")


def test_a_stem_is_folded_even_if_its_word_has_no_accents() -> None:
    terms = make_stemmer("tr")
    assert terms("ilac") == ("ilac", "")
    assert terms("ilaç") == ("ilac", "")


def test_turkish_has_an_i_without_a_dot() -> None:
    assert make_lower("tr")("ISPARTA İZMİR") == "ısparta izmir"
    assert make_lower("en")("ISPARTA") == "isparta"


@pytest.mark.parametrize(
    ("code", "language"),
    [("en", "en"), ("en-GB", "en"), ("PT_br", "pt"), ("", ""), ("eng", ""), ("1", ""), ("é-", "")],
)
def test_codes(code: str, language: str) -> None:
    assert primary_language(code) == language
