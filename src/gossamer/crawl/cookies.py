"""The cookies of a run: one jar of libcurl's that all transfers of a client share.

libcurl decides what may be set and sent (paths, expiry, public suffixes); here the jar is handed
around, saved and kept from growing.
"""

from collections.abc import Iterable
from typing import Any

import pycurl

MAX_COOKIES = 20_000
"""libcurl looks through a whole bucket of its jar: a broad crawl must not fill it."""

_COUNTED_EVERY = 2_000  # transfers: counting the cookies is not free
_FIELDS = 7  # of a line in the Netscape format


class CookieJar:
    def __init__(self) -> None:
        self._share: Any = pycurl.CurlShare()
        self._share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        self._handle: Any = pycurl.Curl()  # makes no transfers
        self.attach(self._handle)
        self._until_counted = _COUNTED_EVERY

    def attach(self, easy: Any) -> None:
        easy.setopt(pycurl.SHARE, self._share)
        easy.setopt(pycurl.COOKIEFILE, "")  # names no file: only switches cookies on

    def lines(self) -> list[str]:
        """In the Netscape format. Cookies can hold any bytes: Latin-1 brings all of them back."""
        return [line.decode("latin-1") for line in self._handle.getinfo_raw(pycurl.INFO_COOKIELIST)]

    def load(self, lines: Iterable[str]) -> None:
        for line in lines:
            # Anything else would be a command of libcurl's ('ALL', 'SESS', 'RELOAD').
            if line.count("\t") == _FIELDS - 1:
                self._handle.setopt(pycurl.COOKIELIST, line.encode("latin-1", "replace"))

    def used(self) -> None:
        """To be called after each transfer: now and then, a full jar is halved."""
        self._until_counted -= 1
        if self._until_counted > 0:
            return
        self._until_counted = _COUNTED_EVERY
        lines = self.lines()
        if len(lines) > MAX_COOKIES:
            # The list is not in the order of time, so which ones go is left to chance.
            self._handle.setopt(pycurl.COOKIELIST, "ALL")
            self.load(lines[-MAX_COOKIES // 2 :])

    def close(self) -> None:
        """After all handles that it was attached to."""
        self._handle.close()
        self._share.close()


def cookies_for(host: str, lines: Iterable[str]) -> tuple[str, ...]:
    """Those of a jar's lines that a host (port and all) may be sent."""
    name = host if host.endswith("]") else host.partition(":")[0]
    return tuple(line for line in lines if _is_for(name, line))


def _is_for(name: str, line: str) -> bool:
    domain = line.partition("\t")[0].removeprefix("#HttpOnly_").lstrip(".").lower()
    return name == domain or name.endswith(f".{domain}")
