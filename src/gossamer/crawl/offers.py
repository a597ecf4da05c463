"""How much of a host one fetcher is offered: connections, and URLs for a slice of its time."""

from math import ceil

from gossamer.config import CrawlSettings
from gossamer.crawl.fixed_names import fixed_names
from gossamer.crawl.hosts import Host

_UNKNOWN_RESPONSE_SECONDS = 1.0
_SLICES = 4
"""A host gets URLs for this fraction of a schedule's time. The hosts of a schedule are held until
all of them are done: equal times keep the quick ones from waiting for the slow."""
_SMALLEST_RESPONSE_SECONDS = 0.002
_PUBLIC_DELAY_SECONDS = 1.0
_FILE_CONNECTIONS = 4


class Offers:
    def __init__(self, settings: CrawlSettings) -> None:
        self._settings = settings
        self._local = fixed_names(settings.local_hosts)

    def offer(self, host: Host, fetcher: str, fetchers: int) -> tuple[int, int]:
        """Connections, and how many URLs."""
        connections = self._connections(host, fetcher, fetchers)
        return connections, self._pace(host, connections)

    def delay_of(self, host: Host) -> float:
        if not host.name:
            return 0.0  # files of this machine
        setting = self._settings.delay_seconds
        if setting != "auto":
            return max(setting, host.delay or 0.0)
        if host.delay is not None:
            return host.delay
        is_ours = self._settings.allow_private or _without_port(host.name) in self._local
        return 0.0 if is_ours else _PUBLIC_DELAY_SECONDS

    def is_fast(self, host: Host) -> bool:
        """Whether a second schedule may wait at the fetcher while it works on the first."""
        return self.delay_of(host) == 0.0 and not self._settings.max_bytes_per_host

    def _connections(self, host: Host, fetcher: str, fetchers: int) -> int:
        """A host without delay is shared out over the fetchers; the pauses of a delayed one can
        only be kept by a single fetcher."""
        if fetcher in host.holders:
            return host.holders[fetcher].connections
        if not host.name:
            return _FILE_CONNECTIONS
        free = self._settings.host_connections - host.taken
        if self.delay_of(host) > 0:
            return free
        return min(free, ceil(self._settings.host_connections / fetchers))

    def _pace(self, host: Host, connections: int) -> int:
        """How many URLs a schedule can visit in a slice of its time."""
        response = host.response if host.response is not None else _UNKNOWN_RESPONSE_SECONDS
        delay = self.delay_of(host)
        seconds = max(delay, response / connections, _SMALLEST_RESPONSE_SECONDS)
        return max(1, int(self._settings.schedule_seconds / _SLICES / seconds))


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host
