"""`gossamer forget` and `gossamer run tidy` as they are typed; what they do is tested in e2e."""

import shutil
from pathlib import Path

import pytest

from gossamer.app import Home
from tests.cli.conftest import Crawled


@pytest.fixture
def copy(crawled: Crawled, tmp_path: Path) -> Crawled:
    """A home of one's own, to be changed."""
    shutil.copytree(crawled.home, tmp_path / "home")
    return crawled._replace(home=tmp_path / "home")


def test_it_asks_first(copy: Crawled) -> None:
    for more in ((), ("--json",)):
        ended = copy.call("forget", copy.run, "--url", copy.address, *more)
        assert ended.code == 2
        assert "--yes" in ended.err
    assert not (copy.home / "runs" / copy.run / "tombstones").exists()


def test_it_says_what_is_gone(copy: Crawled) -> None:
    url = f"{copy.address}planets/mars"
    ended = copy.call("forget", copy.run, "--url", url, "--yes")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Forgotten: 1 page and 7 links, ")
    assert "exported earlier still contain it" in ended.out
    missing = copy.call("page", copy.run, url)
    assert missing.code == 1
    assert "excluded (forgotten)" in missing.err


def test_several_at_once(copy: Crawled) -> None:
    urls = [f"{copy.address}planets/{name}" for name in ("mars", "venus")]
    ended = copy.call(*("forget", copy.run, "--url", urls[0], "--url", urls[1], "--yes", "--json"))
    assert ended.object["pages"] == 2
    assert ended.object["urls"] == urls


def test_a_host_takes_all_its_pages(copy: Crawled) -> None:
    host = copy.address.split("/")[2]
    ended = copy.call("forget", copy.run, "--host", host, "--yes", "--json")
    assert ended.object["pages"] == 21
    assert copy.call("pages", copy.run).out == ""
    assert Home(copy.home).run(copy.run).statistics["stored.pages"] == 0


def test_other_runs_are_named(copy: Crawled) -> None:
    run = Home(copy.home).record(copy.run)
    Home(copy.home).catalogue.create_run(run.crawler, run.seeds, run.settings)
    ended = copy.call("forget", copy.run, "--url", copy.address, "--yes")
    assert "Other runs of this crawler may contain it too: sample-2." in ended.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--url or --host"),
        (("--url", "planets/mars"), "no scheme"),
        (("--host", "https://example.org/"), "not a host"),
        (("--host", "exa mple"), "valid URL"),
    ],
)
def test_wrong_usage(copy: Crawled, arguments: tuple[str, ...], words: str) -> None:
    ended = copy.call("forget", copy.run, *arguments, "--yes")
    assert ended.code == 2
    assert words in ended.err
    assert not (copy.home / "runs" / copy.run / "tombstones").exists()


def test_unknown_runs(copy: Crawled) -> None:
    for arguments in (("forget", "sampel-1", "--host", "a.example", "--yes"), ("run", "tidy", "x")):
        ended = copy.call(*arguments)
        assert ended.code == 1
        assert "There is no run" in ended.err


def test_tidying_a_tidy_run(copy: Crawled) -> None:
    assert copy.call("run", "tidy", copy.run) == (0, "Nothing to tidy up.\n", "")
    said = copy.call("run", "tidy", copy.run, "--json").object
    assert (said["tidied"], said["pages"], said["segments"]) == (True, 0, 0)


def test_tidying_sweeps_what_a_crash_left(copy: Crawled) -> None:
    leftover = copy.home / "runs" / copy.run / "segments" / ".tmp-0123456789abcdef"
    leftover.write_bytes(b"half")
    assert copy.call("run", "tidy", copy.run).code == 0
    assert not leftover.exists()
