"""A crawl over HTTP/2: what the server's log says of it, and that nothing is lost by it."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.crawling import assert_adds_up, crawl_here, stored_rows
from tests.web import LocalWeb, LogEntry, TreeShape

LATENCY_SECONDS = 0.1
TREE = TreeShape(depth=3, fanout=5, hosts=2, latency_seconds=LATENCY_SECONDS, words=30)


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalWeb]:
    with LocalWeb(tree=TREE, tls=True) as running:
        yield running


@pytest.fixture
def web(shared: LocalWeb) -> LocalWeb:
    shared.refresh()
    return shared


def test_requests_of_a_host_share_its_connection(tmp_path: Path, web: LocalWeb) -> None:
    urls = TREE.urls(web.tls_port, "https")
    report = crawl_here(
        tmp_path,
        web,
        seeds=(urls[0],),
        verify_tls=False,
        fetchers=1,
        connections_per_host=8,
    )
    assert_adds_up(report.statistics)
    rows = stored_rows(tmp_path)
    assert sorted(row["url"] for row in rows) == sorted(urls)
    assert {row["outcome"] for row in rows} == {"ok"}
    log = web.log()
    assert {entry.protocol for entry in log} == {"HTTP/2"}
    connections: defaultdict[int, list[LogEntry]] = defaultdict(list)
    for entry in log:
        connections[entry.connection].append(entry)
    assert len(connections) == TREE.hosts
    for entries in connections.values():
        # Asked for while the answer to the one before was still to come.
        gaps = [later.time - earlier.time for earlier, later in pairwise(entries)]
        assert sum(gap < LATENCY_SECONDS / 2 for gap in gaps) > len(gaps) / 2, gaps


def test_one_connection_asks_for_one_page_at_a_time(tmp_path: Path, web: LocalWeb) -> None:
    """As many streams as the user allows connections, however many the server does."""
    host = TREE.names[0]
    seeds = tuple(url for url in TREE.urls(web.tls_port, "https") if host in url)[:6]
    crawl_here(tmp_path, web, seeds=seeds, name="tree", verify_tls=False, max_depth=0)
    log = web.log()
    assert len(log) == len(seeds) + 1
    gaps = [later.time - earlier.time for earlier, later in pairwise(log[1:])]
    assert min(gaps) >= LATENCY_SECONDS * 0.9, gaps


def test_a_page_that_wants_the_older_version(tmp_path: Path, web: LocalWeb) -> None:
    url = web.url("hang.test", "/drip-fast", scheme="https")
    crawl_here(tmp_path, web, seeds=(url,), name="older", verify_tls=False, max_depth=0, fetchers=1)
    (row,) = stored_rows(tmp_path)
    assert row["outcome"] == "ok"
    asked = [entry.protocol for entry in web.log() if entry.path == "/drip-fast"]
    assert asked == ["HTTP/2", "HTTP/1.1"]
