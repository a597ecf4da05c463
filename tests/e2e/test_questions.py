"""Questions about a run while it goes on, and right after it was killed: they disturb nothing."""

import json
from pathlib import Path

from tests.cli.commands import call
from tests.crawling import AT_ONCE, Crawl, assert_adds_up, resolve_options, stored_urls
from tests.web import LocalWeb, TreeShape

TREE = TreeShape(depth=4, fanout=5, hosts=4, latency_seconds=0.02, words=30)
RUN = "asked-1"


def options(web: LocalWeb) -> tuple[str, ...]:
    return (
        *(web.tree_urls()[0], "--name", "asked", "--scope", "anywhere", *AT_ONCE),
        *("--fetchers", "2", "--schedule-urls", "20", "--segment-seconds", "1"),
        *resolve_options(TREE.names),
    )


def state(home: Path, url: str) -> str:
    ended = call("why", RUN, url, "--json", home=home)
    assert ended.code == 0, ended.err
    assert ended.object["because"]
    return str(ended.object["state"])


def test_while_it_runs_and_after_a_kill(tmp_path: Path) -> None:
    with LocalWeb(tree=TREE) as web:
        urls = web.tree_urls()
        sitting = Crawl(tmp_path, *options(web))
        sitting.wait_until(lambda: len(web.log()) > 30, "some pages")
        seen: set[str] = set()
        for url in urls[1:400:7]:
            if sitting.process.poll() is not None:
                break
            seen.add(state(tmp_path, url))
        assert "done" in seen
        assert seen & {"queued", "leased", "never_found"}, "there was more to do"
        assert call("errors", RUN, home=tmp_path).code == 0
        file = tmp_path / "pages.jsonl"
        assert call("export", RUN, "--to", str(file), "--force", home=tmp_path).code == 0
        known = [json.loads(line)["url"] for line in file.read_text().splitlines()]
        assert set(known) <= set(urls)
        sitting.kill_group()
        assert state(tmp_path, urls[0]) == "done"
        assert state(tmp_path, "http://tree-0.test/nowhere") == "never_found"
        report = Crawl(tmp_path, *options(web)).report()
    assert set(stored_urls(tmp_path).values()) == {1}
    assert len(stored_urls(tmp_path)) == TREE.pages
    assert_adds_up(report["statistics"])
