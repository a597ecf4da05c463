"""Crawls that start from lists of addresses and from folders of this machine."""

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home, Report, crawl
from gossamer.config import CrawlSettings
from gossamer.crawl import seeds
from gossamer.errors import RunError, SettingsError
from gossamer.storage.catalogue import RunState
from tests.cli.commands import call
from tests.crawling import (
    AT_ONCE,
    Crawl,
    assert_adds_up,
    crawl_here,
    only_run,
    resolve_options,
    stored_rows,
    stored_urls,
)
from tests.documents import docx, paragraph, pdf
from tests.importing.warcs import response, written
from tests.web import LocalWeb, TreeShape

TREE = TreeShape(depth=3, fanout=4, hosts=4, words=30)


@pytest.fixture(scope="module")
def tree() -> Iterator[LocalWeb]:
    with LocalWeb(tree=TREE) as running:
        yield running


@pytest.fixture
def web(tree: LocalWeb) -> LocalWeb:
    tree.refresh()
    return tree


def listed(path: Path, urls: list[str]) -> str:
    path.write_text("\n".join(["# a list", *urls, ""]))
    return str(path)


# Lists


def test_all_addresses_of_a_list_are_visited(tmp_path: Path, web: LocalWeb) -> None:
    urls = web.tree_urls()[:50]
    report = crawl_here(tmp_path, web, seed_files=(listed(tmp_path / "l", urls),), max_depth=0)
    assert set(stored_urls(tmp_path)) == set(urls)
    assert report.statistics["found.seed"] == 50
    assert_adds_up(report.statistics)
    (run,) = Home(tmp_path).runs()
    assert run.crawler == TREE.host_of(0) + f"-{web.port}"
    assert run.seeds == (str(tmp_path / "l"),)


def test_the_hosts_of_a_list_are_the_scope(tmp_path: Path, web: LocalWeb) -> None:
    """Each link of the tree leads to another host: without the others in scope, it ends soon."""
    urls = web.tree_urls()
    leaves = {TREE.host_of(number): url for number, url in enumerate(urls) if number > 21}
    path = listed(tmp_path / "l", [urls[0], *leaves.values()])
    crawl_here(tmp_path, web, seed_files=(path,), scope="host")
    assert set(stored_urls(tmp_path)) == set(urls)


def test_the_same_command_goes_on_and_a_longer_list_goes_further(
    tmp_path: Path, web: LocalWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds, "BATCH_LINKS", 7)
    urls = web.tree_urls()
    path = tmp_path / "l"

    def again(count: int, **settings: Any) -> Report:
        return crawl_here(
            tmp_path,
            web,
            name="x",
            seed_files=(listed(path, urls[:count]),),
            max_depth=0,
            **settings,
        )

    assert again(40, max_pages=15).statistics["pages"] == 15
    assert again(40).statistics["pages"] == 40
    assert "To crawl it again" in again(40).reason
    assert again(60).statistics["pages"] == 60
    assert only_run(tmp_path) == "x-1"
    with pytest.raises(RunError, match="other seeds"):
        crawl_here(tmp_path, web, name="x", seeds=(urls[0],), max_depth=0)


def test_seeds_that_were_written_down_are_not_lost(tmp_path: Path, web: LocalWeb) -> None:
    """As after a kill between the reading of a list and the last batch."""
    urls = web.tree_urls()
    path = listed(tmp_path / "l", urls[:10])
    crawl_here(tmp_path, web, name="x", seed_files=(path,), max_depth=0)
    home = Home(tmp_path)
    settings = CrawlSettings(seed_files=(listed(tmp_path / "l", urls),))
    with seeds.collected(settings, tmp_path) as found:
        found.hand_over(home.folder("x-1").frontier)
    home.catalogue.update("x-1", state=RunState.STOPPED)
    (tmp_path / "l").unlink()
    report = call("run", "resume", "x-1", "--json", home=tmp_path).object
    assert report["statistics"]["pages"] == len(urls)
    assert_adds_up(report["statistics"])


def test_packed_tables_and_the_standard_input(tmp_path: Path, web: LocalWeb) -> None:
    urls = web.tree_urls()
    table = tmp_path / "t.csv.gz"
    table.write_bytes(
        gzip.compress(b"id,url\n" + b"".join(b"1,%b\n" % u.encode() for u in urls[:9]))
    )
    command = [sys.executable, "-m", "gossamer.cli", "crawl", "--seeds-from", str(table)]
    command += [
        "--seeds-from",
        "-",
        "--max-depth",
        "0",
        *AT_ONCE,
        "--json",
        "--home",
        str(tmp_path),
    ]
    command += resolve_options(TREE.names)
    text = "\n".join(urls[9:20])
    for _ in range(2):  # and the same again
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout.splitlines()[-1])["statistics"]["pages"] == 20
    assert set(stored_urls(tmp_path)) == set(urls[:20])


