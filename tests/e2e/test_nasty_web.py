"""One crawl over all nasty hosts: each of them ends as outcomes, and the counts add up."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from gossamer.records import Directives, Outcome
from tests.crawling import assert_adds_up
from tests.e2e.nasty import MAX_DELAY_SECONDS, STALL_SECONDS, TRIES, NastyCrawl, crawl_nasty_hosts
from tests.web.hosts import charsets, robots, status
from tests.web.hosts.manners import DUPLICATES

CLOCK_SECONDS = 0.1  # two processes note times: the server's and ours


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> NastyCrawl:
    home: Path = tmp_path_factory.mktemp("nasty")
    return crawl_nasty_hosts(home)


# Counts


def test_every_url_is_in_exactly_one_state(crawl: NastyCrawl) -> None:
    assert_adds_up(crawl.statistics)
    assert crawl.report["state"] == "finished"
    assert crawl.statistics.get("queued", 0) == crawl.statistics.get("leased", 0) == 0


def test_the_statistics_count_what_is_stored(crawl: NastyCrawl) -> None:
    statistics, rows = crawl.statistics, crawl.rows
    for outcome, count in Counter(row["outcome"] for row in rows).items():
        assert statistics[f"done.{outcome}"] == count, outcome
    for code, count in Counter(row["status"] for row in rows if row["status"]).items():
        assert statistics[f"status.{code}"] == count, code
    assert statistics["stored.pages"] == len(rows)
    assert statistics["pages"] == sum(Outcome(row["outcome"]).answered for row in rows)
    assert statistics["wire_bytes"] == sum(row["wire_bytes"] for row in rows)
    assert statistics["body_bytes"] == sum(row["body_bytes"] for row in rows)
    on_pages = statistics["links.found"] - statistics["robots.sitemaps"]
    assert on_pages == sum(row["link_count"] for row in rows)
    assert statistics["stored.links"] == on_pages - statistics["links.other"]


def test_documents_are_what_may_be_shown(crawl: NastyCrawl) -> None:
    documents = [
        row
        for row in crawl.rows
        if row["outcome"] == "ok" and not row["directives"] & Directives.NOINDEX
    ]
    assert crawl.statistics["documents"] == len(documents)


# Statuses


def expected_outcome(code: int) -> str:
    if code < 200:
        return "protocol_error"  # nothing final follows
    if code < 300:
        return "ok"
    if code in status.REDIRECTS:
        return "redirect"
    if code == 304:
        return "not_modified"
    # 300 offers a choice, 305 and 306 ask for a proxy: none of them is to be followed.
    if code in (300, 305, 306) or code >= 400:
        return "http_error"
    return "redirect_invalid"


def test_every_status_has_its_outcome(crawl: NastyCrawl) -> None:
    found = {code: crawl.page("status.test", f"/{code}") for code in range(101, 600)}
    wrong = {
        code: row["outcome"]
        for code, row in found.items()
        if row["outcome"] != expected_outcome(code)
    }
    assert not wrong
    assert all(row["status"] == code for code, row in found.items() if code >= 200)


def test_what_may_pass_is_tried_again(crawl: NastyCrawl) -> None:
    tries = {code: crawl.page("status.test", f"/{code}")["tries"] for code in range(300, 600)}
    may_pass = {408, 429, 500, 502, 503, 504}
    assert {code: tries[code] for code in may_pass} == dict.fromkeys(may_pass, TRIES)
    for code in (404, 410, 501, 505):
        assert sum(entry.path == f"/{code}" for entry in crawl.requests("status.test")) == 1


def test_interim_and_impossible_statuses(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("status.test")
    for path in ("/100-then-200", "/103-then-200", "/many-100-then-200", "/204-with-body"):
        assert outcomes[path] == "ok", path
    assert outcomes["/304-with-length"] == "not_modified"
    assert (outcomes["/999"], crawl.page("status.test", "/999")["status"]) == ("http_error", 999)
    assert outcomes["/000"] == outcomes["/1000"] == "protocol_error"


# Redirects


def test_redirects_are_followed_hop_by_hop(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("redirects.test")
    assert all(outcomes[f"/chain/{length}"] == "redirect" for length in range(1, 31))
    assert outcomes["/chain/0"] == outcomes["/end"] == "ok"
    assert crawl.page("redirects.test", "/chain/1")["location"].endswith("/chain/0")
    assert outcomes["/loop-until-cookie"] == "ok"
    assert crawl.page("elsewhere.test", "/landing")["outcome"] == "ok"
    assert crawl.page("redirects.test", "/k%C3%B6ln/%E6%97%A5%E6%9C%AC")["outcome"] == "ok"


def test_redirects_end(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("redirects.test")
    assert outcomes["/loop-self"] == "redirect_loop"
    assert outcomes["/location-query?found"] == "redirect_loop"
    # Both are linked: each has been visited once, and leads to what is known.
    assert outcomes["/loop-a"] == outcomes["/loop-b"] == "redirect"
    last = crawl.page("redirects.test", "/endless" + 10 * "x")
    assert last["outcome"] == "redirect_limit"
    assert len(last["via"]) == 10
    assert "/endless" + 11 * "x" not in crawl.paths("redirects.test")


@pytest.mark.parametrize(
    "name",
    [
        *("location-missing", "location-empty", "location-spaces", "location-garbage"),
        *("location-bad-port", "location-long", "to-ftp", "to-file", "to-gopher"),
        *("to-javascript", "to-mailto", "to-data"),
    ],
)
def test_locations_that_lead_nowhere(crawl: NastyCrawl, name: str) -> None:
    assert crawl.page("redirects.test", f"/{name}")["outcome"] == "redirect_invalid"


def test_redirects_obey_robots_and_scope(crawl: NastyCrawl) -> None:
    assert crawl.page("redirects.test", "/to-disallowed")["outcome"] == "redirect"
    assert "/forbidden" not in crawl.paths("redirects.test")
    # The literal addresses that redirects lead to are on no seed's host.
    assert not [entry for entry in crawl.log if entry.path == "/from-redirect"]
    assert crawl.statistics["excluded.scope"] > 0


# Bodies


def test_bombs_and_endless_bodies_are_cut(crawl: NastyCrawl) -> None:
    bombs, endless = crawl.outcomes("bombs.test"), crawl.outcomes("endless.test")
    for kind in ("gzip", "deflate", "deflate-raw", "br", "double-gzip"):
        assert bombs[f"/bomb-{kind}"] == "too_large", kind
    assert bombs["/bomb-in-bomb"] in ("too_large", "bad_encoding")
    for path in ("/body", "/chunked", "/tiny-chunks", "/claimed-length"):
        assert endless[path] == "too_large", path
    for path in ("/header", "/headers", "/interim", "/status-line"):
        assert endless[path] == "protocol_error", path
    assert endless["/slow-body"] == "timeout"


def test_content_encodings_are_undone(crawl: NastyCrawl) -> None:
    for name in (
        *("negotiated", "gzip", "x-gzip", "upper-case", "deflate", "deflate-raw", "br"),
        *("identity", "gzip-members", "double-gzip", "trailing-garbage"),
        *("lie-gzip", "lie-br", "lie-deflate"),
    ):
        row = crawl.page("bombs.test", f"/{name}")
        assert row["outcome"] == "ok", name
        assert "This page was packed and unpacked." in row["text"], name
    for name in ("unknown-encoding", "bad-checksum"):
        assert crawl.page("bombs.test", f"/{name}")["outcome"] == "bad_encoding", name
    for name in ("truncated-gzip", "truncated-br"):
        row = crawl.page("bombs.test", f"/{name}")
        assert (row["outcome"], row["truncated"]) == ("ok", True), name


@pytest.mark.parametrize("path", sorted(charsets.EXPECTED.keys() - charsets.GUESSED))
def test_charsets(crawl: NastyCrawl, path: str) -> None:
    row = crawl.page("charsets.test", path)
    assert row["outcome"] == "ok"
    assert charsets.EXPECTED[path] in row["text"]


def test_charsets_that_nobody_named_are_mostly_guessed(crawl: NastyCrawl) -> None:
    right = [
        path
        for path in charsets.GUESSED
        if charsets.EXPECTED[path] in crawl.page("charsets.test", path)["text"]
    ]
    assert len(right) >= 0.7 * len(charsets.GUESSED)


def test_broken_html_is_read(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("broken.test")
    for name in (
        *("unclosed", "misnested", "tag-soup", "cut-in-tag", "cut-in-script", "cut-in-comment"),
        *("two-titles", "no-html", "nested", "nested-unclosed", "nested-tables"),
        *("megabyte-attribute", "megabyte-title"),
    ):
        row = crawl.page("broken.test", f"/{name}")
        assert row["outcome"] == "ok", name
        assert row["truncated"] or "should find this sentence" in row["text"], name
    assert {outcomes[f"/many/{number}"] for number in range(200)} == {"http_error"}
    assert "/written" not in crawl.paths("broken.test")


def test_odd_headers(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("headers.test")
    for name in ("folded", "lf-only", "http-1.0", "chunked", "many-cookies", "no-headers"):
        assert outcomes[f"/{name}"] == "ok", name
    for name in ("type-json", "type-png", "type-png-as-html", "type-video"):
        assert outcomes[f"/{name}"] == "unsupported", name
    for name in ("type-pdf", "type-pdf-as-html"):
        assert outcomes[f"/{name}"] == "unreadable", name
    for name in ("http-0.9", "status-word", "very-huge-header", "many-headers"):
        assert outcomes[f"/{name}"] == "protocol_error", name
    for name in ("type-missing", "type-upper", "type-octet-html", "type-garbage"):
        assert "under this odd head is fine" in crawl.page("headers.test", f"/{name}")["text"]


# Hosts that hang, drop, or are not there


def test_hanging_answers_time_out(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("hang.test")
    assert outcomes.pop("/") == outcomes.pop("/drip-fast") == "ok"
    assert set(outcomes.values()) == {"timeout"}
    assert crawl.outcomes("slow.test")["/500ms"] == "ok"
    assert crawl.outcomes("slow.test")["/5000ms"] == "timeout"


def test_dropped_answers_are_protocol_errors(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("drop.test")
    whole = {"/", "/length-too-small", "/no-length", "/first-time"}
    assert {path for path, outcome in outcomes.items() if outcome == "ok"} - whole <= {
        "/in-headers"  # see the next test
    }
    assert all(outcomes[path] == "ok" for path in whole)
    assert crawl.page("drop.test", "/first-time")["tries"] == 2


def test_a_head_that_is_cut_is_no_answer(crawl: NastyCrawl) -> None:
    assert crawl.page("drop.test", "/in-headers")["outcome"] == "protocol_error"


@pytest.mark.parametrize(
    ("host", "outcome"),
    [
        ("refused.test", "connect_error"),
        ("silent.test", "timeout"),
        ("close-at-accept.test", "protocol_error"),
    ],
)
def test_a_host_that_is_not_there_is_not_called_closed_by_robots(
    crawl: NastyCrawl, host: str, outcome: str
) -> None:
    assert crawl.outcomes(host) == {"/": outcome}


def test_a_host_that_resets_every_connection(crawl: NastyCrawl) -> None:
    # Whether the reset is noticed while connecting or after it is a matter of microseconds.
    (outcome,) = crawl.outcomes("reset-at-accept.test").values()
    assert outcome in ("protocol_error", "connect_error")


# Manners


@pytest.mark.parametrize("host", sorted(robots.MAY_FETCH))
def test_robots_are_obeyed(crawl: NastyCrawl, host: str) -> None:
    allowed = robots.MAY_FETCH[host]
    if host == "robots-agents.test":
        allowed |= {"/private"}  # this file welcomes us by name
    asked = {path for path in crawl.paths(host) if not path.endswith((".txt", ".xml"))}
    # The pages are linked from '/': where that is closed, nobody learns of them.
    assert asked == (allowed if "/" in allowed else set())


def test_robots_are_asked_for_once(crawl: NastyCrawl) -> None:
    asked = Counter(entry.host for entry in crawl.log if entry.path == "/robots.txt")
    again = {host for host, count in asked.items() if count > 1}
    # Those that could not be had, one that redirects to itself, and one that others lead to.
    assert again <= {
        *("robots-429.test", "robots-500.test", "robots-503.test", "robots-hanging.test"),
        *("robots-dropped.test", "robots-redirect-loop.test", "robots-bom.test"),
        *("rate-limited.test", "robots-delayed.test"),  # nearly too slow
    }
    assert sum(asked.values()) < 2.5 * len(asked)


NOFOLLOW = {
    *("/meta-nofollow", "/meta-none", "/meta-several", "/meta-twice"),
    *("/header-nofollow", "/header-none", "/header-and-meta"),
}
NOINDEX = {
    *("/meta-noindex", "/meta-none", "/meta-several", "/meta-twice", "/meta-for-us"),
    *("/header-noindex", "/header-none", "/header-for-us", "/header-and-meta"),
}
NOSNIPPET = {"/meta-nosnippet", "/header-several"}
NOARCHIVE = {"/meta-noarchive", "/meta-several", "/header-several"}


@pytest.mark.parametrize("path", sorted(robots.DIRECTIVES))
def test_directives_are_kept_and_obeyed(crawl: NastyCrawl, path: str) -> None:
    expected = (
        Directives.NOINDEX * (path in NOINDEX)
        | Directives.NOFOLLOW * (path in NOFOLLOW)
        | Directives.NOSNIPPET * (path in NOSNIPPET)
        | Directives.NOARCHIVE * (path in NOARCHIVE)
    )
    assert crawl.page("directives.test", path)["directives"] == expected
    assert (f"/behind{path}" in crawl.paths("directives.test")) == (path not in NOFOLLOW)


def test_links_with_nofollow_are_not_followed(crawl: NastyCrawl) -> None:
    assert "/behind-plain" in crawl.paths("directives.test")
    assert "/behind-rel" not in crawl.paths("directives.test")
    assert crawl.statistics["links.nofollow"] == len(NOFOLLOW) + 1


def test_duplicates_are_counted_and_named(crawl: NastyCrawl) -> None:
    named = [row for row in crawl.rows if row["duplicate_of"]]
    by_url = {row["url"]: row for row in crawl.rows}
    assert crawl.statistics["duplicates"] == len(named)
    for row in named:
        first = by_url[row["duplicate_of"]]
        assert not first["duplicate_of"]
        assert first["content_hash"] == row["content_hash"]
    same = [crawl.page("duplicates.test", f"/copy/{number}") for number in range(DUPLICATES)]
    same.append(crawl.page("mirror.test", "/"))
    assert sum(not row["duplicate_of"] for row in same) <= 1
    assert not any(crawl.page("duplicates.test", f"/near/{n}")["duplicate_of"] for n in range(5))


def test_the_cookie_opens_the_members_page(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("cookies.test")
    assert outcomes["/members"] == outcomes["/members/2"] == "ok"
    sent = crawl.page("cookies.test", "/echo")["text"]
    assert "session=letmein" in sent
    assert "a=1" not in sent  # set for another domain


def test_validators_are_kept(crawl: NastyCrawl) -> None:
    assert crawl.page("etag.test", "/etag")["etag"] == '"abc-123"'
    assert crawl.page("etag.test", "/weak-etag")["etag"] == 'W/"weak"'
    dated = crawl.page("etag.test", "/last-modified")
    assert dated["last_modified"] == "Tue, 02 Jan 2024 03:04:05 GMT"
    assert crawl.page("etag.test", "/always-304")["outcome"] == "not_modified"


# Pace, by the server's log

PAUSES = {"/429-seconds": 1.0, "/429-past-date": 1.0, "/503-seconds": 1.0}


@pytest.mark.parametrize("host", ["backoff.test", "rate-limited.test", "status.test"])
def test_429_and_503_back_off_the_whole_host(crawl: NastyCrawl, host: str) -> None:
    overloaded = 0
    for entry, following in pairwise(crawl.requests(host)):
        if entry.status in (429, 503):
            overloaded += 1
            expected = 1.0 if host == "rate-limited.test" else PAUSES.get(entry.path, 2.0)
            assert following.time - entry.time >= expected - CLOCK_SECONDS, entry
    assert overloaded
    assert crawl.statistics["backoffs"] >= overloaded


def test_a_host_that_was_busy_is_fine_later(crawl: NastyCrawl) -> None:
    outcomes = crawl.outcomes("backoff.test")
    assert outcomes.pop("/503-seconds") == "http_error"  # busy twice, and we try twice
    assert set(outcomes.values()) == {"ok"}


def test_the_crawl_delay_is_kept(crawl: NastyCrawl) -> None:
    _, *requests = crawl.requests("robots-crawl-delay.test")  # the first brings the wish
    gaps = [later.time - earlier.time for earlier, later in pairwise(requests)]
    assert len(gaps) == 2
    assert min(gaps) >= 1.0 - CLOCK_SECONDS
    assert max(gaps) < 1.0 + 2 * MAX_DELAY_SECONDS


def test_requests_to_one_host_never_overlap(crawl: NastyCrawl) -> None:
    for entry, following in pairwise(crawl.requests("slow.test")):
        milliseconds = entry.path.strip("/").removesuffix("ms")
        if milliseconds.isdecimal():
            taken = min(int(milliseconds) / 1000, STALL_SECONDS)
            assert following.time - entry.time >= taken - CLOCK_SECONDS, entry
    for entry, following in pairwise(crawl.requests("hang.test")):
        if crawl.outcomes("hang.test").get(entry.path) == "timeout":
            assert following.time - entry.time >= STALL_SECONDS - CLOCK_SECONDS, entry
