import threading

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.text.analyser import ANALYSER_VERSION, Analyser, Analysis
from gossamer.text.folding import normalise
from gossamer.text.settings import AnalysisSettings

ANALYSER = Analyser()
PLAIN = Analyser(AnalysisSettings(stemming=False))

LANGUAGES = st.one_of(
    st.sampled_from(["en", "fr", "de", "tr", "it", "ru", "ar", "hi", "zh", "", "en-GB", "xx"]),
    st.text(max_size=6),
)
# Signs that mean something to the rules, in among words and anything else.
SIGNS = ("#", "@", ".", ",", "'", "’", "-", "_", "+", "&", "/", "://", "www.", '"', "(", "%41", "™")
LETTERS = ("a", "U", "s", "l", "1", "12", "000", "’s", "ß", "İ", "ﬁ", "½", "ガ", "ｶﾞ", "ก็", "מ", "ﷺ")
WORDS = ("iPhone", "camelCase", "PCs", "École", "東京", "한국", "हिन्दी", "מִי", "مُحـمد", "Κόσμος")
ODDITIES = (" ", "\n", "\u00ad", "\u200b", "\u0301", "\u0315\u0316", "\ud800", "\0", "\x1c", "\x1f")
PIECES = st.one_of(
    st.sampled_from((*SIGNS, *LETTERS, *WORDS, *ODDITIES)),
    st.text(max_size=4),
    st.text("abcdefghijklmnopqrstuvwxyzABCDEF0123456789", max_size=40),
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join))


def analyse(text: str, language: str = "en") -> Analysis:
    return ANALYSER.analyse(text, language)


@pytest.mark.parametrize(
    ("text", "terms", "extras"),
    [
        ("The houses, (big) and small!", "the houses big and small", ""),
        ("#tag @name", "tag name", "#tag @name"),
        ("#ClimateChange", "climatechange", "climate change #climatechange"),
        ("camelCase XMLHttpRequest", "camel case xml http request", "camelcase xmlhttprequest"),
        ("JavaScript iPhone McDonald", "javascript iphone mcdonald", "java script"),
        ("PCs LaTeX IPv6", "pc latex ipv6", "pcs"),
        ("snake_case __init__ x86_64", "snake case init x86 64", "snakecase x8664"),
        ("e-mail X-ray COVID-19", "e mail x ray covid 19", "email xray covid19"),
        ("state-of-the-art", "state of the art", ""),
        ("C++ C# F# c++17 g++", "c++ c# f# c++ 17 g++", ""),
        ("Notepad++ Disney+", "notepad++ disney", "notepad disney+"),
        (".NET ASP.NET .gitignore", ".net asp net gitignore", "net asp.net .net .gitignore"),
        ("AT&T R&D q&a", "at&t r&d q&a", "att rd qa"),
        ("A/B 24/7 TCP/IP", "a b 24 7 tcp ip", "a/b 24/7"),
        ("U.S.A. U.S. e.g. Ph.D., z.B.", "usa us eg phd zb", "US"),
        ("U.S.-based", "us based", "US"),
        ("George W. Bush and J.K.Rowling", "george w bush and jk rowling", ""),
        ("O'Neil D’Angelo", "oneil dangelo", "neil angelo"),
        ("Freiburg's students' don't he'll 80's", "freiburg students dont he 80s", ""),
        ("rock'n'roll", "rock n roll", "rocknroll"),
        ("3.14 3,14 1776 4K B2B H2O MP3", "3.14 3.14 1776 4k b2b h2o mp3", ""),
        ("1,000 1'000 1.000.000 1,234.50 1.234,50", "1000 1000 1000000 1234.50 1234.50", ""),
        ("1.000", "1.000", "1000"),
        ("v2.0 192.168.100.100 10km", "v2.0 192.168.100.100 10km", "2.0 10 km"),
        ("2024-01-31", "2024 01 31", "20240131"),
        ("978-3-16-148410-0", "978 3 16 148410 0", "9783161484100"),
        ("$5.99 50% -7", "5.99 50 7", ""),
        ("joe@example.org", "joe example org", "joe@example.org"),
        ("node.js end.The", "node js end the", "node.js"),
        (
            "(https://www.Example.org/a-b?x=1#y).",
            "example org a b x 1 y",
            "example.org example.org/a-b",
        ),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth", ""),
        ("ﬁne ＦＵＬＬ Java™ m²", "fine full java m2", ""),
        ("Café naïve Müller Straße Łódź Øre", "cafe naive muller strasse lodz ore", ""),
        ("東京都", "東京 京都", "東 京 都"),
        ("中 ｻｰﾊﾞｰ", "中 サー ーバ バー", ""),
        ("서울에서", "서울 울에 에서", ""),
        ("สวัสดี", "สวั วัส สดี", ""),
        ("3月", "3 月", ""),
        ("हिन्दी में", "हिन्दी में", ""),
        ("مُحَمَّد مـحـمد", "محمد محمد", ""),
        ('צה"ל שָׁלוֹם', "צהל שלום", ""),
        ("Ёлка й ΟΔΥΣΣΕΥΣ οδυσσεύς ٣", "елка й οδυσσευσ οδυσσευσ 3", ""),
        ("- ... ( ) \u200b ™ \ud800", "", ""),
    ],
)
def test_terms(text: str, terms: str, extras: str) -> None:
    found = PLAIN.analyse(text, "en")
    assert found.terms == terms.split()
    assert found.extras == extras.split()
    assert PLAIN.words(text, "en") == [term for term in found.terms if not _is_gram(term)]


