"""kill -9 at random moments: nothing is lost, nothing is stored twice.

The web is a tree with one link to each page, so that a page which is lost stays lost and shows.
"""

import os
import random
import signal
from collections import Counter
from pathlib import Path

import apsw
import pytest
from msgspec import msgpack

from gossamer.records import Item
from tests.crawling import (
    Crawl,
    assert_adds_up,
    only_run,
    stored_urls,
    wait_until,
)
from tests.web import LocalWeb, TreeShape

KILLS = 20
TREE = TreeShape(depth=5, fanout=6, hosts=8, latency_seconds=0.02, words=30)

pytestmark = pytest.mark.fault


def arguments(web: LocalWeb, *more: str) -> list[str]:
    resolve = [part for name in web.tree.names for part in ("--resolve", f"{name}=127.0.0.1")]
    return [
        web.tree_urls()[0],
        *("--scope", "anywhere", "--allow-private", "--delay-seconds", "0"),
        *("--connections-per-host", "2", "--schedule-urls", "20", "--fetchers", "2"),
        *("--lease-grace-seconds", "1", "--segment-pages", "500", "--segment-seconds", "1"),
        *more,
        *resolve,
    ]


def fetched(web: LocalWeb) -> Counter[str]:
    """How often each page was asked for, by the server's own log."""
    return Counter(
        f"http://{entry.host}:{web.port}{entry.path}"
        for entry in web.log()
        if entry.path != "/robots.txt"
    )


def in_flight(home: Path) -> set[str]:
    """URLs that were leased and not acknowledged when everything was killed."""
    urls: set[str] = set()
    for path in (home / "runs" / only_run(home) / "frontier").glob("queue-*.db"):
        journal = apsw.Connection(str(path))
        for (items,) in journal.execute("SELECT items FROM schedule WHERE state=0"):
            urls.update(item.url for item in msgpack.decode(items, type=tuple[Item, ...]))
        for (item,) in journal.execute("SELECT item FROM straggler"):
            urls.add(msgpack.decode(item, type=Item).url)
        journal.close()
    return urls


def test_the_whole_process_group_is_killed(tmp_path: Path) -> None:
    rng = random.Random(1)
    with LocalWeb(tree=TREE) as web:
        may_repeat: Counter[str] = Counter()
        for _ in range(KILLS):
            before = len(web.log())
            wanted = before + rng.randrange(1, 400)
            crawl = Crawl(tmp_path, *arguments(web))
            wait_until(
                lambda wanted=wanted, crawl=crawl: (
                    len(web.log()) >= wanted  # type: ignore[misc]
                    or crawl.process.poll() is not None
                ),
                "the crawl to get on",
            )
            crawl.kill_group()
            may_repeat.update(in_flight(tmp_path))
        report = Crawl(tmp_path, *arguments(web)).report()
        visits = fetched(web)
        expected = web.tree_urls()
    assert report["state"] == "finished"
    assert stored_urls(tmp_path) == Counter(expected)
    repeated = {url: count - 1 for url, count in visits.items() if count > 1}
    assert all(count <= may_repeat[url] for url, count in repeated.items()), repeated
    assert_adds_up(report["statistics"])
    assert report["statistics"]["done.ok"] == len(expected)


@pytest.mark.parametrize("queue_servers", [1, 3])
def test_single_workers_are_killed(tmp_path: Path, queue_servers: int) -> None:
    rng = random.Random(2)
    with LocalWeb(tree=TREE) as web:
        more = ("--queue-servers", str(queue_servers))
        crawl = Crawl(tmp_path, *arguments(web, *more))
        kills = 0
        while kills < KILLS and crawl.process.poll() is None:
            wanted = len(web.log()) + rng.randrange(1, 200)
            wait_until(
                lambda wanted=wanted: (
                    len(web.log()) >= wanted  # type: ignore[misc]
                    or crawl.process.poll() is not None
                ),
                "the crawl to get on",
            )
            workers = crawl.descendants()
            if workers:
                os.kill(rng.choice(workers), signal.SIGKILL)
                kills += 1
        report = crawl.report()
        expected = web.tree_urls()
        visits = fetched(web)
    assert kills == KILLS
    assert stored_urls(tmp_path) == Counter(expected)
    assert_adds_up(report["statistics"])
    assert report["statistics"]["done.ok"] == len(expected)
    # Each worker had at most its open schedules in flight.
    assert sum(visits.values()) - len(expected) <= kills * 20 * 64
