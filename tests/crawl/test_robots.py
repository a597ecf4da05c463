import asyncio
import gzip
import os
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import CrawlSettings
from gossamer.crawl import robots
from gossamer.crawl.robots import RobotsFetch, RobotsRules, expired, fetch_robots
from gossamer.records import Outcome, RobotsFile

from .clients import DEAD_NAME, Run, client_of
from .odd_server import Peer, serve

SITE = "https://example.org"


def rules_of(text: str, status: int = 200, agent: str = "Gossamer") -> RobotsRules:
    return RobotsRules.of(RobotsFile(SITE, 0.0, status, text), agent)


def allowed(text: str, path: str, agent: str = "Gossamer") -> bool:
    return rules_of(text, agent=agent).allows(SITE + path)


@pytest.mark.parametrize(
    ("text", "path", "allows"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("\ufeffUser-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\r\nDisallow: /a\r\n", "/a/b", False),
        ("User-agent: *\rDisallow: /a\r", "/a/b", False),
        ("user-AGENT:*\ndisALLOW:/a", "/a", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nAllow: /a\nDisallow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /a?b=", "/a?b=1", False),
        ("User-agent: *\nDisallow: /a%3cd.html", "/a%3Cd.html", False),
        ("User-agent: *\nDisallow: /ü", "/%C3%BC", False),
        ("User-agent: *\nDisallow: /a # why", "/a", False),
        ("Disallow: /", "/a", True),
        ("User-agent: *\nDisallow: /\nUser-agent: gossamer\nAllow: /", "/a", True),
        ("User-agent: GOSSAMER\nDisallow: /\nUser-agent: *\nAllow: /", "/a", False),
        ("User-agent: Gossamer/1.0 (x)\nDisallow: /", "/a", False),
        ("User-agent: Gossamer # us\nDisallow: /", "/a", False),
        ("User-agent: Goss\nDisallow: /", "/a", True),
        ("User-agent: GossamerBot\nDisallow: /", "/a", True),
        ("User-agent: other\nUser-agent: Gossamer\nDisallow: /a", "/a", False),
        ("User-agent: Gossamer\nDisallow: /a\n\nUser-agent: Gossamer\nDisallow: /b", "/b", False),
        ("User-agent: Gossamer\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", True),
        ("User-agent: *\nSitemap: /s\nDisallow: /a", "/a", False),
        ("<html><body>Not found: disallow</body></html>", "/a", True),
        ("User-agent: *\nDissallow: /a", "/a", False),
        # Only a rule ends a run of 'User-agent' lines.
        ("User-agent: Gossamer\nCrawl-delay: 5\nUser-agent: b\nDisallow: /a", "/a", False),
        ("User-agent: Gossamer\nNoindex: /\nUser-agent: b\nDisallow: /a", "/a", False),
        ("User-agent: Gossamer\nSitemap: /s\n\nUser-agent: b\nDisallow: /a", "/a", False),
        ("User-agent: b\nDisallow:\nUser-agent: *\nDisallow: /a", "/a", False),
        ("User-agent: b\nDisallow: /a\nUser-agent: *\nDisallow: /b", "/a", True),
        # As misspelt as real files are.
        ("User-agent: *\nDesallow: /a", "/a", False),
        ("useg-agent: *\nDisallow: /a", "/a", False),
        ("Useragent: *\nDisalow: /a", "/a", False),
        ("User agent: *\nDisallow : /a", "/a", False),
        ("User-agent *\nDisallow /a", "/a", False),
        ("User-agent: *\nDisallowed: /a", "/a", False),
        ("User-agent: *<BR>Disallow: /a<br />Allow: /a/b", "/a/c", False),
        ("User-agent: *<BR>Disallow: /a<br />Allow: /a/b", "/a/b", True),
        ("<pre>User-agent: *<br>Disallow: /a</pre>", "/a", False),
        ("<p>User-agent: *</p><p>Disallow: /a</p>", "/a", False),
        # The same address, with escapes and without.
        ("User-agent: *\nDisallow: /%63gi", "/cgi", False),
        ("User-agent: *\nDisallow: /~joe", "/%7Ejoe", False),
        ("User-agent: *\nDisallow: /a b", "/a%20b", False),
        ("User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
    ],
)
def test_rules(text: str, path: str, allows: bool) -> None:
    assert allowed(text, path) is allows


@pytest.mark.parametrize(
    ("status", "allows", "waits"),
    [
        (200, False, False),
        (204, False, False),
        (301, True, False),
        (400, True, False),
        (401, True, False),
        (403, True, False),
        (404, True, False),
        (410, True, False),
        (429, False, True),
        (500, False, True),
        (503, False, True),
        (999, False, True),
        (0, False, True),
    ],
)
def test_what_a_status_means(status: int, allows: bool, waits: bool) -> None:
    rules = rules_of("User-agent: *\nDisallow: /", status)
    assert rules.allows(f"{SITE}/a") is allows
    assert rules.waits is waits
    assert rules.allows(f"{SITE}/robots.txt")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("5", 5.0), ("0.5", 0.5), ("0", 0.0), ("1e308", 86_400.0), ("99999999", 86_400.0),
        ("-1", None), ("nan", None), ("inf", None), ("-inf", None), ("soon", None), ("", None),
        ("1 second", None), ("9" * 5_000, None),
    ],
)  # fmt: skip
def test_crawl_delay(value: str, seconds: float | None) -> None:
    assert rules_of(f"User-agent: *\nCrawl-delay: {value}").crawl_delay == seconds


