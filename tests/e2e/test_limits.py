"""Limits hold exactly with many workers, and a raised one goes on with the finished run."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Report
from tests.crawling import (
    Crawl,
    assert_adds_up,
    crawl_here,
    fetched,
    stored_rows,
    stored_urls,
    tree_options,
)
from tests.web import LocalWeb, TreeShape

TREE = TreeShape(depth=4, fanout=5, hosts=4, words=30)
servers = pytest.mark.parametrize("queue_servers", [1, 3])


@pytest.fixture(scope="module")
def tree() -> Iterator[LocalWeb]:
    with LocalWeb(tree=TREE) as running:
        yield running


@pytest.fixture
def web(tree: LocalWeb) -> LocalWeb:
    tree.refresh()
    return tree


def crawl_tree(home: Path, web: LocalWeb, **settings: Any) -> Report:
    """Three fetchers that meet on every host."""
    many = {"fetchers": 3, "connections_per_host": 4, "schedule_urls": 20}
    return crawl_here(home, web, seeds=(web.tree_urls()[0],), **many, **settings)


def assert_each_once(home: Path, web: LocalWeb, count: int) -> None:
    stored = stored_urls(home)
    assert stored.total() == len(stored) == count
    assert fetched(web) == stored


@servers
def test_pages_in_processes(tmp_path: Path, web: LocalWeb, queue_servers: int) -> None:
    many = ("--fetchers", "3", "--connections-per-host", "4", "--schedule-urls", "20")
    options = tree_options(web, *many, "--queue-servers", str(queue_servers))
    limits = (150, 333)
    for limit in limits:
        report = Crawl(tmp_path, *options, "--max-pages", str(limit)).report()
        assert report["state"] == "finished"
        assert f"limit of {limit} pages" in report["reason"]
        assert report["statistics"]["pages"] == limit
        assert_adds_up(report["statistics"])
        assert_each_once(tmp_path, web, limit)


@servers
@pytest.mark.parametrize("limit", [1, 77])
def test_pages(tmp_path: Path, web: LocalWeb, queue_servers: int, limit: int) -> None:
    report = crawl_tree(tmp_path, web, queue_servers=queue_servers, max_pages=limit)
    assert report.statistics["pages"] == limit
    assert_adds_up(report.statistics)
    assert_each_once(tmp_path, web, limit)


@servers
def test_documents(tmp_path: Path, web: LocalWeb, queue_servers: int) -> None:
    for limit in (50, 120):
        report = crawl_tree(tmp_path, web, queue_servers=queue_servers, max_documents=limit)
        assert report.statistics["documents"] == limit
        assert f"limit of {limit} documents" in report.reason
        assert_each_once(tmp_path, web, limit)


@servers
def test_both_limits_at_once(tmp_path: Path, web: LocalWeb, queue_servers: int) -> None:
    report = crawl_tree(tmp_path, web, queue_servers=queue_servers, max_documents=90, max_pages=60)
    assert report.statistics["pages"] == report.statistics["documents"] == 60


@servers
def test_depth(tmp_path: Path, web: LocalWeb, queue_servers: int) -> None:
    report = crawl_tree(tmp_path, web, queue_servers=queue_servers, max_depth=2)
    assert stored_urls(tmp_path) == Counter(web.tree_urls()[:31])
    assert report.statistics["excluded.depth"] == 125
    assert_adds_up(report.statistics)
    report = crawl_tree(tmp_path, web, queue_servers=queue_servers, max_depth=3)
    assert stored_urls(tmp_path) == fetched(web) == Counter(web.tree_urls()[:156])
    assert report.statistics["excluded.depth"] == 625
    assert_adds_up(report.statistics)
    report = crawl_tree(tmp_path, web, queue_servers=queue_servers)
    assert stored_urls(tmp_path) == fetched(web) == Counter(web.tree_urls())
    assert report.statistics["excluded.depth"] == 0
    assert_adds_up(report.statistics)


def test_seeds_alone(tmp_path: Path, web: LocalWeb) -> None:
    crawl_tree(tmp_path, web, max_depth=0)
    assert stored_urls(tmp_path) == Counter(web.tree_urls()[:1])


@servers
def test_bytes_per_host(tmp_path: Path, web: LocalWeb, queue_servers: int) -> None:
    limits = (20_000, 60_000)
    for limit in limits:
        report = crawl_tree(tmp_path, web, queue_servers=queue_servers, max_bytes_per_host=limit)
        assert report.state == "finished"
        assert_adds_up(report.statistics)
        taken: defaultdict[str, int] = defaultdict(int)
        for row in stored_rows(tmp_path):
            taken[row["host"]] += row["wire_bytes"]
        # Up to the last page that still fits, or would have.
        assert max(taken.values()) <= limit
        assert min(taken.values()) > limit - 4_000
        assert report.statistics["excluded.host_bytes"] > 0
    assert set(stored_urls(tmp_path).values()) == {1}


def test_bytes_per_host_without_end(tmp_path: Path, web: LocalWeb) -> None:
    crawl_tree(tmp_path, web, max_bytes_per_host=20_000)
    report = crawl_tree(tmp_path, web)
    assert stored_urls(tmp_path) == Counter(web.tree_urls())
    assert_adds_up(report.statistics)


@servers
def test_seconds(tmp_path: Path, queue_servers: int) -> None:
    with LocalWeb(tree=TreeShape(depth=4, fanout=5, hosts=4, latency_seconds=0.05)) as slow:
        reports = []
        for limit in (1, 2):
            report = crawl_tree(tmp_path, slow, queue_servers=queue_servers, max_seconds=limit)
            assert f"limit of {limit} seconds" in report.reason
            assert limit <= report.elapsed_seconds < limit + 1
            assert_adds_up(report.statistics, at_rest=False)
            reports.append(report)
        assert 0 < reports[0].statistics["pages"] < reports[1].statistics["pages"] < 781
        last = max(entry.time for entry in slow.log())
        first = min(entry.time for entry in slow.log())
        assert last - first < 3
        assert set(fetched(slow).values()) == {1}


def test_a_finished_run_is_left_alone(tmp_path: Path, web: LocalWeb) -> None:
    crawl_tree(tmp_path, web, max_pages=20)
    again = [crawl_tree(tmp_path, web, max_pages=limit) for limit in (20, 10)]
    assert all("--new" in report.reason for report in again)
    assert_each_once(tmp_path, web, 20)


def test_limits_raised_step_by_step(tmp_path: Path, web: LocalWeb) -> None:
    for before, limit in pairwise((0, 7, 8, 100)):
        report = crawl_tree(tmp_path, web, queue_servers=3, max_pages=limit)
        assert report.statistics["pages"] == limit > before
    assert_each_once(tmp_path, web, 100)
