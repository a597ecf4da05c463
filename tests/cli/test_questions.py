"""What became of a URL, and what went wrong: as people and programs are told."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.advice import EXCLUSIONS, OUTCOMES
from gossamer.app import Home, crawl
from gossamer.config import CrawlSettings
from gossamer.crawl.calls import Allowance, LeaseRequest
from gossamer.crawl.journal import Journal
from gossamer.crawl.queue_server import QueueServer
from gossamer.crawl.seen import state_of
from gossamer.records import Exclusion, Item, Link, Outcome
from gossamer.urls import parse
from tests.cli.commands import Ended, call
from tests.cli.conftest import Crawled
from tests.small_web import Page, SmallWeb, linking

HIDDEN = '<a rel="nofollow" href="/hidden">hidden</a>'
CANONICAL = '<link rel="canonical" href="/one">'
SAME = "Exactly these words stand on two pages of this little site, and on no other."


class Asked:
    """A run of a small web, to ask about."""

    def __init__(self, home: Path, web: SmallWeb) -> None:
        self.home = home
        self.web = web

    def url(self, path: str, host: str = "a.test") -> str:
        return self.web.url(host, path)

    def why(self, path: str, host: str = "a.test") -> Ended:
        return self.call("why", "asked-1", self.url(path, host))

    def because(self, path: str, host: str = "a.test") -> str:
        ended = self.why(path, host)
        assert ended.code == 0, ended.err
        return ended.out

    def call(self, *arguments: str) -> Ended:
        return call(*arguments, home=self.home)


HOSTS: dict[str, dict[str, str | Page]] = {
    "a.test": {
        "/robots.txt": Page("User-agent: *\nDisallow: /closed/\n", media_type="text/plain"),
        "/": linking(
            *("/one|The first", "/two", "/old", "/missing", "/gone", "/closed/x", "/1"),
            *("http://b.test:PORT/|Another host", "http://shop.a.test:PORT/"),
        ),
        "/one": linking("/", "/two|twice", text=SAME) + HIDDEN,
        "/two": linking("/", "/two|twice", text=SAME, head=CANONICAL) + HIDDEN,
        "/old": Page(status=301, location="/one"),
        "/1": linking("/2|deeper", text="One step."),
        "/2": linking("/3|deeper still", text="Two steps."),
        "/3": linking(text="Three steps."),
        "/hidden": linking(text="Nobody links here but one, who says not to follow."),
        "/gone": Page("gone", status=410),
    },
    "b.test": {"/": linking()},
    "shop.a.test": {"/": linking()},
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    home = tmp_path_factory.mktemp("asked")
    with SmallWeb(HOSTS) as web:
        settings = CrawlSettings(
            seeds=(web.url("a.test"),),
            name="asked",
            allow_private=True,
            delay_seconds=0,
            processes=False,
            max_depth=2,
            resolve=web.resolve,
        )
        crawl(Home(home), settings, on_progress=lambda _: None)
        yield Asked(home, web)


def test_taken(asked: Asked) -> None:
    out = asked.because("/one")
    assert "It was visited: its content is held." in out
    path = f'  {asked.url("/")}\n    {asked.url("/one")} by "The first"\n'
    assert f"How it was found\n{path}" in out
    assert f"Links to it: 1\n  {asked.url('/')}\tThe first\t\n" in out
    assert f"redirects here      {asked.url('/old')}" in out
    assert f"calls it canonical  {asked.url('/two')}" in out
    assert f"gossamer forget asked-1 --url {asked.url('/one')}" in out


def test_a_repeat(asked: Asked) -> None:
    out = asked.because("/two")
    assert f"Its text is the same as that of {asked.url('/one')}." in out
    assert f"It names {asked.url('/one')} its canonical address." in out
    assert "Links to it: 3" in out


def test_for_programs(asked: Asked) -> None:
    said = asked.call("why", "asked-1", asked.url("/two"), "--json").object
    assert (said["state"], said["reason"], said["duplicate_of"]) == (
        "done",
        "ok",
        asked.url("/one"),
    )
    assert said["visit"]["status"] == 200
    assert said["visit"]["fetched_at"].endswith("+00:00")
    assert [step["url"] for step in said["path"]] == [asked.url("/"), asked.url("/two")]
    assert said["path_is_whole"]
    assert said["links_to"] == 3
    assert said["some_links_to"][1] == {
        "source": asked.url("/one"),
        "anchor": "twice",
        "nofollow": False,
    }
    closed = asked.call("why", "asked-1", asked.url("/closed/x"), "--json").object
    assert closed["rule"] == {
        "setting": "",
        "file": f"{asked.url('')}/robots.txt",
        "line": 2,
        "text": "Disallow: /closed/",
    }
    assert closed["visit"] is None


def test_redirects_and_errors(asked: Asked) -> None:
    assert f"It redirects to {asked.url('/one')}." in asked.because("/old")
    missing = asked.because("/missing")
    assert "(404 Not Found)" in missing
    assert "out of date" in missing
    assert "It is gone for good." in asked.because("/gone")


def test_left_out_by_robots(asked: Asked) -> None:
    out = asked.because("/closed/x")
    assert "excluded: robots.txt blocks it." in out
    assert f"{asked.url('')}/robots.txt, line 2: Disallow: /closed/" in out
    assert "--no-obey-robots" in out


def test_left_out_by_scope(asked: Asked) -> None:
    out = asked.because("/", "b.test")
    assert f"The scope is 'host', from {asked.url('/')}." in out
    assert "--scope anywhere --resume" in out
    assert "Another host" in out
    assert "--scope domain --resume" in asked.because("/", "shop.a.test")


def test_too_deep(asked: Asked) -> None:
    out = asked.because("/3")
    assert "It is 3 steps from a seed; max_depth is 2." in out
    assert "Raise max_depth to 3, and run the same command" in out
    steps = [asked.url(path) for path in ("/", "/1", "/2", "/3")]
    found = out.partition("How it was found\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in found] == steps


def test_never_found(asked: Asked) -> None:
    out = asked.because("/nowhere")
    assert "no crawled page links to it" in out
    assert f"gossamer crawl ... {asked.url('/nowhere')} --resume" in out
    hidden = asked.because("/hidden")
    assert "marked 'nofollow'" in hidden
    assert "Links to it: 2" in hidden
    assert "nofollow\n" in hidden


def test_forgotten(asked: Asked, tmp_path: Path) -> None:
    shutil.copytree(asked.home, tmp_path / "home")
    copy = Asked(tmp_path / "home", asked.web)
    assert copy.call("forget", "asked-1", "--url", copy.url("/one"), "--yes").code == 0
    out = copy.because("/one")
    assert "removed by 'gossamer forget'" in out
    assert "Visit" not in out
    assert copy.call("forget", "asked-1", "--host", f"b.test:{asked.web.port}", "--yes").code == 0
    assert "removed by 'gossamer forget'" in copy.because("/", "b.test")


@pytest.mark.parametrize("end", [*Outcome, *Exclusion])
def test_every_end_is_explained(asked: Asked, tmp_path: Path, end: Outcome | Exclusion) -> None:
    """Whatever the journal says of a URL, there is a sentence for it, and what to do."""
    shutil.copytree(asked.home, tmp_path / "home")
    copy = Asked(tmp_path / "home", asked.web)
    url = parse(copy.url("/nowhere"))
    journal = Journal(copy.home / "runs" / "asked-1" / "frontier" / "queue-0.db")
    with journal.transaction(durable=True) as db:
        db.execute("INSERT INTO seen VALUES(?,?,?)", (url.site_hash, url.key, state_of(end)))
    journal.close()
    said = copy.call("why", "asked-1", url.href, "--json").object
    assert said["reason"] == end.value
    if isinstance(end, Outcome):
        assert said["because"][0] == f"It was visited: {OUTCOMES[end].meaning}."
    else:
        assert said["because"][0] == f"It was found, but excluded: {EXCLUSIONS[end].meaning}."
        assert said["advice"]


def test_while_it_waits_or_is_fetched(asked: Asked, tmp_path: Path) -> None:
    """The journal is held open by a queue server meanwhile, as in a crawl."""
    shutil.copytree(asked.home, tmp_path / "home")
    copy = Asked(tmp_path / "home", asked.web)
    path = copy.home / "runs" / "asked-1" / "frontier" / "queue-0.db"
    settings = CrawlSettings.model_validate(Home(copy.home).run("asked-1").settings)
    server = QueueServer(Journal(path), settings, 0)
    server.allow(Allowance(None, None, paused=False))
    server.add_seeds(tuple(Link(_item(copy.url(name))) for name in ("/q1", "/q2")))
    out = copy.because("/q2")
    assert "It was found, and is queued." in out
    assert "1 address of its host is ahead of it." in out
    assert "The run is finished" in out
    assert "gossamer run resume asked-1" in out
    assert server.lease(LeaseRequest("fetcher-0.1", 1, 0)).schedule is not None
    assert "being fetched when the run was interrupted" in copy.because("/q1")
    server.close()


def _item(href: str) -> Item:
    url = parse(href)
    return Item(url.href, url.site_hash, url.key, 1)


def test_wrong_questions(asked: Asked) -> None:
    assert asked.call("why", "asked-1", "not a url").code == 2
    assert asked.call("why", "nothing-1", asked.url("/")).code == 1
    assert asked.call("errors", "nothing-1").code == 1


# Errors


def test_errors_by_cause(asked: Asked) -> None:
    ended = asked.call("errors", "asked-1")
    assert ended.code == 0
    first, *_ = ended.out.splitlines()
    assert first == "2 of 8 visits failed."
    assert f"1  404 Not Found (12.5%)\n  on a.test:{asked.web.port} (1)\n" in ended.out
    assert f"    {asked.url('/missing')}\n" in ended.out
    assert "3  out of scope" not in ended.out
    assert "2  out of scope" in ended.out
    assert f"1  blocked by robots.txt (8.3%)\n    {asked.url('/closed/x')}\n" in ended.out


def test_errors_for_programs(asked: Asked) -> None:
    said = asked.call("errors", "asked-1", "--json").object
    assert (said["visited"], said["failed"], said["unpublished"]) == (8, 2, 0)
    by_status = {failure["status"]: failure for failure in said["failures"]}
    assert by_status[404]["examples"] == [asked.url("/missing")]
    assert by_status[404]["hosts"] == {f"a.test:{asked.web.port}": 1}
    assert by_status[404]["advice"]
    reasons = {reason["exclusion"]: reason for reason in said["excluded"]}
    assert {name: reason["count"] for name, reason in reasons.items()} == {
        "scope": 2,
        "depth": 1,
        "robots": 1,
    }
    assert reasons["depth"]["examples"] == [asked.url("/3")]


def test_details_that_differ_in_names_alone_are_one_cause(tmp_path: Path) -> None:
    pages = {f"/{number}": linking(text=str(number)) for number in range(8)}
    hosts = {"a.test": {"/": linking(*(f"http://no-{n}.a.test/" for n in range(8))), **pages}}
    with SmallWeb(hosts) as web:
        settings = CrawlSettings(
            seeds=(web.url("a.test"),),
            name="asked",
            scope="anywhere",
            processes=False,
            delay_seconds=0,
            retries=0,
            allow_private=True,
            resolve={**web.resolve, **{f"no-{n}.a.test": "127.0.0.1:1" for n in range(8)}},
        )
        report = crawl(Home(tmp_path), settings, on_progress=lambda _: None)
    assert any("8 of 9 visits failed: connection failed (8)" in line for line in report.advice)
    said = call("errors", "asked-1", "--json", home=tmp_path).object
    (failure,) = said["failures"]
    assert (failure["outcome"], failure["count"], failure["host_count"]) == ("connect_error", 8, 8)
    assert len({url.split("/")[2] for url in failure["examples"]}) == 3
    out = call("errors", "asked-1", home=tmp_path).out
    assert "and 5 more hosts" in out


def test_a_run_without_errors(crawled: Crawled) -> None:
    said = crawled.call("errors", crawled.run, "--json").object
    assert [failure["status"] for failure in said["failures"]] == [404]
