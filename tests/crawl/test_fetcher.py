"""A fetcher at work, in a crawl within this process."""

import gc
from pathlib import Path

import pytest

from gossamer.crawl.fetcher import Fetcher
from gossamer.crawl.orders import OpenOrder
from tests.crawling import crawl_here
from tests.web import LocalWeb, TreeShape


def orders_alive() -> set[OpenOrder]:
    return {one for one in gc.get_objects() if isinstance(one, OpenOrder)}


def test_an_answered_order_is_let_go_with_all_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, not when its deadline is over: a quick fetcher answers hundreds until then."""
    of_others = orders_alive()
    kept: list[set[OpenOrder]] = []
    stop = Fetcher.stop

    def counted_stop(fetcher: Fetcher) -> None:
        kept.append(orders_alive() - of_others)
        stop(fetcher)

    monkeypatch.setattr(Fetcher, "stop", counted_stop)
    with LocalWeb(tree=TreeShape(depth=3, fanout=4, hosts=1, words=30)) as web:
        seeds = (web.tree_urls()[0],)
        report = crawl_here(tmp_path, web, seeds=seeds, fetchers=1, schedule_urls=5)
    assert report.statistics["schedules"] > 10
    assert kept == [set()]
