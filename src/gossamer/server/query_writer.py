"""The query log as the site writes it: a search does not wait for the disk."""

import threading
import time

from gossamer.config import ServerSettings
from gossamer.storage.query_log import AskedQuery, QueryCount, QueryLog, normal

_MOST_WAITING = 1_000
_TRENDING_SECONDS = 60.0
_TRENDING_DAYS = 7.0
_FORGET_EVERY_SECONDS = 3_600.0


class QueryWriter:
    def __init__(self, log: QueryLog, settings: ServerSettings) -> None:
        self.log = log
        self._settings = settings
        self._lock = threading.Lock()
        self._waiting: list[AskedQuery] = []
        self._trending: dict[str, tuple[float, list[QueryCount]]] = {}
        self._forgot_at = 0.0

    def note(self, number: int, index: str, text: str, total: int, took_ms: float) -> None:
        clicks = 0 if self._settings.count_clicks else None
        asked = AskedQuery(number, time.time(), index, normal(text), total, took_ms, clicks)
        with self._lock:
            self._waiting.append(asked)
            is_full = len(self._waiting) >= _MOST_WAITING
        if is_full:
            self.flush()

    def click(self, number: int) -> None:
        if self._settings.count_clicks:
            self.flush()  # the search may still be waiting
            self.log.click(number)

    def flush(self) -> None:
        """Write what waits, and forget what is too old."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        self.log.add(waiting)
        now = time.time()
        if now - self._forgot_at > _FORGET_EVERY_SECONDS:
            self._forgot_at = now
            self.log.forget(now - self._settings.query_log_days * 86_400)

    def trending(self, index: str) -> list[str]:
        """What many ask for these days; looked up once a minute."""
        now = time.time()
        at, found = self._trending.get(index, (0.0, []))
        if now - at > _TRENDING_SECONDS and self._settings.trending:
            since = now - _TRENDING_DAYS * 86_400
            least = self._settings.trending_least
            found = self.log.popular(since, self._settings.trending, index, least)
            self._trending[index] = (now, found)
        return [one.text for one in found]
