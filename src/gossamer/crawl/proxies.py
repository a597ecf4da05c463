"""Which way a request goes where the user set proxies, and what may be asked of them.

A proxy may stand anywhere: it is the user's choice. Where it is sent must be public all the same,
and who can tell depends on its kind. `socks5://` is given an address: we look the name up here,
check what it leads to, and send that very address. `http://`, `https://` and `socks5h://` are given
the name, and where it leads they alone know: only names that cannot be public are refused.
"""

import asyncio
import itertools
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from gossamer.config import CrawlSettings
from gossamer.crawl.addresses import is_private_name, is_public, literal_address
from gossamer.crawl.fixed_names import fixed_names
from gossamer.records import Outcome

NAME_SECONDS = 300.0
"""How long an address that was looked up is used without asking again."""

_NAMES_KEPT = 10_000
_LOOKUPS_AT_ONCE = 16
_GIVEN_NAMES = frozenset({"http", "https", "socks5h", "socks4a"})


class Way(NamedTuple):
    """`address` is what the proxy is given in place of the name, if not empty. Where the outcome is
    not OK there is no way, and the address is the one that was refused."""

    proxy: str
    address: str = ""
    outcome: Outcome = Outcome.OK
    detail: str = ""


class ProxyRota:
    """The proxies in turn. Bound to the running loop."""

    def __init__(self, settings: CrawlSettings) -> None:
        self._loop = asyncio.get_running_loop()
        self._turns = itertools.cycle(
            [(proxy, _is_given_names(proxy)) for proxy in settings.proxies]
        )
        self._allow_private = settings.allow_private
        self._timeout = settings.connect_timeout_seconds
        self._fixed = fixed_names(settings.resolve)
        self._known: dict[str, tuple[float, list[str]]] = {}
        # Not the loop's own threads: slow name servers must not hold up what is written to disk.
        self._threads = ThreadPoolExecutor(_LOOKUPS_AT_ONCE, "lookup")

    async def way(self, name: str) -> Way:
        """The way to a URL's host (as WHATWG writes it, without port)."""
        proxy, is_given_names = next(self._turns)
        if self._allow_private:
            return Way(proxy)
        literal = literal_address(name)
        if literal is not None:
            return Way(proxy) if is_public(literal) else _refused(proxy, literal)
        if is_given_names:
            if is_private_name(name):
                detail = f"{name} is a name of private networks"
                return Way(proxy, "", Outcome.ADDRESS_REFUSED, detail)
            return Way(proxy)
        try:
            addresses = await self._look_up(name)
        except OSError:
            return Way(proxy, "", Outcome.DNS_ERROR, f"{name} did not resolve")
        public = next(filter(is_public, addresses), "")
        return Way(proxy, public) if public else _refused(proxy, addresses[0])

    async def _look_up(self, name: str) -> list[str]:
        fixed = self._fixed.get(name)
        if fixed is not None:
            return list(fixed.addresses)
        until, addresses = self._known.get(name, (0.0, []))
        if self._loop.time() < until:
            return addresses
        # As bytes: Python would read a text by rules for international names that are out of date.
        arguments = (name.encode(), None, socket.AF_UNSPEC, socket.SOCK_STREAM)
        asking = self._loop.run_in_executor(self._threads, socket.getaddrinfo, *arguments)
        addresses = [str(info[4][0]) for info in await asyncio.wait_for(asking, self._timeout)]
        if len(self._known) >= _NAMES_KEPT:
            self._known.clear()
        self._known[name] = (self._loop.time() + NAME_SECONDS, addresses)
        return addresses

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _is_given_names(proxy: str) -> bool:
    scheme, is_written, _ = proxy.partition("://")
    return not is_written or scheme.lower() in _GIVEN_NAMES


def _refused(proxy: str, address: str) -> Way:
    return Way(proxy, address, Outcome.ADDRESS_REFUSED, f"{address} is not a public address")
