"""How fast one host is visited. Pure logic: the time is handed in, nothing waits here."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from gossamer.config import CrawlSettings
from gossamer.crawl.addresses import is_public

PUBLIC_DELAY_SECONDS = 1.0
"""Between two requests to a host on the public internet, unless the user says less."""

FIRST_BACKOFF_SECONDS = 5.0
_BACKOFF_DOUBLINGS = 20
_LEAST_RETRY_AFTER_SECONDS = 1.0  # a server that is overloaded 'for 0 seconds' still is
_SMOOTHING = 0.3  # the weight of the newest response time
_OVERLOADED = frozenset({429, 503})
_LONGEST_HEADER = 100
_LONGEST_NUMBER = 12  # digits: thirty thousand years


def parse_retry_after(value: str, now: float, max_seconds: float) -> float | None:
    """Seconds to wait from `now`, between 0 and `max_seconds`; None where it says nothing."""
    text = value.strip()
    if not text or len(text) > _LONGEST_HEADER or not text.isascii():
        return None
    number = text.partition(".")[0]
    if number.isdigit():
        if len(number) > _LONGEST_NUMBER:
            return max_seconds
        return min(float(number), max_seconds)
    try:
        # Reads all three formats that HTTP allows.
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        seconds = (date - datetime.fromtimestamp(now, UTC)).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None
    return min(max(seconds, 0.0), max_seconds)


class HostPace:
    """The pace of one host. Tell it of every request that starts and ends.

    With one connection the pause lies between an answer and the next request; with several,
    between the starts of requests.
    """

    __slots__ = (
        "_delay_setting",
        "_judge_addresses",
        "_max_delay",
        "_public",
        "active",
        "backoffs",
        "connections",
        "crawl_delay",
        "next_start",
        "response_seconds",
    )

    def __init__(
        self,
        settings: CrawlSettings,
        *,
        connections: int | None = None,
        ready_at: float = 0.0,
        response_seconds: float = 0.0,
    ) -> None:
        self._delay_setting = settings.delay_seconds
        self._max_delay = settings.max_delay_seconds
        # Behind a proxy we see the proxy's address, which says nothing about the host's.
        self._judge_addresses = not settings.proxies
        self._public = True  # until an address shows otherwise
        self.connections = connections or settings.connections_per_host
        self.crawl_delay: float | None = None  # what robots.txt asks for
        self.next_start = ready_at
        self.response_seconds = response_seconds  # smoothed
        self.active = 0
        self.backoffs = 0  # in a row

    def delay(self) -> float:
        """Seconds between two requests."""
        if self._delay_setting == "auto":
            floor = PUBLIC_DELAY_SECONDS if self._public else 0.0
            # Several connections together ask as often as one connection each would.
            seconds = max(floor, self.response_seconds / self.connections)
        else:
            seconds = self._delay_setting
        if self.crawl_delay is not None:
            seconds = max(seconds, self.crawl_delay)
        return min(seconds, self._max_delay)

    def may_start(self, now: float) -> bool:
        return self.active < self.connections and now >= self.next_start

    def ready_in(self, now: float) -> float:
        """Seconds until the next request is due, were a connection free."""
        return max(0.0, self.next_start - now)

    def met(self, address: str) -> None:
        """The address that the host's name led to."""
        if address and self._judge_addresses:
            self._public = is_public(address)

    def started(self, now: float) -> None:
        self.active += 1
        self.rest(now)

    def finished(
        self, now: float, seconds: float, status: int, retry_after: str = "", wall: float = 0.0
    ) -> None:
        """`status`: 0 where no answer came. `retry_after`: the header; `wall`: seconds since
        1970, to read a date in it."""
        self.active -= 1
        if self.response_seconds:
            self.response_seconds += _SMOOTHING * (seconds - self.response_seconds)
        else:
            self.response_seconds = seconds
        if self.connections == 1:
            self.rest(now)
        if status in _OVERLOADED:
            self.back_off(now, parse_retry_after(retry_after, wall, self._max_delay))
        elif status:
            self.backoffs = 0

    def rest(self, now: float) -> None:
        """No request for one delay from now."""
        self.next_start = max(self.next_start, now + self.delay())

    def back_off(self, now: float, retry_after_seconds: float | None = None) -> float:
        """The whole host rests; returns for how long."""
        self.backoffs += 1
        if retry_after_seconds is None:
            doublings = min(self.backoffs - 1, _BACKOFF_DOUBLINGS)
            # Jitter, so that the fetchers of many hosts behind one server do not come back as one.
            pause = FIRST_BACKOFF_SECONDS * 2.0**doublings * random.uniform(1.0, 1.25)
        else:
            pause = max(_LEAST_RETRY_AFTER_SECONDS, retry_after_seconds)
        pause = min(pause, self._max_delay)
        self.next_start = max(self.next_start, now + pause)
        return pause