def _is_gram(term: str) -> bool:
    return any("\u0e00" <= sign < "\u0e7f" or "\u3040" <= sign < "\ud7a4" for sign in term)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("snake_case", "snake_case"),
        ("snakecase", "snake_case"),
        ("snake case", "snake_case"),
        ("camelcase", "camelCase"),
        ("camel case", "camelCase"),
        ("email", "e-mail"),
        ("youtube", "YouTube"),
        ("climate change", "#ClimateChange"),
        ("javascript", "JavaScript"),
        ("neil", "O'Neil"),
        ("oneil", "O’Neil"),
        ("oreal", "L'Oréal"),
        ("loreal", "L'Oréal"),
        ("at&t", "AT&T"),
        (".net", "ASP.NET"),
        ("usa", "U.S.A."),
        ("U.S.", "US"),
        ("example.org", "https://example.org/"),
        ("京", "東京都"),
        ("pc", "PCs"),
        ("pcs", "PCs"),
        ("2.0", "v2.0"),
        ("1000000", "1,000,000"),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr", "de", ""])
def test_a_query_finds_the_word_however_it_is_written(query: str, text: str, language: str) -> None:
    found = analyse(text, language)
    assert {*analyse(query, language).terms} <= {*found.terms, *found.extras}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Universität universitat UNIVERSITÄT universitäten"),
        ("de", "Müller Mueller Muller"),
        ("de", "Straße Strasse straßen"),
        ("fr", "café cafe cafés"),
        ("fr", "université universite"),
        ("fr", "données donnees"),
        ("es", "año ano"),
        ("es", "canción cancion"),
        ("pt", "informações informacoes"),
        ("pl", "Łódź lodz"),
        ("tr", "ISPARTA ısparta isparta"),
        ("en", "naïve naive"),
        ("ru", "ёлка елка"),
        ("cs", "počet pocet"),
    ],
)
def test_accents_may_be_left_out_of_the_query_or_of_the_text(language: str, words: str) -> None:
    found = [analyse(word, language) for word in words.split()]
    for one in found:
        for other in found:
            assert {*one.terms, *one.extras} & {*other.terms, *other.extras}


