"""The table of chunks gives what the analyser gives, whatever it has seen before."""

from collections import Counter
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.index.chunks import ChunkTable
from gossamer.index.vocabulary import GrowingVocabulary
from gossamer.text import Analyser, AnalysisSettings

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


class _Counted:
    """What a table has told of words."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, words: Mapping[str, int]) -> None:
        self.counts.update(words)


def _check(table: ChunkTable, names: GrowingVocabulary, texts: list[str], language: str) -> None:
    read = table.read(texts, language, [True, False])
    plain = [Analyser().analyse(text, language) for text in texts]
    extras = [extra for analysis in plain for extra in analysis.extras]
    terms = [*(analysis.terms for analysis in plain), extras]
    every = list(names)
    assert [every[number] for number in read.terms] == [one for field in terms for one in field]
    assert read.spans == [len(field) for field in terms]
    assert read.joined == [" ".join(field) for field in terms]
    capitals = b"".join(analysis.capitals for analysis in plain)
    assert read.capitals.tobytes() == capitals + bytes(len(extras))


@settings(deadline=None)
@given(documents=st.lists(_document, min_size=1, max_size=6))
def test_a_table_reads_as_the_analyser_does(documents: list[tuple[str, str, str]]) -> None:
    names, counted = GrowingVocabulary(), _Counted()
    table = ChunkTable(Analyser(), names, counted.add)
    words: Counter[str] = Counter()
    for title, body, language in [*documents, *documents]:  # known ones, the second time
        _check(table, names, [title, body], language)
        words.update(set(Analyser().words(title, language)))
    table.flush()
    assert counted.counts == words


@settings(deadline=None, max_examples=20)
@given(documents=st.lists(_document, min_size=2, max_size=8))
def test_a_full_table_starts_anew_and_loses_no_count(
    documents: list[tuple[str, str, str]],
) -> None:
    names, counted = GrowingVocabulary(), _Counted()
    table = ChunkTable(Analyser(AnalysisSettings(cached_words=2)), names, counted.add)
    words: Counter[str] = Counter()
    for title, body, language in documents:
        _check(table, names, [title, body], language)
        words.update(set(Analyser().words(title, language)))
    table.flush()
    assert counted.counts == words


def test_a_table_grows_beyond_its_first_room() -> None:
    names = GrowingVocabulary()
    table = ChunkTable(Analyser(), names)
    texts = [" ".join(f"w{number}" for number in range(20_000)), "w7 w19999"]
    _check(table, names, texts, "en")
    _check(table, names, texts, "en")


def test_no_text_has_no_terms() -> None:
    read = ChunkTable(Analyser(), GrowingVocabulary()).read(["", " ...\n"], "en", [False, False])
    assert read.spans == [0, 0, 0]
    assert read.joined == ["", "", ""]
