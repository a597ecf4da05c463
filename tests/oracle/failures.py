"""What a failed comparison says: query, documents, what was expected and what was found."""

from collections.abc import Iterable
from itertools import islice

import pytest

from tests.oracle.documents import Document
from tests.oracle.queries import Query

SHOWN = 12
SHOWN_DOCUMENTS = 2


def report(failures: Iterable[str]) -> None:
    """Fail with the first of the failures. (Each is costly, as its query is made smaller.)"""
    shown = list(islice(failures, SHOWN))
    if shown:
        seen = list(dict.fromkeys(shown))
        head = f"{len(shown)} failures{' or more' if len(shown) == SHOWN else ''}:\n\n"
        pytest.fail(head + "\n".join(seen), pytrace=False)


def difference(
    query: Query, expected: set[str], found: set[str], documents: Iterable[Document]
) -> str:
    """The query, how many documents it has, and the shortest of the wrong ones."""
    records = {one.id: one.record for one in documents}
    lines = [f"{query}: expected {len(expected)} documents, found {len(found)}"]
    wrong = sorted(expected ^ found, key=lambda name: len(str(records.get(name))))
    for name in wrong[:SHOWN_DOCUMENTS]:
        fault = "not found" if name in expected else "should not be found"
        lines.append(f"    {fault}: {records.get(name, name)}")
    return "\n".join(lines)
