"""What a fetcher is told of a host that it may visit."""

from msgspec import msgpack

from gossamer.crawl.hosts import Host
from gossamer.crawl.journal import Journal
from gossamer.records import HostGrant, RobotsFile

_lines = msgpack.Decoder(tuple[str, ...]).decode
_robots = msgpack.Decoder(RobotsFile).decode


def grant_of(host: Host, connections: int, journal: Journal, most_bytes: int) -> HostGrant:
    """`most_bytes`: of the host, in all; 0 for no limit."""
    files = journal.rows("SELECT file FROM robots WHERE host=?", (host.id,))
    cookies = journal.rows("SELECT lines FROM cookies WHERE host=?", (host.id,))
    return HostGrant(
        host=host.name,
        connections=connections,
        ready_at=host.due,
        response_seconds=host.response or 0.0,
        bytes_left=max(0, most_bytes - host.bytes) if most_bytes else -1,
        robots=tuple(_robots(file) for (file,) in files),
        cookies=_lines(cookies[0][0]) if cookies else (),
    )
