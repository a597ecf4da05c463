"""One HTTP request with a deadline."""

import io
import socket

import pycurl

from gossamer import __version__
from gossamer.crawl.addresses import is_public

_MOST_BYTES = 1_000_000


class FetchFailed(Exception):
    """Nobody's fault, and no reason to show anything: the panel is left out."""


def fetch(url: str, seconds: float, *, allow_private: bool) -> bytes:
    """The body of a good answer. Redirects are not followed: the address was chosen with care."""
    body = io.BytesIO()

    def open_socket(_: int, wanted: tuple[int, int, int, tuple[str, int]]) -> object:
        family, kind, protocol, address = wanted
        if not allow_private and not is_public(address[0]):
            return pycurl.SOCKET_BAD
        return socket.socket(family, kind, protocol)

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
        request.setopt(pycurl.OPENSOCKETFUNCTION, open_socket)
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
