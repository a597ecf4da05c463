"""Indexes of the same generated documents, built in three ways, once for all tests."""

import os
from collections.abc import Iterator

import pytest

from tests.oracle.documents import Document, generated
from tests.oracle.engine import Engine
from tests.oracle.oracle import matching
from tests.oracle.queries import Generator, Group, Query, Word

SEED = int(os.environ.get("GOSSAMER_ORACLE_SEED", "15"))
QUERIES = int(os.environ.get("GOSSAMER_ORACLE_QUERIES", "1000"))
DOCUMENTS = 400
MANY = 12_000


@pytest.fixture(scope="session")
def documents() -> list[Document]:
    return generated(SEED, DOCUMENTS)


@pytest.fixture(scope="session")
def queries() -> list[Query]:
    return Generator(SEED).queries(QUERIES)


@pytest.fixture(scope="session")
def expected(documents: list[Document], queries: list[Query]) -> dict[Query, set[str]]:
    """The matches of every query, found once for all tests."""
    return {query: matching(query, documents) for query in queries}


@pytest.fixture(scope="session")
def engine(documents: list[Document], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """`one` is one index, `shards` is spread over three, `updated` grew by updates."""
    engine = Engine(tmp_path_factory.mktemp("oracle"))
    engine.build("one", documents)
    engine.build("shards", documents, "--shards", "3")
    build_by_updates(engine, documents)
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def many(engine: Engine) -> list[Document]:
    """More documents than are scored in whole: `many` is one index of them, `many-shards` three
    shards."""
    found = generated(SEED + 2, MANY, longest=8)
    engine.build("many", found)
    engine.build("many-shards", found, "--shards", "3")
    return found


@pytest.fixture(scope="session")
def large_queries(queries: list[Query]) -> list[Query]:
    """Words that many documents have, one to three of them, and some of the other queries."""
    texts = ("zonk", "umbra yacht", "vex lagoon", "kiln fjord moth", "topaz urn sphinx")
    roots = (tuple(("", Word(word)) for word in text.split()) for text in texts)
    return [*(Query(Group(root, is_nested=False)) for root in roots), *queries[:: QUERIES // 5]]


def build_by_updates(engine: Engine, documents: list[Document]) -> None:
    """In five steps: documents come, change and go. At the end they are those of the others."""
    former = [
        Document.of({**other.record, "id": document.id})
        for document, other in zip(documents, generated(SEED + 1, len(documents)), strict=True)
    ]
    gone = [Document.of({**one.record, "id": f"gone-{one.id}"}) for one in former[:40]]
    engine.build("updated", [*former[:150], *gone])
    engine.update("updated", [*former[:100], *documents[100:200], *gone[:20]])
    engine.update("updated", [*documents[:50], *former[50:100], *documents[100:300]])
    engine.update("updated", [*documents[:390], *gone[20:]])
    engine.update("updated", documents)
