"""The sample web of a home: served again, at the same port, whenever the home is.

The home remembers where (`Home.local_hosts`), and lets exactly these hosts be crawled there. So the
links of its indexes lead somewhere after a restart, and its runs can be refreshed.
"""

import http.client
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gossamer.demo.server import ADDRESS, SERVER, running_web
from gossamer.demo.web import hosts, local_address
from gossamer.errors import RuntimeFault

if TYPE_CHECKING:
    from gossamer.app.home import Home

_LOOK_SECONDS = 2.0


@contextmanager
def sample_web(home: "Home", port: int = 0, *, may_share: bool = False) -> Iterator[int]:
    """Serve the sample web for a home, in a process of its own, and give its port.

    `port`: 0 for the one that the home remembers, or a free one where somebody else has that by
    now. `may_share`: where it is served already, by `gossamer serve` for example, that is used.
    """
    remembered = remembered_port(home)
    is_served = remembered > 0 and is_served_at(remembered)
    if is_served and may_share:
        yield remembered
        return
    with ExitStack() as stack:
        try:
            actual = stack.enter_context(running_web(port or remembered))
        except RuntimeFault:
            if port:
                raise
            actual = stack.enter_context(running_web())
        # The crawls of this home go on using the one that was there before.
        if actual != remembered and not is_served:
            home.set_local_hosts(dict.fromkeys(hosts(), f"{ADDRESS}:{actual}"))
        yield actual


def link_hosts(port: int) -> dict[str, str]:
    """Return under which names a browser on this machine finds the sites."""
    return {host: urlsplit(local_address(host, port)).netloc for host in hosts()}


def is_of_sample_web(seeds: Sequence[str]) -> bool:
    return any(urlsplit(seed).hostname in hosts() for seed in seeds)


def remembered_port(home: "Home") -> int:
    """Return the port that a home remembers; 0 if it has no sample web."""
    known = home.local_hosts()
    ports = {known.get(host, "").rpartition(":")[2] for host in hosts()}
    port = ports.pop() if len(ports) == 1 else ""
    return int(port) if port.isdigit() and int(port) < 65_536 else 0


def is_served_at(port: int) -> bool:
    """Return True if the sample web answers at a port of this machine, and not something else."""
    connection = http.client.HTTPConnection(ADDRESS, port, timeout=_LOOK_SECONDS)
    try:
        connection.request("HEAD", "/")
        return connection.getresponse().getheader("Server") == SERVER
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
