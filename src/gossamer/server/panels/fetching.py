"""One HTTP request with a deadline."""

import io
import socket
from typing import NamedTuple

import pycurl

from gossamer import __version__
from gossamer.crawl.addresses import is_public

_MOST_BYTES = 1_000_000


class FetchFailed(Exception):
    """Nobody's fault, and no reason to show anything: the panel is left out."""


class _Descriptor(NamedTuple):
    """libcurl closes it, and Python must not."""

    number: int

    def fileno(self) -> int:
        return self.number


def _open_public_socket(_: int, wanted: tuple[int, int, int, tuple[str, int]]) -> object:
    """The address that is really connected to counts, however a name or a URL spells it."""
    family, kind, protocol, address = wanted
    if not is_public(address[0]):
        return pycurl.SOCKET_BAD
    return _Descriptor(socket.socket(family, kind, protocol).detach())


def fetch(url: str, seconds: float, *, allow_private: bool) -> bytes:
    """The body of a good answer. Redirects are not followed: the address was chosen with care."""
    body = io.BytesIO()

    def write(part: bytes) -> int:
        return body.write(part) if body.tell() + len(part) <= _MOST_BYTES else 0

    request = pycurl.Curl()
    try:
        request.setopt(pycurl.URL, url)
        request.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        request.setopt(pycurl.TIMEOUT_MS, max(1, int(seconds * 1000)))
        request.setopt(pycurl.NOSIGNAL, 1)
        request.setopt(pycurl.PROXY, "")
        request.setopt(pycurl.USERAGENT, f"Gossamer/{__version__}")
        if not allow_private:
            request.setopt(pycurl.OPENSOCKETFUNCTION, _open_public_socket)
        request.setopt(pycurl.WRITEFUNCTION, write)
        request.perform()
        status: int = request.getinfo(pycurl.RESPONSE_CODE)
    except pycurl.error as error:
        raise FetchFailed(str(error.args[-1])) from None
    finally:
        request.close()
    if status != 200:
        raise FetchFailed(f"the answer was {status}")
    return body.getvalue()