def test_words_are_stemmed_in_their_language() -> None:
    assert analyse("the houses were running", "en").terms == ["the", "hous", "were", "run"]
    assert analyse("les maisons", "fr").terms == ["le", "maison"]
    assert analyse("Häuser", "de-CH").terms == ["haus"]
    assert analyse("the houses", "xx").terms == ["the", "houses"]
    assert analyse("the houses", "").terms == ["the", "houses"]
    assert PLAIN.analyse("the houses", "en").terms == ["the", "houses"]


def test_articles_that_are_joined_to_words_are_left_out() -> None:
    assert PLAIN.analyse("l'homme qu’il", "fr") == (["homme", "il"], b"\0\0", [])
    assert PLAIN.analyse("L'Europe", "fr") == (["europe"], b"\1", ["leurope"])
    assert PLAIN.analyse("aujourd'hui", "fr").terms == ["aujourdhui"]
    assert PLAIN.analyse("dell'arte", "it").terms == ["arte"]
    assert PLAIN.analyse("l'homme", "en") == (["lhomme"], b"\0", ["homme"])
    assert PLAIN.analyse("İstanbul'da", "tr").terms == ["istanbul"]


def test_capitals() -> None:
    text = "word Word WORD wOrd I C++ AT&T U.S. 東京 1776 camelCase JavaScript École É"
    found = analyse(text)
    assert len(found.capitals) == len(found.terms)
    assert found.capitals == bytes([0, 1, 2, 2, 1, 1, 2, 2, 0, 0, 0, 1, 2, 1, 1])


def test_stop_words_keep_their_positions() -> None:
    assert analyse("To be or not to be").terms == ["to", "be", "or", "not", "to", "be"]
    assert analyse("The Who").terms == ["the", "who"]


def test_rubbish_has_no_terms() -> None:
    rubbish = (
        "aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQgZGF0YQ== d41d8cd98f00b204e9800998ecf8427e "
        "550e8400-e29b-41d4-a716-446655440000 aGVsbG8gd29ybGQ " + "a" * 100 + " " + "xq7" * 10
    )
    assert analyse(rubbish) == ([], b"", [])
    assert analyse("abc1234def56 Alprazolam").terms == ["abc1234def56", "alprazolam"]


def test_tokens_stand_where_they_were_read() -> None:
    text = "An  (e-mail) from ｻｰﾊﾞｰ,\nzero\u200bwidth Cafe\u0301: ﬁne\u00ad!"
    found = [(token.term, text[token.start : token.end]) for token in ANALYSER.tokens(text, "")]
    assert found == [
        ("an", "An"),
        ("e", "e"),
        ("mail", "mail"),
        ("email", "e-mail"),
        ("from", "from"),
        ("サー", "ｻｰ"),
        ("ーバ", "ｰﾊﾞ"),
        ("バー", "ﾊﾞｰ"),
        ("zerowidth", "zero\u200bwidth"),
        ("cafe", "Cafe\u0301"),
        ("fine", "ﬁne\u00ad"),
    ]


def test_the_place_of_an_extra_tells_what_it_is() -> None:
    places = {token.term: token[1:] for token in ANALYSER.tokens("données", "fr")}
    assert places == {"don": (0, 7, 0), "donne": (0, 7, -1)}
    places = {token.term: token[1:] for token in PLAIN.tokens("#JavaScript", "")}
    assert places["javascript"] == (1, 11, 0)
    assert places["java"] == (1, 5, -1)
    assert places["#javascript"] == (0, 11, -1)


def test_grams_of_another_size() -> None:
    analyser = Analyser(AnalysisSettings(gram_size=3))
    assert analyser.analyse("東京都庁", "ja") == (
        ["東京都", "京都庁"],
        b"\0\0",
        ["東", "京", "都", "庁", "東京", "京都", "都庁"],
    )
    assert Analyser(AnalysisSettings(gram_size=1)).analyse("東京", "ja").terms == ["東", "京"]


def test_any_number_of_language_codes_takes_no_room() -> None:
    analyser = Analyser()
    for code in range(500):
        analyser.analyse("word", f"x{code}")
    assert len(analyser._languages) == 1


