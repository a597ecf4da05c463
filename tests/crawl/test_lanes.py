from typing import Any

import pytest

from gossamer.config import CrawlSettings
from gossamer.crawl.lanes import Lane
from gossamer.crawl.politeness import HostPace
from gossamer.records import HostGrant, RobotsFile

SETTINGS = CrawlSettings(delay_seconds=0)
ORIGIN = "http://a.example"
AGENT = "Gossamer"
NOW = 1_000_000.0


def lane() -> Lane:
    return Lane("a.example", HostPace(SETTINGS))


def grant(**values: Any) -> HostGrant:
    defaults = {"connections": 1, "ready_at": 0.0, "response_seconds": 0.0, "bytes_left": -1}
    return HostGrant("a.example", **{**defaults, **values})


def robots(text: str, fetched_at: float = NOW, origin: str = ORIGIN) -> RobotsFile:
    return RobotsFile(origin, fetched_at, 200, text)


def test_a_grant_says_how_many_connections_there_are() -> None:
    here = lane()
    here.take_grant(grant(connections=3), AGENT)
    assert (here.connections, here.pace.connections) == (3, 3)
    here.take_grant(grant(connections=2), AGENT)
    assert (here.connections, here.pace.connections) == (2, 2)


@pytest.mark.parametrize(
    ("grants", "spent", "left"),
    [
        ([-1], 500, -1),
        ([1_000], 300, 700),
        ([1_000], 1_500, 0),
        ([1_000, 400], 0, 400),
        ([400, 1_000], 100, 300),  # the second one does not know of what is being fetched
        ([0], 100, 0),
    ],
)
def test_the_bytes_of_a_host(grants: list[int], spent: int, left: int) -> None:
    here = lane()
    for bytes_left in grants:
        here.take_grant(grant(bytes_left=bytes_left), AGENT)
    here.spend(spent)
    assert here.bytes_left == left
    assert here.wire_bytes == spent


def test_the_newest_robots_file_counts() -> None:
    here = lane()
    here.take_grant(grant(robots=(robots("User-agent: *\nDisallow: /new", NOW),)), AGENT)
    here.take_grant(grant(robots=(robots("User-agent: *\nDisallow: /old", NOW - 10),)), AGENT)
    rules = here.rules[ORIGIN]
    assert (rules.allows(f"{ORIGIN}/new"), rules.allows(f"{ORIGIN}/old")) == (False, True)
    here.take_grant(grant(robots=(robots("", NOW + 10),)), AGENT)
    assert here.rules[ORIGIN].allows(f"{ORIGIN}/new")


def test_robots_are_needed_once_in_their_lifetime() -> None:
    here = lane()
    assert here.needs_robots(ORIGIN, NOW, SETTINGS)
    here.set_robots(robots(""), AGENT)
    assert not here.needs_robots(ORIGIN, NOW, SETTINGS)
    assert here.needs_robots("https://a.example", NOW, SETTINGS)  # has rules of its own
    assert here.needs_robots(ORIGIN, NOW + SETTINGS.robots_lifetime_seconds + 1, SETTINGS)


def test_the_longest_crawl_delay_of_all_origins_counts() -> None:
    here = lane()
    slow = "User-agent: *\nCrawl-delay: {}"
    here.set_robots(robots(slow.format(7)), AGENT)
    here.set_robots(robots(slow.format(3), origin="https://a.example"), AGENT)
    assert here.pace.delay() == 7
    here.set_robots(robots(""), AGENT)
    assert here.pace.delay() == 3
    here.set_robots(robots("", origin="https://a.example"), AGENT)
    assert here.pace.delay() == 0


def test_a_report_is_made_once() -> None:
    here = lane()
    here.pace.started(NOW)
    here.pace.finished(NOW + 0.5, 0.5, 503, "30", 0.0)
    here.spend(123)
    here.backoffs = 1
    here.sets_cookies = True
    here.new_files.append(robots("x"))
    report = here.report(NOW + 1, ("cookie",))
    assert (report.host, report.wire_bytes, report.backoffs) == ("a.example", 123, 1)
    assert (report.robots, report.cookies) == ((robots("x"),), ("cookie",))
    assert report.ready_after_seconds == pytest.approx(29.5)
    assert report.response_seconds == 0.5
    again = here.report(NOW + 100, ())
    assert (again.wire_bytes, again.backoffs, again.robots, again.cookies) == (0, 0, (), ())
    assert again.ready_after_seconds == 0
    assert not here.sets_cookies