def test_crawl_delay_of_others() -> None:
    text = "User-agent: other\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x"
    assert rules_of(text).crawl_delay is None


def test_sitemaps() -> None:
    text = f"Sitemap: {SITE}/a.xml\nUser-agent: *\nDisallow: /\nsitemap: /b.xml"
    assert rules_of(text).sitemaps == (f"{SITE}/a.xml", "/b.xml")
    assert rules_of(text, 500).sitemaps == ()


def test_sitemaps_as_they_are_written() -> None:
    text = (
        f"{SITE}/alone.xml\nSitemap: {SITE}/a.xml # why\nSitemap: {SITE}/a.xml\n"
        f"User-agent: *\nDisallow: /x\nSite-map: {SITE}/b.xml\nSitemap {SITE}/c.xml\n"
    )
    names = [f"{SITE}/{name}.xml" for name in ("alone", "a", "b", "c")]
    assert list(rules_of(text).sitemaps) == names


def test_a_delay_belongs_to_the_agents_before_it() -> None:
    text = "User-agent: other\nCrawl-delay: 9\nUser-agent: *\nCrawl-delay: 3\nDisallow: /x"
    assert rules_of(text).crawl_delay == 3.0
    assert rules_of(text, agent="other").crawl_delay == 3.0
    after = "User-agent: other\nUser-agent: *\nDisallow: /x\nCrawl-delay: 4"
    assert rules_of(after).crawl_delay == 4.0


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_encodings(encoding: str) -> None:
    mark = "" if encoding in ("utf-16", "utf-8-sig") else "\ufeff"
    body = (mark + "User-agent: *\r\nDisallow: /ü\r\n").encode(encoding)
    assert not allowed(robots._decoded(body), "/%C3%BC")


def test_a_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "User-agent: *\nDisallow: /only-here"
    first = rules_of(text)
    assert rules_of(text) is first
    assert rules_of(text, agent="Other") is not first
    small = robots._RulesCache(100)
    kept = small.rules("a" * 60, "x")
    assert small.rules("a" * 60, "x") is kept
    small.rules("b" * 60, "x")
    assert small.rules("a" * 60, "x") is not kept


def test_expiry() -> None:
    good = RobotsFile(SITE, 1_000.0, 200, "")
    assert not expired(good, 1_099, CrawlSettings(robots_lifetime_seconds=100))
    assert expired(good, 1_100, CrawlSettings(robots_lifetime_seconds=100))
    for status in (0, 429, 503):
        bad = RobotsFile(SITE, 1_000.0, status, "")
        assert not expired(bad, 1_059, CrawlSettings())
        assert expired(bad, 1_060, CrawlSettings())
        assert expired(bad, 1_010, CrawlSettings(robots_lifetime_seconds=10))


robots_lines = st.lists(
    st.tuples(
        st.sampled_from(["User-agent", "Disallow", "Allow", "Crawl-delay", "Sitemap", "x", ""]),
        st.sampled_from([":", " ", ": ", "\0", ":\t"]),
        st.text(max_size=12) | st.sampled_from(["*", "/", "/*a*$", "Gossamer", "1e400", "%zz"]),
        st.sampled_from(["\n", "\r\n", "\r", "\x0b", "\u2028"]),
    ).map("".join),
    max_size=20,
).map("".join)


@given(robots_lines, st.text(max_size=20))
def test_any_text_can_be_read(text: str, path: str) -> None:
    rules = rules_of(text)
    assert rules.allows(f"{SITE}/{path}") in (True, False)
    assert rules.crawl_delay is None or 0 <= rules.crawl_delay <= 86_400


def test_real_files() -> None:
    folder = os.environ.get("GOSSAMER_DATA")
    if not folder:
        pytest.skip("GOSSAMER_DATA is not set")
    with tarfile.open(Path(folder) / "robots" / "real-robots-sample.tar.gz") as archive:
        files = [archive.extractfile(member) for member in archive if member.isfile()]
        texts = [file.read().decode("utf-8", "replace") for file in files if file]
    assert len(texts) > 100
    for text in texts:
        rules = rules_of(text)
        for path in ("/", "/a/b.html", "/search?q=%C3%A4", "/robots.txt"):
            assert rules.allows(SITE + path) in (True, False)


# Over the network


def fetched(
    run: Run, talk: Any, origin: str | None = None, **settings: Any
) -> tuple[RobotsFetch, list[str]]:
    found: list[RobotsFetch] = []
    requests: list[str] = []

    async def ask() -> None:
        async with serve(talk) as server, client_of(**settings) as client:
            answer = await fetch_robots(
                client, origin or server.origin, CrawlSettings(**settings), 77.0
            )
            assert answer.file.origin == (origin or server.origin)
            found.append(answer)
            requests.extend(server.requests)

    run(ask())
    return found[0], requests