def test_caches_do_not_change_the_result() -> None:
    small = Analyser(AnalysisSettings(cached_words=3))
    text = "The quick (brown) fox-hound, jumps 'over' the lazy dog's e-mail. The quick fox."
    for _ in range(3):
        assert small.analyse(text, "en") == analyse(text, "en")


def test_threads_share_an_analyser() -> None:
    small = Analyser(AnalysisSettings(cached_words=50))
    texts = [" ".join(f"houses{n * k} running{k}" for k in range(40)) for n in range(8)]
    expected = [Analyser().analyse(text, "en") for text in texts]
    wrong: list[Analysis] = []

    def work(number: int) -> None:
        found = (small.analyse(texts[number], "en") for _ in range(30))
        wrong.extend(analysis for analysis in found if analysis != expected[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    "unit",
    [
        *("a", "1", "_", "-", ".", "'", "l'", "a_", "1.", "1,", "www.", "a@", "\u0315\u0316", "中"),
        *("aB", "A&", "a+", "http://", "%41", 'א"', "(", "\u200b", "é", "a\u0301", "12,345,", "ﬁ"),
    ],
)
def test_endless_texts_without_spaces_take_no_endless_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    for language in ("en", "fr"):
        found = ANALYSER.analyse(text, language)
        assert [token.term for token in ANALYSER.tokens(text, language) if token.position >= 0] == (
            found.terms
        )


def test_a_version_is_given() -> None:
    assert ANALYSER_VERSION == 2


@given(TEXTS, LANGUAGES)
@example("12.345.A", "en")
@example("l'", "fr")
@example("a'", "tr")
@example("www.", "en")
@example("www.a\ud800\x01", "en")
def test_any_text_gives_terms_that_can_be_stored(text: str, language: str) -> None:
    found = analyse(text, language)
    assert len(found.capitals) == len(found.terms)
    assert set(found.capitals) <= {0, 1, 2}
    for term in found.terms + found.extras + ANALYSER.words(text, language):
        assert term
        assert term.split() == [term]
        term.encode()


@given(TEXTS, LANGUAGES)
def test_tokens_are_the_terms(text: str, language: str) -> None:
    found = analyse(text, language)
    tokens = ANALYSER.tokens(text, language)
    main = [token for token in tokens if token.position >= 0]
    assert [token.term for token in main] == found.terms
    assert [token.position for token in main] == list(range(len(main)))
    assert [token.term for token in tokens if token.position < 0] == found.extras
    for token in tokens:
        assert 0 <= token.start < token.end <= len(text)
        assert not any(map(str.isspace, text[token.start : token.end]))


@given(st.lists(PIECES, max_size=4).map("".join), LANGUAGES)
def test_the_short_ways_give_what_the_long_way_gives(text: str, language: str) -> None:
    """The terms of words that need no splitting are found without the rules for it."""
    known = ANALYSER._language(language)
    for chunk in text.split():
        core = chunk.strip("\"'.,;:!?)]}>*([{<_-")
        found = ANALYSER.analyse(core, language)
        long = known._places_in(normalise(core)) if core else []
        if core.isalnum():
            assert [place.term for place in long if place.capitals < 3] == found.terms
            assert bytes(place.capitals for place in long if place.capitals < 3) == found.capitals
            assert [place.term for place in long if place.capitals == 3] == found.extras


@given(st.text("abcdefghijklmnopqrstuvwxyzäéñßøłčşığ", min_size=1, max_size=12), LANGUAGES)
def test_a_simple_word_is_found_by_itself_in_any_case(word: str, language: str) -> None:
    found = analyse(f"({word.capitalize()}),", language)
    for query in (word, word.capitalize()):
        asked = analyse(query, language)
        assert {*asked.terms, *asked.extras} & {*found.terms, *found.extras}
        assert len(asked.terms) == 1
