"""The table of chunks gives what the analyser gives, whatever it has seen before."""

from collections import Counter
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.index.chunks import ChunkTable
from gossamer.text import Analyser, AnalysisSettings
from gossamer.text.analyser import Reading

_SIGNS = " \n\t\x1c\xa0\u2003.,;:!?'\"()[]<>-_–“”’…$%€#@&+/=*"
_PIECES = [
    *("word", "Word", "WORD", "words", "café", "Café", "straße", "naïve", "données", "don't"),
    *("e-mail", "AT&T", "C++", "3.14", "1,000", "U.S.A.", "YouTube", "camelCase", "the", "dog's"),
    *("https://example.org/a?b=c", "someone@example.org", "東京都", "ภาษาไทย", "한국어", "x" * 60),
    *("\ud800", "\U0001f600", "e\u0301", "ﬁne", "10km", "node.js", "İstanbul", "l'homme", "\x00"),
]
_text = st.lists(
    st.sampled_from([*_PIECES, *_SIGNS]) | st.text(max_size=6) | st.sampled_from(_SIGNS),
    max_size=25,
).map("".join)
_document = st.tuples(_text, _text, st.sampled_from(["en", "fr", "tr", "", "zh-CN"]))


def _check(table: ChunkTable, texts: list[str], language: str) -> None:
    read = table.read(texts, language, [True, False])
    plain = [Analyser().analyse(text, language) for text in texts]
    extras = [extra for analysis in plain for extra in analysis.extras]
    terms = [*(analysis.terms for analysis in plain), extras]
    every = list(table.vocabulary)
    assert [every[number] for number in read.terms] == [one for field in terms for one in field]
    assert read.spans == [len(field) for field in terms]
    assert read.joined == [" ".join(field) for field in terms]
    capitals = b"".join(analysis.capitals for analysis in plain)
    assert read.capitals.tobytes() == capitals + bytes(len(extras))


@settings(deadline=None)
@given(documents=st.lists(_document, min_size=1, max_size=6))
def test_a_table_reads_as_the_analyser_does(documents: list[tuple[str, str, str]]) -> None:
    table = ChunkTable(Analyser())
    words: Counter[str] = Counter()
    for title, body, language in [*documents, *documents]:  # known ones, the second time
        _check(table, [title, body], language)
        words.update(set(Analyser().words(title, language)))
    assert table.take_words() == words
    assert table.take_words() == {}


@settings(deadline=None, max_examples=20)
@given(documents=st.lists(_document, min_size=2, max_size=8))
def test_a_table_that_forgets_when_it_is_full_loses_no_count(
    documents: list[tuple[str, str, str]],
) -> None:
    table = ChunkTable(Analyser(AnalysisSettings(cached_words=2)))
    words: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for title, body, language in documents:
        if table.is_full:
            counts.update(table.take_words())
            table.forget()
        _check(table, [title, body], language)
        words.update(set(Analyser().words(title, language)))
    assert counts + Counter(table.take_words()) == words


def test_a_table_grows_beyond_its_first_room() -> None:
    table = ChunkTable(Analyser())
    texts = [" ".join(f"w{number}" for number in range(20_000)), "w7 w19999"]
    _check(table, texts, "en")
    _check(table, texts, "en")


def test_no_text_has_no_terms() -> None:
    read = ChunkTable(Analyser()).read(["", " ...\n"], "en", [False, False])
    assert read.spans == [0, 0, 0]
    assert read.joined == ["", "", ""]


class _Witness(Analyser):
    """Knows what it was asked for."""

    def __init__(self, settings: AnalysisSettings) -> None:
        super().__init__(settings)
        self.asked: list[str] = []

    def reader(self, language: str) -> Callable[[str], Reading]:
        read = super().reader(language)
        return lambda piece: self.asked.append(piece) or read(piece)  # type: ignore[func-returns-value]


def test_what_comes_again_most_often_is_not_forgotten() -> None:
    witness = _Witness(AnalysisSettings(cached_words=2))
    table = ChunkTable(witness)
    for text in ("one two-three", "two-three four", "four two-three", "five six seven"):
        _check(table, [text, ""], "en")
    assert table.is_full
    table.take_words()
    table.forget()
    assert not table.is_full
    witness.asked.clear()
    _check(table, ["two-three four five", "two-three"], "en")
    assert witness.asked == ["five"]
    assert table.take_words() == {"two": 1, "three": 1, "four": 1, "five": 1}


def test_long_chunks_are_read_every_time_and_many_do_not_fill_the_table() -> None:
    witness = _Witness(AnalysisSettings(cached_words=2))
    table = ChunkTable(witness)
    long = ".".join(["several", "words"] * 20)
    for _ in range(2):
        _check(table, [f"one {long} two {long}", long], "en")
    assert witness.asked == ["one", "two", long, long]
    assert not table.is_full


def test_letters_fill_a_table_too() -> None:
    table = ChunkTable(Analyser(AnalysisSettings(cached_words=2)))
    short = "lopado temacho selacho galeo"
    _check(table, [short, ""], "en")
    assert not table.is_full
    table.forget()
    _check(table, [" ".join(word * 9 for word in short.split()), ""], "en")
    assert table.is_full
    table.forget()
    assert not table.is_full


def test_terms_keep_their_numbers_until_there_are_too_many() -> None:
    table = ChunkTable(Analyser(AnalysisSettings(cached_words=2)))
    table.read(["one two three four"], "en", [True])
    table.end_part()
    assert table.read(["two one"], "en", [True]).terms.tolist() == [1, 0]
    table.read(["five six seven"], "en", [True])
    table.end_part()
    assert list(table.vocabulary) == ["one", "two"]  # which came again
    assert table.read(["five two one"], "en", [True]).terms.tolist() == [2, 1, 0]
