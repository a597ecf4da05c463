"""The command line, the API and Python give the same answer."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from gossamer.search.contract import Answer
from tests.oracle.engine import PATIENCE_SECONDS, Engine, by_command, by_http
from tests.oracle.failures import report
from tests.oracle.queries import Query
from tests.server.sites import ServedSite

COUNTS = {"one": 25, "shards": 3}  # each command starts the processes of its shards
NAMES = ("kind", "year")


@pytest.fixture(scope="module")
def site(engine: Engine) -> Iterator[ServedSite]:
    with ServedSite(engine.home, "--search-seconds", f"{PATIENCE_SECONDS}") as site:
        yield site


def essence(answer: dict[str, Any]) -> dict[str, Any]:
    """What has to be the same; the time that it took is not."""
    hits = [(hit["id"], hit["score"], hit["snippet"]) for hit in answer["hits"]]
    names = ("total", "is_exact", "facets", "did_you_mean", "searched_instead", "notes", "partial")
    return {"hits": hits, **{name: answer[name] for name in names}}


def plain(answer: Answer) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(answer)
    return essence({**built, "notes": list(answer.notes)})


@pytest.mark.parametrize("index", ["one", "shards"])
@pytest.mark.parametrize("sort", ["", "-price"])
def test_answers_are_the_same(
    engine: Engine, site: ServedSite, queries: list[Query], index: str, sort: str
) -> None:
    def faults() -> Iterator[str]:
        for query in queries[: COUNTS[index]]:
            found = plain(
                engine.search(index, query, limit=10, group=True, sort=sort, facets=NAMES)
            )
            facets = [option for name in NAMES for option in ("--facet", name)]
            sorting = ["--sort", sort] if sort else []
            command = by_command(engine.home, index, query, *facets, *sorting)
            http = by_http(site, index, query, facet=NAMES, sort=[sort] if sort else [])
            for path, answer in (("command line", essence(command)), ("API", essence(http))):
                for name, value in found.items():
                    if msgspec.to_builtins(value) != msgspec.to_builtins(answer[name]):
                        yield f"{query}: {path}: {name} is {answer[name]!s:.250}, in Python {value!s:.250}"

    report(faults())
