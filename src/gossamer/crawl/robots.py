"""What an origin allows us: robots.txt as RFC 9309 reads it.

A file that cannot be had now (no answer, 5xx, 429) means 'not yet': nothing is allowed, and it is
asked for again soon. One that does not exist (4xx) means 'everything'.
"""

import codecs
import hashlib
import math
from collections import OrderedDict
from typing import NamedTuple, Protocol

from protego import Protego

from gossamer.config import CrawlSettings
from gossamer.crawl.content_encoding import decode_body
from gossamer.crawl.fetch import Request, location_of
from gossamer.crawl.robots_text import Key, read_robots
from gossamer.records import Exchange, Outcome, RobotsFile
from gossamer.urls import Resolver

MAX_ROBOTS_BYTES = 512 * 1024
MAX_ROBOTS_REDIRECTS = 5
MOST_SITEMAPS = 5_000

_LONGEST_CRAWL_DELAY = 86_400.0
_CACHED_CHARACTERS = 16_000_000
_BOM = "\ufeff"


class _Fetcher(Protocol):
    async def fetch(self, request: Request) -> Exchange: ...


class RobotsFetch(NamedTuple):
    """`outcome` and `detail` say why there is no answer, where there is none (`file.status` 0)."""

    file: RobotsFile
    requests: int
    outcome: Outcome
    detail: str


class RobotsRules:
    """What one file says to us. Made by `of`."""

    __slots__ = ("_agent", "_parser", "crawl_delay", "sitemaps", "waits")

    def __init__(
        self,
        agent: str,
        parser: Protego | None = None,
        *,
        waits: bool = False,
        crawl_delay: float | None = None,
        sitemaps: tuple[str, ...] = (),
    ) -> None:
        self._agent = agent
        self._parser = parser  # None: there are no rules
        self.waits = waits
        """Whether all is refused for now, because the file could not be had."""
        self.crawl_delay = crawl_delay
        self.sitemaps = sitemaps  # as written

    @classmethod
    def of(cls, file: RobotsFile, agent_name: str) -> "RobotsRules":
        if _means_wait(file.status):
            return cls(agent_name, waits=True)
        if not 200 <= file.status < 300 or not file.text:
            return cls(agent_name)
        return _CACHE.rules(file.text, agent_name)

    def allows(self, url: str) -> bool:
        if self._parser is not None:
            return bool(self._parser.can_fetch(url, self._agent))
        return not self.waits or url.split("/", 3)[3:] == ["robots.txt"]


class _RulesCache:
    """Many origins say the same: the files of big hosters, and http and https of one site."""

    def __init__(self, characters: int) -> None:
        self._characters = characters
        self._used = 0
        self._known: OrderedDict[tuple[bytes, str], tuple[RobotsRules, int]] = OrderedDict()

    def rules(self, text: str, agent: str) -> RobotsRules:
        digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        slot = (digest, agent)
        known = self._known.get(slot)
        if known is not None:
            self._known.move_to_end(slot)
            return known[0]
        rules = _parse(text, agent)
        self._known[slot] = (rules, len(text))
        self._used += len(text)
        while self._used > self._characters and len(self._known) > 1:
            _, (_, size) = self._known.popitem(last=False)
            self._used -= size
        return rules


_CACHE = _RulesCache(_CACHED_CHARACTERS)


def _parse(text: str, agent: str) -> RobotsRules:
    """protego compares paths; which of the lines are for us is decided before."""
    found = read_robots(text.lstrip(_BOM)[:MAX_ROBOTS_BYTES], agent)
    rules = [f"{key.value}: {path}" for key, path in found.rules]
    parser = Protego.parse("\n".join(["User-agent: *", *rules]))
    return RobotsRules(
        agent,
        parser if any(key is Key.DISALLOW and path for key, path in found.rules) else None,
        crawl_delay=_delay_of(found.crawl_delay),
        sitemaps=found.sitemaps[:MOST_SITEMAPS],
    )


def _delay_of(text: str) -> float | None:
    try:
        delay = float(text)
    except ValueError:
        return None
    return min(delay, _LONGEST_CRAWL_DELAY) if math.isfinite(delay) and delay >= 0 else None


def _means_wait(status: int) -> bool:
    return status == 0 or status == 429 or status >= 500


def expired(file: RobotsFile, now: float, settings: CrawlSettings) -> bool:
    """Whether the file has to be asked for again."""
    lifetime = settings.robots_lifetime_seconds
    if _means_wait(file.status):
        lifetime = min(lifetime, settings.robots_retry_seconds)
    return now - file.fetched_at >= lifetime


async def fetch_robots(
    client: _Fetcher, origin: str, settings: CrawlSettings, now: float
) -> RobotsFetch:
    """Ask for an origin's file, through redirects to wherever they lead."""
    resolver = Resolver(capacity=2 * MAX_ROBOTS_REDIRECTS)
    url = f"{origin}/robots.txt"
    requests = 0
    while True:
        exchange = await client.fetch(Request(url))
        requests += 1
        location = location_of(exchange) if 300 <= exchange.status < 400 else ""
        if not location or exchange.outcome is not Outcome.OK or requests > MAX_ROBOTS_REDIRECTS:
            break
        target = resolver.page(url).resolve(location)
        if target is None:
            break
        url = target.href
    text, failure, detail = "", exchange.outcome, exchange.detail
    if 200 <= exchange.status < 300:
        text, failure, detail = _text_of(exchange, settings)
    status = exchange.status if failure is Outcome.OK else 0
    file = RobotsFile(origin, now, status, text, failure, detail)
    return RobotsFetch(file, requests, failure, detail)


def _text_of(exchange: Exchange, settings: CrawlSettings) -> tuple[str, Outcome, str]:
    """Half a file is no file (the part that is missing may forbid), except where it is the part
    past the size that we read."""
    cut_by_us = exchange.outcome is Outcome.TOO_LARGE and len(exchange.body) > MAX_ROBOTS_BYTES
    if exchange.outcome is not Outcome.OK and not cut_by_us:
        return "", exchange.outcome, exchange.detail
    decoded = decode_body(
        exchange.body, exchange.all_headers("content-encoding"), settings.max_body_bytes
    )
    if decoded.outcome is not Outcome.OK:
        return "", decoded.outcome, decoded.detail
    body = decoded.body
    if decoded.truncated and len(body) <= MAX_ROBOTS_BYTES:
        return "", Outcome.PROTOCOL_ERROR, "the content encoding ended early"
    if len(body) > MAX_ROBOTS_BYTES:
        # A rule cut in two would forbid more, or less, than it says.
        body = body[: body.rfind(b"\n", 0, MAX_ROBOTS_BYTES) + 1]
    return _decoded(body).lstrip(_BOM), Outcome.OK, ""


def _decoded(body: bytes) -> str:
    is_utf16 = body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return body.decode("utf-16" if is_utf16 else "utf-8", "replace")