def test_a_file_is_fetched(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        body = gzip.compress(b"\xef\xbb\xbfUser-agent: *\nDisallow: /\xff")
        await peer.answer(body, "Content-Encoding: gzip\r\n")

    answer, requests = fetched(run, talk)
    assert answer.file.status == 200
    assert answer.file.text == "User-agent: *\nDisallow: /\ufffd"
    assert answer.file.fetched_at == 77.0
    assert (answer.requests, answer.outcome) == (1, Outcome.OK)
    assert requests == ["/robots.txt"]


def test_redirects_are_followed_to_other_hosts(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        number = 0 if peer.path == "/robots.txt" else int(peer.path[1:])
        if number == 5:
            await peer.answer(b"User-agent: *\nDisallow: /x")
        else:
            port = (peer.header("host") or "").rpartition(":")[2]
            host = "localhost" if number % 2 else "127.0.0.1"
            target = f"//{host}:{port}/{number + 1}" if number else "/1"
            await peer.answer(b"", f"Location: {target}\r\n", "302 Found")

    answer, requests = fetched(run, talk)
    assert (answer.file.status, answer.requests) == (200, 6)
    assert "Disallow: /x" in answer.file.text
    assert len(requests) == 6


@pytest.mark.parametrize("location", ["/robots.txt", "", "ftp://x/", "http://[", "\xff\xfe"])
def test_redirects_to_nowhere_mean_no_rules(run: Run, location: str) -> None:
    async def talk(peer: Peer) -> None:
        await peer.answer(b"Disallow: /", f"Location: {location}\r\n", "301 Moved")

    answer, _ = fetched(run, talk)
    assert (answer.file.status, answer.file.text) == (301, "")
    assert answer.requests <= 6
    assert RobotsRules.of(answer.file, "Gossamer").allows("http://x/a")


@pytest.mark.parametrize("status", [404, 403, 429, 500])
def test_other_statuses_are_kept(run: Run, status: int) -> None:
    async def talk(peer: Peer) -> None:
        await peer.answer(b"User-agent: *\nDisallow: /", status=f"{status} X")

    answer, _ = fetched(run, talk)
    assert (answer.file.status, answer.file.text) == (status, "")
    assert answer.outcome is Outcome.OK


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"Disallow: /a")[:-9],
        b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99000000\r\n\r\nabc",
    ],
    ids=["nothing", "cut", "cut gzip", "unknown encoding", "far too large"],
)
def test_half_a_file_is_no_file(run: Run, data: bytes) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(data)

    answer, _ = fetched(run, talk)
    assert (answer.file.status, answer.file.text) == (0, "")
    assert answer.outcome is not Outcome.OK
    assert answer.detail


@pytest.mark.parametrize(
    ("origin", "settings", "outcome"),
    [
        ("http://127.0.0.1:1", {}, Outcome.CONNECT_ERROR),
        (f"http://{DEAD_NAME}", {}, Outcome.DNS_ERROR),
        ("http://127.0.0.1", {"allow_private": False}, Outcome.ADDRESS_REFUSED),
    ],
)
def test_an_origin_that_cannot_be_reached(
    run: Run, origin: str, settings: dict[str, Any], outcome: Outcome
) -> None:
    async def talk(peer: Peer) -> None:
        await peer.answer()

    answer, _ = fetched(run, talk, origin, **settings)
    assert answer.file.status == 0
    assert answer.outcome is outcome
    assert RobotsRules.of(answer.file, "Gossamer").waits


def test_a_large_file_is_read_up_to_a_whole_line(run: Run) -> None:
    line = b"Disallow: /a-path-of-some-length\n"

    async def talk(peer: Peer) -> None:
        await peer.answer(b"User-agent: *\n" + line * 40_000)

    answer, _ = fetched(run, talk)
    assert 500 * 1024 <= len(answer.file.text) <= 512 * 1024
    assert answer.file.text.endswith(line.decode())
    # Refused by its length alone, nothing of it was read.
    answer, _ = fetched(run, talk, max_wire_bytes=1_000_000)
    assert (answer.file.status, answer.outcome) == (0, Outcome.TOO_LARGE)


def test_a_large_file_of_unknown_length(run: Run) -> None:
    line = b"Disallow: /a-path-of-some-length\n"

    async def talk(peer: Peer) -> None:
        await peer.send(b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n" + line * 40_000)

    answer, _ = fetched(run, talk, max_wire_bytes=1_000_000)
    assert answer.file.status == 200
    assert answer.file.text.endswith(line.decode())


def test_cancelling_goes_through(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.gone()

    async def check() -> None:
        async with serve(talk) as server, client_of() as client:
            work = fetch_robots(client, server.origin, CrawlSettings(), 0.0)
            task = asyncio.create_task(work)
            await server.asked.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(check())