def test_a_wrong_list_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    path = listed(tmp_path / "l", ["https://a.test/", "example.org", "http://"])
    ended = call("crawl", "--seeds-from", path, "--json", home=tmp_path / "home")
    assert ended.code == 2
    message = ended.object["error"]["message"]
    assert f"'{path}': 2 of 3 lines are not addresses." in message
    assert f"{path}, line 3: 'example.org' has no scheme" in message
    assert call("runs", "--json", home=tmp_path / "home").object["runs"] == []


def test_several_queue_servers_get_their_own(tmp_path: Path, web: LocalWeb) -> None:
    path = listed(tmp_path / "l", web.tree_urls())
    options = ["--seeds-from", path, "--max-depth", "0", *AT_ONCE, "--queue-servers", "3"]
    report = Crawl(tmp_path, *options, *resolve_options(TREE.names)).report()
    assert report["statistics"]["pages"] == TREE.pages
    assert_adds_up(report["statistics"])


# Folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "My site"
    (root / "sub").mkdir(parents=True)
    (root / "index.html").write_text(
        "<title>Home</title><p>Words enough for a page of its own, and then some more of them.</p>"
        '<a href="sub/a(b).html">A</a> <a href="/etc/passwd">no</a> <a href="../secret.html">no</a>'
        '<a href="http://web.test/">web</a> <a href="missing.html">gone</a> <a href="sub/">sub</a>'
        '<a href=".linked.html">hidden, but named</a>'
    )
    (root / "sub" / "a(b).html").write_text(
        '<title>A</title><p>Another page with other words in it.</p><a href="../index.html">up</a>'
    )
    (root / "sub" / "notes.txt").write_text("Notes that nobody links to, of some length in words.")
    (root / ".linked.html").write_text("<title>Linked</title><p>This one is found by its link.</p>")
    (root / ".never.html").write_text("<title>Never</title>")
    (root / "paper.pdf").write_bytes(pdf(["The text of a paper, with words."]))
    (root / "letter.docx").write_bytes(docx(paragraph("The text of a letter, with words.")))
    (root / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (root / "large.txt").write_text("x" * 5_000)
    (tmp_path / "secret.html").write_text("secret")
    (root / "leak.html").symlink_to(tmp_path / "secret.html")
    os.mkfifo(root / "pipe")
    return root


def crawl_folder(home: Path, *seeds: str | Path, **settings: Any) -> Report:
    mode = settings.pop("mode", "continue")
    values = {"seeds": tuple(map(str, seeds)), "processes": False, "fetchers": 2, **settings}
    return crawl(Home(home), CrawlSettings(**values), mode=mode, on_progress=lambda _: None)


def outcomes(home: Path) -> dict[str, tuple[str, int]]:
    return {
        row["url"].rpartition("My%20site/")[2]: (row["outcome"], row["status"])
        for row in stored_rows(home)
    }


def test_every_file_of_a_folder_is_a_page(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    report = crawl_folder(home, folder, max_wire_bytes=4_000)
    assert outcomes(home) == {
        "index.html": ("ok", 200),
        "sub/a(b).html": ("ok", 200),
        "sub/notes.txt": ("ok", 200),
        "paper.pdf": ("ok", 200),
        "letter.docx": ("ok", 200),
        "image.png": ("unsupported", 200),
        "large.txt": ("too_large", 200),
        "leak.html": ("http_error", 403),
        "pipe": ("http_error", 403),
        "missing.html": ("http_error", 404),
        "sub/": ("http_error", 404),
        ".linked.html": ("ok", 200),
    }
    assert report.statistics["excluded.scope"] == 3
    assert not report.statistics.get("robots.requests")
    assert_adds_up(report.statistics)
    (run,) = Home(home).runs()
    assert (run.name, run.seeds) == ("My-site-1", (f"file://{tmp_path}/My%20site/",))
    assert not any("secret" in row["text"] for row in stored_rows(home))
    page = Home(home).page(run.name, f"{run.seeds[0]}sub/a(b).html")
    assert (page["title"], page["parent"]) == ("A", "")
    (link,) = Home(home).page_links(run.name, page["url"])
    assert link["target"] == f"{run.seeds[0]}index.html"
    assert "Another page" in Home(home).page_html(run.name, page["url"])


def test_a_folder_again_with_more_in_it(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    first = crawl_folder(home, folder)
    assert "To crawl it again" in crawl_folder(home, folder).reason
    (folder / "new.txt").write_text("A new file with words in it.")
    more = crawl_folder(home, folder)
    assert more.statistics["pages"] == first.statistics["pages"] + 1
    assert only_run(home) == "My-site-1"


def test_patterns_choose_the_files_of_a_folder(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    (folder / "sub" / "secret plan.txt").write_text("What is not for others to read, in words.")
    report = crawl_folder(home, folder, include=("*.html", "sub/*"), exclude=("secret*", ".*"))
    assert set(outcomes(home)) == {
        *("index.html", "sub/a(b).html", "sub/notes.txt", "leak.html", "missing.html", "sub/"),
    }
    # The five other files of the folder, the secret one, and a hidden one that a page links to.
    assert report.statistics["excluded.pattern"] == 7
    assert_adds_up(report.statistics)
    base = f"file://{tmp_path}/My%20site/"
    ended = call("why", "My-site-1", f"{base}sub/secret%20plan.txt", home=home)
    assert "secret*" in ended.out

    more = crawl_folder(home, folder, mode="resume", exclude=("secret*",))
    assert {"paper.pdf", "letter.docx", "pipe"} <= set(outcomes(home))
    assert more.statistics["excluded.pattern"] == 1
    assert_adds_up(more.statistics)
    assert not any("not for others" in row["text"] for row in stored_rows(home))


def test_files_that_have_changed_are_read_again(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    crawl_folder(home, folder)
    (folder / "sub" / "notes.txt").write_text("Quite other notes, and these are new ones.")
    settings = CrawlSettings(seeds=(str(folder),), processes=False, fetchers=2)
    crawl(Home(home), settings, mode="refresh", on_progress=lambda _: None)
    base = f"file://{tmp_path}/My%20site/"
    assert "Quite other" in Home(home).page("My-site-1", f"{base}sub/notes.txt")["text"]
    assert "Another page" in Home(home).page("My-site-1", f"{base}sub/a(b).html")["text"]


def test_in_processes_by_a_relative_path(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    command = [sys.executable, "-m", "gossamer.cli", "crawl", "./My site", "--home", str(home)]
    done = subprocess.run(
        [*command, "--json"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["statistics"]["done.ok"] == 7
    assert not any("contact" in line for line in report["advice"])
    listed = call("pages", "My-site-1", home=home).out
    assert "file://" in listed


def test_one_file(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    crawl_folder(home, folder / "index.html")
    assert outcomes(home) == {"index.html": ("ok", 200)}


def test_alike_files_are_no_trap(tmp_path: Path) -> None:
    folder = tmp_path / "same"
    folder.mkdir()
    for number in range(120):
        (folder / f"page-{number}.html").write_text("<p>The very same text in all of them.</p>")
    report = crawl_folder(tmp_path / "home", folder, trap_pages=10)
    assert report.statistics["pages"] == 120
    assert report.statistics["duplicates"] == 119


def test_a_folder_without_files(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SettingsError, match="folder holds no files"):
        crawl_folder(tmp_path, tmp_path / "empty")
    with pytest.raises(SettingsError, match="no such file or folder"):
        crawl_folder(tmp_path, tmp_path / "missing")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_web_page_never_leads_to_a_file(tmp_path: Path, folder: Path) -> None:
    site = tmp_path / "web"
    site.mkdir()
    hidden = f"file://{tmp_path}/My%20site/.never.html"
    (site / "index.html").write_text(
        f'<title>Web</title><a href="{hidden}">file</a><a href="two.html">two</a>'
        f'<link rel="canonical" href="{hidden}">'
    )
    (site / "two.html").write_text(f'<base href="file://{tmp_path}/"><a href="secret.html">x</a>')
    home = tmp_path / "home"
    with served(site) as address:
        report = crawl_folder(
            home, address, folder, scope="anywhere", allow_private=True, delay_seconds=0, retries=0
        )
    found = outcomes(home)
    assert found[f"{address}two.html"] == ("ok", 200)
    assert found["index.html"] == ("ok", 200)
    assert ".never.html" not in found
    assert found[f"{address}secret.html"] == ("http_error", 404)  # its base was no good
    assert not any(url.startswith("file:") for url in found)
    assert_adds_up(report.statistics)


# Imports do not go on


def test_an_import_is_not_crawled_on(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", response("http://a.test/"))
    assert call("import", str(path), "--name", "x", "--fetchers", "1", home=tmp_path).code == 0
    for arguments in (("--resume",), ()):
        refused = call("crawl", "http://a.test/", "--name", "x", *arguments, home=tmp_path)
        assert refused.code == 1
        assert "'x-1' is an import" in refused.err or "other seeds" in refused.err
    again = call("run", "resume", "x-1", home=tmp_path)
    assert again.code == 0
    assert "use --new" in again.out
