from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import CrawlSettings
from gossamer.crawl.politeness import HostPace, parse_retry_after

NOW = datetime(1994, 11, 6, 8, 49, 7, tzinfo=UTC).timestamp()
CAP = 600.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("1.9", 1.0),
        ("99999", CAP),
        ("9" * 90, CAP),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 30.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 30.0),
        ("Sun Nov  6 08:49:37 1994", 30.0),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0.0),
        ("Sun, 06 Nov 2094 08:00:00 GMT", CAP),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("nan", None),
        ("1e308", None),
        ("٣", None),
        ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 99999 08:49:37 GMT", None),
        ("9" * 5_000, None),
    ],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW, CAP) == seconds


@given(st.text(), st.floats(min_value=0, max_value=4e9))
def test_any_retry_after_is_bounded(value: str, now: float) -> None:
    seconds = parse_retry_after(value, now, CAP)
    assert seconds is None or 0 <= seconds <= CAP


@given(st.integers(min_value=1, max_value=500))
def test_dates_round_trip(ahead: int) -> None:
    date = format_datetime(datetime.fromtimestamp(NOW, UTC) + timedelta(seconds=ahead), usegmt=True)
    assert parse_retry_after(date, NOW, CAP) == ahead


def pace(**settings: Any) -> HostPace:
    return HostPace(CrawlSettings(**settings))


def test_a_public_host_gets_a_second() -> None:
    host = pace()
    assert host.delay() == 1.0
    host.met("93.184.216.34")
    assert host.delay() == 1.0
    host.met("127.0.0.1")
    assert host.delay() == 0.0
    host.met("")
    assert host.delay() == 0.0


def test_a_proxy_says_nothing_about_the_host() -> None:
    host = pace(proxies=("http://127.0.0.1:3128",))
    host.met("127.0.0.1")
    assert host.delay() == 1.0


def test_a_slow_host_gets_its_own_response_time() -> None:
    host = pace()
    for _ in range(50):
        host.started(0)
        host.finished(0, 4.0, 200)
    assert host.delay() == pytest.approx(4.0)
    for _ in range(50):
        host.started(0)
        host.finished(0, 0.1, 200)
    assert host.delay() == 1.0


def test_a_number_is_taken_as_it_is() -> None:
    host = pace(delay_seconds=0.25)
    host.started(0)
    host.finished(0, 4.0, 200)
    assert host.delay() == 0.25
    host.crawl_delay = 3
    assert host.delay() == 3
    host.crawl_delay = 86_400
    assert host.delay() == 600
    host.crawl_delay = 0.1
    assert host.delay() == 0.25


def test_one_connection_pauses_after_the_answer() -> None:
    host = pace(delay_seconds=2)
    assert host.may_start(0)
    host.started(10)
    assert not host.may_start(100)
    host.finished(15, 5.0, 200)
    assert not host.may_start(16.9)
    assert host.ready_in(16) == 1
    assert host.may_start(17)
    assert host.ready_in(18) == 0


def test_several_connections_pause_between_starts() -> None:
    host = pace(delay_seconds=2, connections_per_host=2)
    host.started(10)
    assert not host.may_start(11)
    assert host.may_start(12)
    host.started(12)
    assert not host.may_start(20)
    host.finished(20, 10.0, 200)
    assert host.may_start(20)


@pytest.mark.parametrize("connections", [1, 2])
def test_a_rest_lasts_for_the_delay_of_now(connections: int) -> None:
    host = pace(delay_seconds=0, connections_per_host=connections)
    host.started(10)
    host.finished(12, 2.0, 200)
    host.rest(12)
    assert host.may_start(12)
    host.crawl_delay = 3
    host.rest(12)
    assert host.next_start == 15
    host.rest(11)
    assert host.next_start == 15


def test_backing_off() -> None:
    host = pace()
    waits = []
    now = 0.0
    for _ in range(12):
        host.started(now)
        host.finished(now, 0.1, 503)
        waits.append(host.ready_in(now))
        now += waits[-1]
    assert 5 <= waits[0] <= 6.25
    assert 10 <= waits[1] <= 12.5
    assert 20 <= waits[2] <= 25
    assert waits[-1] == 600
    assert host.backoffs == 12
    host.started(now)
    host.finished(now, 0.1, 0)
    assert host.backoffs == 12
    host.started(now)
    host.finished(now, 0.1, 404)
    assert host.backoffs == 0
    assert host.ready_in(now) <= 1
    host.started(now)
    host.finished(now, 0.1, 429)
    assert 5 <= host.ready_in(now) <= 6.25


@pytest.mark.parametrize(
    ("header", "wait"),
    [("30", 30), ("0", 1), ("86400", 600), ("Sun, 06 Nov 1994 08:49:37 GMT", 30)],
)
def test_retry_after_is_obeyed(header: str, wait: float) -> None:
    host = pace()
    host.started(5)
    host.finished(5, 0.1, 429, header, NOW)
    assert host.ready_in(5) == wait


steps = st.tuples(
    st.floats(min_value=0, max_value=1_000),
    st.floats(min_value=0, max_value=100),
    st.sampled_from([0, 200, 301, 404, 429, 500, 503]),
    st.sampled_from(["", "7", "x", "99999999", "-1"]),
)


@given(
    st.lists(steps, max_size=30),
    st.sampled_from(["auto", 0.0, 0.5, 30.0]),
    st.none() | st.floats(min_value=0, max_value=1e6),
    st.integers(min_value=1, max_value=4),
)
def test_no_two_requests_come_closer_than_the_delay(
    visits: list[tuple[float, float, int, str]],
    setting: Any,
    crawl_delay: float | None,
    connections: int,
) -> None:
    host = pace(delay_seconds=setting, connections_per_host=connections)
    host.crawl_delay = crawl_delay
    now = 0.0
    due = 0.0
    for wait, seconds, status, header in visits:
        now = max(now + wait, host.next_start)
        assert host.may_start(now)
        delay = host.delay()
        assert 0 <= delay <= 600
        assert now >= due
        due = now + delay
        host.started(now)
        assert host.active == 1
        now += seconds
        host.finished(now, seconds, status, header, NOW)
        assert host.ready_in(now) <= 600 * 1.000_001
        assert (host.backoffs > 0) == (status in (429, 503)) or status == 0
