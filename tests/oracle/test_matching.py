"""Every query finds the documents that the oracle finds, in every kind of index."""

from collections.abc import Iterator

import pytest

from gossamer.text import Analyser
from tests.oracle.documents import (
    COMPOUNDS,
    JOINED,
    PLURALS,
    STOP_WORDS,
    WORDS,
    Document,
    folded,
)
from tests.oracle.engine import Engine, ids_of
from tests.oracle.failures import difference, report
from tests.oracle.oracle import matching
from tests.oracle.queries import Query
from tests.oracle.shrinking import smallest


@pytest.mark.parametrize("index", ["one", "shards", "updated"])
def test_documents_and_totals(
    engine: Engine, documents: list[Document], queries: list[Query], index: str
) -> None:
    def fault(query: Query) -> str:
        expected = matching(query, documents)
        try:
            answer = engine.search(index, query)
        except Exception as error:
            return f"{query}: {error!r}"
        found = ids_of(answer)
        if set(found) != expected:
            return difference(query, expected, set(found), documents)
        if len(found) != len(expected):
            return f"{query}: documents are shown twice: {sorted(found)}"
        if expected and (answer.total, answer.is_exact) != (len(expected), True):
            return f"{query}: the total is {answer.total}, not {len(expected)}"
        return ""

    def faults() -> Iterator[str]:
        for query in queries:
            if fault(query):
                yield fault(smallest(query, lambda smaller: bool(fault(smaller))))

    report(faults())


@pytest.mark.parametrize("language", ["en", "de", "fr", ""])
def test_the_oracle_knows_the_stems(language: str) -> None:
    def terms(text: str, of: str = language) -> list[str]:
        return list(Analyser().analyse(text, of).terms)

    for word in (*WORDS, *JOINED):
        assert terms(word) == [word]
    for compound in COMPOUNDS:
        assert terms(compound) == compound.split("-")
    for plural in PLURALS:
        assert terms(plural, "en") == terms(folded(plural), "en") == [folded(plural)]
    assert not set(STOP_WORDS) & set(WORDS)
