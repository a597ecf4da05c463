"""`gossamer rank` over a small web: ranks, explanations, what flows into an index, refusals."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home
from gossamer.app.ranks import Ranking
from gossamer.lib.locks import FileLock
from tests.cli.commands import AT_ONCE, Ended, call, gossamer
from tests.small_web import Page, SmallWeb, linking
from tests.storage.traces import traces_in_files

_CANONICAL = '<link rel="canonical" href="http://a.test:PORT/star">'

HOSTS: dict[str, dict[str, str | Page]] = {
    "a.test": {
        "/": linking("/star|The star", "/old|An old name", "/copy|A copy", "/lonely|Lonely"),
        "/star": linking("/|Start", title="Star", text="All about a star that shines."),
        "/old": Page(status=301, location="/star"),
        "/copy": linking("/lonely|x", title="Star again", text="A star again.", head=_CANONICAL),
        "/lonely": linking("http://b.test:PORT/|Beta", title="Lonely", text="Nobody comes."),
    },
    "b.test": {
        "/": linking(
            "http://a.test:PORT/star|Bright one",
            "http://a.test:PORT/secret|Hidden treasure",
            "/2|Two",
            text="Beta begins.",
        ),
        "/2": linking("http://a.test:PORT/star|Bright one", text="Beta again."),
    },
    "robots.test": {},
}
ROBOTS = Page("User-agent: *\nDisallow: /secret\n", media_type="text/plain")
HOSTS["a.test"]["/robots.txt"] = ROBOTS


class Crawled:
    def __init__(self, home: Path, web: SmallWeb) -> None:
        self.home = home
        self.web = web

    def call(self, *arguments: str) -> Ended:
        return call(*arguments, home=self.home)

    def rank(self, *arguments: str) -> dict[str, Any]:
        ended = self.call("rank", *(arguments or ("links-1",)), "--json")
        assert ended.code == 0, ended.err
        return ended.object

    def a(self, path: str) -> str:
        return self.web.url("a.test", path)


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with SmallWeb(HOSTS) as web:
        resolve = [word for name in HOSTS for word in ("--resolve", f"{name}=127.0.0.1")]
        ended = gossamer(
            *("crawl", web.url("a.test"), "--name", "links", "--scope", "anywhere"),
            *AT_ONCE,
            *resolve,
            home=tmp_path,
        )
        assert ended.code == 0, ended.err
        yield Crawled(tmp_path, web)


def test_ranks_are_computed_kept_and_shown(crawled: Crawled) -> None:
    found = crawled.rank()
    assert found["runs"] == ["links-1"]
    assert found["segments_read"] == found["segments"] > 0
    # Start, star, lonely, two of beta, and the secret that nobody may fetch.
    assert (found["nodes"], found["crawled"], found["hosts"]) == (6, 5, 2)
    assert found["residual"] < 1e-9
    assert found["top"][0]["url"] == crawled.a("/star")
    rows = crawled.rank("show", "links-1", "--top", "2")["top"]
    assert [row["url"] for row in rows] == [crawled.a("/star"), rows[1]["url"]]
    assert rows[0]["in_degree"] == 3
    hosts = crawled.rank("show", "links-1", "--by", "host")["top"]
    assert {row["host"] for row in hosts} == {
        crawled.web.url(name).split("/")[2] for name in ("a.test", "b.test")
    }
    assert crawled.rank("show", "links-1", "--by", "domain")["top"][0]["pages"] == 4
    said = crawled.call("rank", "show", "links-1").out
    assert crawled.a("/secret") + "  (not fetched)" in said


def test_nothing_is_read_twice_and_ranks_start_from_the_last(crawled: Crawled) -> None:
    first = crawled.rank()
    again = crawled.rank()
    assert again["segments_read"] == 0
    assert again["generation"] == first["generation"] + 1
    assert again["iterations"] < first["iterations"]
    generations = crawled.home / "ranks" / "sets" / "links-1" / "generations"
    assert len(list(generations.iterdir())) == 1


def test_a_page_is_explained(crawled: Crawled) -> None:
    crawled.rank()
    found = crawled.rank("explain", "links-1", crawled.a("/old"))
    assert found["url"] == crawled.a("/star")
    assert found["asked"] == crawled.a("/old")
    assert found["place"] == 1
    assert set(found["aliases"]) == {crawled.a("/old"), crawled.a("/copy")}
    assert (found["in_degree"], found["in_hosts"], found["farm"]) == (3, 1, 0)
    contributions = [link["contribution"] for link in found["in_links"]]
    assert contributions == sorted(contributions, reverse=True)
    assert {"text": "Bright one", "links": 2} in found["anchors"]
    # All that a page has is what its links bring, and jumps, also from pages without links.
    pages = crawled.rank("show", "links-1")["top"]
    without = sum(row["page_rank"] for row in pages if row["url"] == crawled.a("/secret"))
    rest = 0.15 + 0.85 * without / found["nodes"]
    assert found["page_rank"] == pytest.approx(sum(contributions) + rest, abs=1e-6)
    said = crawled.call("rank", "explain", "links-1", crawled.a("/secret")).out
    assert "known from links only" in said


def test_what_is_not_there_is_told(crawled: Crawled) -> None:
    ended = crawled.call("rank", "show", "links-1")
    assert ended.code == 1
    assert "gossamer rank links-1" in ended.err
    assert crawled.call("rank", "nobody-1").code == 1
    assert crawled.call("rank").code == 2
    crawled.rank()
    ended = crawled.call("rank", "explain", "links-1", crawled.a("/sta"))
    assert ended.code == 1
    assert crawled.a("/star") in ended.err
    ended = crawled.call("rank", "links-1", "--damping", "2")
    assert ended.code == 2
    ended = crawled.call("rank", "links-1", "--trusted-hosts", "nowhere.test")
    assert ended.code == 2
    assert "nowhere.test" in ended.err
    assert crawled.rank("show", "links-1")["top"], "what failed has left the ranks of before"


def test_settings_act(crawled: Crawled) -> None:
    assert crawled.rank("links-1", "--no-uncrawled")["nodes"] == 5
    trusted = crawled.web.url("b.test").split("/")[2]
    crawled.rank("links-1", "--trusted-hosts", trusted)
    hosts = crawled.rank("show", "links-1", "--by", "host")["top"]
    assert hosts[0]["host"] == trusted
    (crawled.home / "rank.toml").write_text("damping = 0.0\n")
    crawled.rank("links-1", "--config", str(crawled.home / "rank.toml"))
    ranks = {round(row["page_rank"], 9) for row in crawled.rank("show", "links-1")["top"]}
    assert ranks == {1.0}, "who never follows a link is anywhere"


def test_one_at_a_time_computes_and_nobody_waits_to_read(crawled: Crawled) -> None:
    crawled.rank()
    lock = FileLock(crawled.home / "ranks" / "writer.lock")
    assert lock.acquire()
    try:
        ended = crawled.call("rank", "links-1")
        assert ended.code == 1
        assert "computes ranks" in ended.err
        assert crawled.rank("show", "links-1")["top"]
    finally:
        lock.release()


def test_ranks_flow_into_an_index(crawled: Crawled) -> None:
    def feature(name: str) -> float:
        ended = crawled.call(
            *("search", "web", "shines", "--json", "--explain"),
            *("--profile", str(profile)),
        )
        assert ended.code == 0, ended.err
        hit = ended.object["hits"][0]
        assert hit["url"] == crawled.a("/star")
        value: float = hit["explain"]["features"][name]["value"]
        return value

    profile = crawled.home / "own.toml"
    names = "page_rank + host_rank + domain_rank + combined_rank + in_degree + in_hosts + farm"
    profile.write_text(f'description = "All"\nscore = "text + {names} + doc_rank"\n')
    assert crawled.call("index", "build", "web", "--from", "links-1").code == 0
    assert (feature("page_rank"), feature("in_degree")) == (1.0, 0.0), "neutral"
    crawled.rank()
    parts = crawled.home / "indexes" / "web" / "parts"
    before = {path: path.stat().st_ino for path in parts.rglob("*")}
    ended = crawled.call("index", "update", "web", "--json")
    assert ended.object["changed"] == ended.object["added"] == 0
    assert {path: path.stat().st_ino for path in parts.rglob("*")} == before
    page = crawled.rank("explain", "links-1", crawled.a("/star"))
    for name in ("page_rank", "host_rank", "domain_rank", "combined_rank", "in_degree", "in_hosts"):
        assert feature(name) == pytest.approx(page[name])
    crawled.rank("links-1", "--damping", "0.5")
    crawled.call("index", "update", "web")
    assert feature("page_rank") != pytest.approx(page["page_rank"])
    generation = crawled.call("index", "show", "web", "--json").object["generation"]
    crawled.call("index", "update", "web")
    assert crawled.call("index", "show", "web", "--json").object["generation"] == generation


def test_in_shards_too(crawled: Crawled) -> None:
    crawled.call("index", "build", "web", "--from", "links-1", "--shards", "2")
    crawled.rank()
    ended = crawled.call("index", "update", "web", "--json")
    assert ended.object["changed"] == ended.object["added"] == 0
    found = crawled.call("search", "web", "shines", "--json", "--explain").object["hits"][0]
    page = crawled.rank("explain", "links-1", crawled.a("/star"))
    value = found["explain"]["features"]["page_rank"]["value"]
    assert value == pytest.approx(page["page_rank"])


def test_pages_that_nobody_fetched_are_found_by_their_anchors(crawled: Crawled) -> None:
    config = crawled.home / "index.toml"
    config.write_text("uncrawled_pages = true\n")
    crawled.rank()
    crawled.call("index", "build", "web", "--from", "links-1", "--config", str(config))
    hits = crawled.call("search", "web", "treasure", "--json").object["hits"]
    found = {hit["url"]: hit["from_links"] for hit in hits}
    assert found == {crawled.a("/secret"): True, crawled.web.url("b.test"): False}
    assert "known from links only" in crawled.call("search", "web", "treasure").out
    crawled.call("index", "build", "plain", "--from", "links-1")
    assert crawled.call("search", "plain", "treasure", "--all-words", "--json").object["total"] <= 1
    named = crawled.call("search", "plain", "bright", "--json").object["hits"]
    assert named[0]["url"] == crawled.a("/star"), "no page of it says so, two links do"


def test_what_is_forgotten_is_in_no_graph(crawled: Crawled) -> None:
    config = crawled.home / "index.toml"
    config.write_text("uncrawled_pages = true\n")
    crawled.rank("links-1", "--damping", "0.7")
    for path in ("/star", "/secret"):
        ended = crawled.call("forget", "links-1", "--url", crawled.a(path), "--links", "--yes")
        assert ended.code == 0, ended.err
    ranks = crawled.home / "ranks"
    assert traces_in_files(ranks, crawled.a("/star")) == []
    assert traces_in_files(ranks, crawled.a("/secret")) == []
    urls = {row["url"] for row in crawled.rank("show", "links-1")["top"]}
    assert not urls & {crawled.a("/star"), crawled.a("/secret")}
    assert crawled.a("/lonely") in urls
    manifest = Ranking(Home(crawled.home)).reader("links-1").manifest
    assert manifest.settings["damping"] == 0.7, "as they were made before"
    crawled.call("index", "build", "web", "--from", "links-1", "--config", str(config))
    hits = crawled.call("search", "web", "treasure", "--json").object["hits"]
    assert [hit["url"] for hit in hits] == [crawled.web.url("b.test")]


def test_pictures_are_drawn(crawled: Crawled) -> None:
    crawled.rank()
    png, svg = crawled.home / "ranks.png", crawled.home / "hosts.svg"
    crawled.rank("show", "links-1", "--plot", str(png))
    crawled.rank("show", "links-1", "--by", "host", "--plot", str(svg))
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "b.test" in svg.read_text()
    ended = crawled.call("rank", "show", "links-1", "--plot", str(crawled.home / "ranks.gif"))
    assert ended.code == 2
    ended = crawled.call("rank", "show", "links-1", "--by", "farm", "--plot", str(png))
    assert (ended.code, "no link farm" in ended.err) == (1, True)
    assert crawled.rank("show", "links-1", "--by", "farm")["farms"] == []


def test_ranks_go_with_their_run(crawled: Crawled) -> None:
    crawled.rank()
    assert crawled.call("run", "delete", "links-1", "--yes").code == 0
    assert traces_in_files(crawled.home / "ranks", "http://") == []


def test_several_runs_are_ranked_together(crawled: Crawled) -> None:
    resolve = [word for name in HOSTS for word in ("--resolve", f"{name}=127.0.0.1")]
    ended = gossamer(
        *("crawl", crawled.web.url("b.test"), "--name", "other", "--scope", "host"),
        *AT_ONCE,
        *resolve,
        home=crawled.home,
    )
    assert ended.code == 0, ended.err
    alone = crawled.rank()
    both = crawled.rank("links-1", "other-1")
    assert both["segments_read"] < both["segments"]
    assert (both["nodes"], both["edges"]) == (alone["nodes"], alone["edges"])
    found = crawled.rank("show", "other-1")["top"]
    assert found[0]["url"] == crawled.a("/star"), "the ranks of more runs are those of each"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"1\t2\n3\n", "line 2"),
        (b"1\t2\nthree\t4\n", "line 2"),
        (b"", ""),
        (gzip.compress(b"1\t2\n" * 100_000)[:-500], "line"),
    ],
    ids=["one column", "a name among numbers", "empty", "cut"],
)
def test_a_broken_list_is_told_with_its_line(crawled: Crawled, content: bytes, said: str) -> None:
    crawled.rank()
    path = crawled.home / "links.tsv"
    path.write_bytes(content)
    ended = crawled.call("rank", "--edges", str(path), "--json")
    if ended.code == 0:  # a name among numbers is a name
        assert ended.object["nodes"] == 4
        return
    assert ended.code == 2
    assert str(path) in ended.err
    assert said in ended.err
    assert crawled.rank("show", "links-1")["top"]


def test_any_list_of_links(tmp_path: Path) -> None:
    path = tmp_path / "links.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tc\nb\tc\nc\ta\n"))
    found = call("rank", "--edges", str(path), "--json", "--top", "2", home=tmp_path).object
    assert set(found) == {"nodes", "edges", "iterations", "residual", "seconds", "top"}
    assert (found["nodes"], found["edges"]) == (3, 3)
    assert [row["url"] for row in found["top"]] == ["c", "a"]
    assert not (tmp_path / "ranks").exists()
