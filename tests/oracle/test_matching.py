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


@pytest.mark.parametrize(("index", "share"), [("one", 1), ("shards", 3), ("updated", 3)])
def test_documents_and_totals(
    engine: Engine,
    documents: list[Document],
    expected: dict[Query, set[str]],
    index: str,
    share: int,
) -> None:
    """All queries are asked of one index, every third also of the others."""

    def fault(query: Query, wanted: set[str] | None = None) -> str:
        if wanted is None:
            wanted = matching(query, documents)
        try:
            answer = engine.search(index, query)
        except Exception as error:
            return f"{query}: {error!r}"
        found = ids_of(answer)
        if set(found) != wanted:
            return difference(query, wanted, set(found), documents)
        if len(found) != len(wanted):
            return f"{query}: documents are shown twice: {sorted(found)}"
        if wanted and (answer.total, answer.is_exact) != (len(wanted), True):
            return f"{query}: the total is {answer.total}, not {len(wanted)}"
        return ""

    def faults() -> Iterator[str]:
        for query, wanted in list(expected.items())[::share]:
            if fault(query, wanted):
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
