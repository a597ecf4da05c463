"""The command line, the API and Python give the same answer."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from gossamer.search.contract import Answer
from tests.oracle.engine import PATIENCE_SECONDS, Engine, by_command, by_http, ids_of
from tests.oracle.failures import report
from tests.oracle.queries import Query
from tests.server.sites import ServedSite

COUNT = 25
NAMES = ("kind", "year")


@pytest.fixture(scope="module")
def site(engine: Engine) -> Iterator[ServedSite]:
    with ServedSite(engine.home, "--search-seconds", f"{PATIENCE_SECONDS}") as site:
        yield site


def essence(answer: dict[str, Any]) -> dict[str, Any]:
    """What has to be the same; the time that it took is not."""
    hits = [[hit["id"], hit["score"], hit["snippet"]] for hit in answer["hits"]]
    names = ("total", "is_exact", "facets", "did_you_mean", "searched_instead", "notes", "partial")
    return {"hits": hits, **{name: answer[name] for name in names}}


def plain(answer: Answer) -> dict[str, Any]:
    return essence(msgspec.json.decode(msgspec.json.encode(answer)))


@pytest.mark.parametrize(("index", "sort"), [("one", ""), ("one", "-price"), ("shards", "")])
def test_answers_are_the_same(
    engine: Engine, site: ServedSite, queries: list[Query], index: str, sort: str
) -> None:
    sorts = [sort] if sort else []
    options = [option for name in NAMES for option in ("--facet", name)]
    options += ["--sort", sort] if sort else []

    def faults() -> Iterator[str]:
        for query in queries[:COUNT]:
            answer = engine.search(index, query, limit=10, group=True, sort=sort, facets=NAMES)
            found = plain(answer)
            by_path = {"API": by_http(site, index, query, facet=NAMES, sort=sorts)}
            if index == "one":  # with shards, each command would start their processes
                by_path["command line"] = by_command(engine.home, index, query, *options)
            for path, other in by_path.items():
                for name, value in essence(other).items():
                    if value != found[name]:
                        shown = f"{value!s:.250}, in Python {found[name]!s:.250}"
                        yield f"{query}: {path}: {name} is {shown}"

    report(faults())


@pytest.mark.usefixtures("many")
def test_the_api_pages_to_the_end(engine: Engine, site: ServedSite) -> None:
    for page, limit in ((1_000, 10), (101, 10), (1_429, 7), (10, 1_000)):
        asked = {"q": "*", "index": "many", "group": "false", "page": page, "limit": limit}
        answer = site.get("/api/v1/search", params=asked).json()["answer"]
        hits = [hit["id"] for hit in answer["hits"]]
        assert len(hits) == min(limit, answer["deepest"] - (page - 1) * limit)
        assert hits == ids_of(engine.ask("many", "*", page=page, limit=limit))
        assert answer["last_page"] == -(-answer["deepest"] // limit)
    refused = site.get("/api/v1/search", params={"q": "*", "index": "many", "page": 1_001})
    assert refused.status_code == 400
    assert "Only the best 10,000 hits" in refused.text
