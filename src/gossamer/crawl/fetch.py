"""One request, one answer: HTTP over libcurl's multi interface, driven by the event loop.

Whatever a server does comes back as an `Exchange`; nothing here raises for it. Redirects are the
caller's, and so are content encodings: the body is what a WARC keeps.

How many files can be open is bounded by design. At most `connections` transfers run at once (the
rest wait in line), and libcurl keeps at most as many connections, idle ones included. While it
connects, libcurl may race `_RACING_SOCKETS` addresses of one name. See `ensure_open_files`.
"""

import asyncio
import os
import resource
import socket
import ssl
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pycurl
from msgspec import Struct

from gossamer.config import CrawlSettings
from gossamer.crawl.addresses import is_public
from gossamer.crawl.cookies import CookieJar
from gossamer.crawl.curl_errors import outcome_of, reason_of
from gossamer.crawl.curl_loop import CurlLoop, Easy
from gossamer.crawl.fixed_names import FixedName, fixed_names
from gossamer.crawl.http_head import (
    Headers,
    ends_by_closing,
    header_line,
    one_line,
    parse_head,
    request_headers,
    without_secrets,
)
from gossamer.crawl.proxies import ProxyRota, Way
from gossamer.crawl.stall_watch import StallWatch
from gossamer.errors import SettingsError
from gossamer.records import Exchange, Outcome
from gossamer.urls import host_of, origin_of

MAX_HEADER_BYTES = 256 * 1024
MAX_HEADER_LINES = 1_000
_BLANK_LINES = (b"\r\n", b"\n")
DEAD_NAME_SECONDS = 5.0
"""How long a name that could not be resolved is taken as dead without asking again."""

_DEAD_NAMES_KEPT = 10_000
_RACING_SOCKETS = 6
_OTHER_FILES = 128  # databases, staging files, pipes, the loop's own
_DNS_CACHE_SECONDS = 300

_DIRECT = Way("")
_SUPPRESS_CONNECT_HEADERS = 265  # pycurl has no name for this option
_CA_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
)


class Request(Struct, frozen=True):
    url: str  # an href
    etag: str = ""  # of the copy that we have: makes the request conditional
    last_modified: str = ""
    max_bytes: int = -1  # of the body, beneath `max_wire_bytes`; -1: no cap of its own


def ensure_open_files(settings: CrawlSettings) -> int:
    """Make sure that this process may open what a client can need; return that number."""
    needed = settings.connections * _RACING_SOCKETS + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return needed
    if hard != resource.RLIM_INFINITY and hard < needed:
        allowed = max(1, (hard - _OTHER_FILES) // _RACING_SOCKETS)
        raise SettingsError(
            f"{settings.connections} connections may need {needed} open files, and this system "
            f"allows a process {hard}: set 'connections' to {allowed} or less, or raise the limit."
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    return needed


def location_of(exchange: Exchange) -> str:
    """Where a redirect points. Servers put raw UTF-8 there; headers are kept as Latin-1."""
    text = exchange.header("location").strip()
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


class _Descriptor:
    """A socket for pycurl, which takes a duplicate and lets this one go."""

    __slots__ = ("_fd",)

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def __del__(self) -> None:
        os.close(self._fd)


class _Transfer:
    """An easy handle and what comes in through it. Handles are reused: setting one up costs more
    than a request, so only what differs from the request before is set."""

    __slots__ = (
        "address_allowed",
        "address_refused",
        "auth",
        "body",
        "cap",
        "easy",
        "fixed",
        "future",
        "head",
        "headers",
        "local",
        "progress",
        "progressed_at",
        "request",
        "request_headers",
        "started",
        "started_at",
    )

    def __init__(self) -> None:
        self.easy: Any = pycurl.Curl()
        # libcurl calls `append` itself: no Python frame for a header line or a piece of the body.
        self.head: list[bytes] = []
        self.body: list[bytes] = []
        self.future: asyncio.Future[Exchange] | None = None
        self.request = Request("")
        self.request_headers: Headers = ()
        self.started = 0.0
        self.started_at = 0.0
        self.progress = 0
        self.progressed_at = 0.0
        self.address_refused = ""
        self.address_allowed = False
        self.cap = 0
        self.auth = False
        self.headers: object = None
        self.fixed = ""
        self.local: FixedName | None = None  # the one private address that may be connected to

    def open_socket(self, _purpose: int, address: Any) -> Any:
        """Called by libcurl with the address that it is about to connect to."""
        peer, port = address.addr[:2]
        if not is_public(peer) and not (self.local and self.local.covers(peer, port)):
            self.address_refused = peer
            return pycurl.SOCKET_BAD
        self.address_allowed = True
        try:
            opened = socket.socket(address.family, address.socktype, address.protocol)
        except OSError:
            return pycurl.SOCKET_BAD
        return _Descriptor(opened.detach())


class HttpClient:
    """Bound to the running loop. `auth_origins` get the Basic credentials of the settings."""

    def __init__(self, settings: CrawlSettings, auth_origins: frozenset[str] = frozenset()) -> None:
        self._loop = asyncio.get_running_loop()
        self._settings = settings
        self._auth_origins = auth_origins if settings.basic_auth else frozenset()
        self._proxies = ProxyRota(settings) if settings.proxies else None
        self._local = fixed_names(settings.local_hosts)
        self._fixed = fixed_names(settings.resolve) | self._local
        self._headers = request_headers(settings)
        self._header_lines = [header_line(name, value) for name, value in self._headers]
        self._shown_headers = without_secrets(self._headers)
        self._ca_file = _ca_file()

        self._gate = asyncio.Semaphore(settings.connections)
        self._idle: list[_Transfer] = []
        self._active: dict[Easy, _Transfer] = {}
        self._dead_names: dict[str, float] = {}
        self._closed = False

        self._curl = CurlLoop(self._loop, settings.connections, self._on_finished)
        self._stalls = StallWatch(
            self._loop,
            self._curl,
            self._active,
            settings.stall_timeout_seconds,
            self._on_stalled,
        )
        self._jar = CookieJar() if settings.cookies else None

    async def fetch(self, request: Request) -> Exchange:
        async with self._gate:
            refused = self._refusal(request)
            if refused is not None:
                return refused
            way = _DIRECT
            if self._proxies is not None:
                way = await self._proxies.way(_name_of(request.url))
            if self._closed:
                raise RuntimeError("the client is closed")
            if way.outcome is not Outcome.OK:
                return self._no_way(request, way)
            transfer = self._idle.pop() if self._idle else self._new_transfer()
            future = self._loop.create_future()
            self._start(transfer, request, way, future)
            try:
                exchange: Exchange = await future
            except asyncio.CancelledError:
                if transfer.future is future:
                    self._release(transfer)
                raise
            return exchange

    async def close(self) -> None:
        """Abort what still runs (its `fetch` is cancelled) and close all connections."""
        if self._closed:
            return
        self._closed = True
        for transfer in list(self._active.values()):
            future = transfer.future
            self._release(transfer)
            if future is not None:
                future.cancel()
        for transfer in self._idle:
            transfer.easy.close()
        self._idle.clear()
        self._curl.close()
        if self._proxies is not None:
            self._proxies.close()
        if self._jar is not None:
            self._jar.close()
        self._stalls.stop()

    def cookies(self) -> list[str]:
        """The cookies of this run, as lines of the Netscape format."""
        return self._jar.lines() if self._jar is not None else []

    def load_cookies(self, lines: Iterable[str]) -> None:
        """Add what `cookies` gave, here or in another client."""
        if self._jar is not None:
            self._jar.load(lines)

    # Before a transfer

    def _refusal(self, request: Request) -> Exchange | None:
        """What can be told without asking anybody."""
        if request.max_bytes == 0:
            return self._unasked(request, Outcome.TOO_LARGE, "no bytes are left for this host")
        if self._dead_names:
            name = _name_of(request.url)
            until = self._dead_names.get(name)
            if until is not None:
                if time.monotonic() < until:
                    return self._unasked(request, Outcome.DNS_ERROR, f"{name} did not resolve")
                del self._dead_names[name]
        return None

    def _no_way(self, request: Request, way: Way) -> Exchange:
        if way.outcome is Outcome.DNS_ERROR:
            self._remember_dead(_name_of(request.url))
        return self._unasked(request, way.outcome, way.detail, way.address)

    def _unasked(
        self, request: Request, outcome: Outcome, detail: str, address: str = ""
    ) -> Exchange:
        return Exchange(request.url, time.time(), 0.0, outcome, detail, address=address)

    def _new_transfer(self) -> _Transfer:
        settings = self._settings
        transfer = _Transfer()
        easy = transfer.easy
        easy.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        easy.setopt(pycurl.NOSIGNAL, 1)
        easy.setopt(pycurl.PATH_AS_IS, 1)
        easy.setopt(pycurl.HTTP09_ALLOWED, 0)
        easy.setopt(pycurl.HEADERFUNCTION, transfer.head.append)
        easy.setopt(pycurl.WRITEFUNCTION, transfer.body.append)
        easy.setopt(pycurl.BUFFERSIZE, 65_536)
        easy.setopt(pycurl.CONNECTTIMEOUT_MS, _milliseconds(settings.connect_timeout_seconds))
        easy.setopt(pycurl.TIMEOUT_MS, _milliseconds(settings.request_timeout_seconds))
        easy.setopt(pycurl.DNS_CACHE_TIMEOUT, _DNS_CACHE_SECONDS)
        easy.setopt(
            pycurl.HTTP_VERSION,
            pycurl.CURL_HTTP_VERSION_2TLS if settings.http2 else pycurl.CURL_HTTP_VERSION_1_1,
        )
        if self._ca_file:
            easy.setopt(pycurl.CAINFO, self._ca_file)
            easy.setopt(pycurl.PROXY_CAINFO, self._ca_file)
        if not settings.verify_tls:
            easy.setopt(pycurl.SSL_VERIFYPEER, 0)
            easy.setopt(pycurl.SSL_VERIFYHOST, 0)
            easy.setopt(pycurl.PROXY_SSL_VERIFYPEER, 0)
            easy.setopt(pycurl.PROXY_SSL_VERIFYHOST, 0)
        # Both are set even where there is no proxy: libcurl would read the environment.
        easy.setopt(pycurl.PROXY, "")
        easy.setopt(pycurl.NOPROXY, "")
        if self._proxies is not None:
            easy.setopt(_SUPPRESS_CONNECT_HEADERS, 1)
        elif not settings.allow_private:
            easy.setopt(pycurl.OPENSOCKETFUNCTION, transfer.open_socket)
        if self._jar is not None:
            self._jar.attach(easy)
        return transfer

    def _start(
        self, transfer: _Transfer, request: Request, way: Way, future: "asyncio.Future[Exchange]"
    ) -> None:
        easy = transfer.easy
        url = request.url
        host = host_of(url)
        easy.setopt(pycurl.URL, url)
        self._set_headers(transfer, request, host)
        cap = self._settings.max_wire_bytes
        if 0 < request.max_bytes < cap:
            cap = request.max_bytes
        if cap != transfer.cap:
            easy.setopt(pycurl.MAXFILESIZE_LARGE, cap)
            transfer.cap = cap
        if self._auth_origins or transfer.auth:
            auth = origin_of(url) in self._auth_origins
            if auth != transfer.auth:
                if auth:
                    easy.setopt(pycurl.USERPWD, self._settings.basic_auth)
                else:
                    easy.unsetopt(pycurl.USERPWD)
                transfer.auth = auth
        if self._fixed:
            self._set_address(transfer, url)
            transfer.local = self._local.get(_name_of(url))
        if way is not _DIRECT:
            easy.setopt(pycurl.PROXY, way.proxy)
            if way.address:
                easy.setopt(pycurl.CONNECT_TO, [f"::{_bracketed(way.address)}:"])
            else:
                easy.unsetopt(pycurl.CONNECT_TO)
        transfer.request = request
        transfer.future = future
        transfer.started_at = time.time()
        transfer.started = time.monotonic()  # uvloop's own is coarse
        transfer.progress = -1
        transfer.address_refused = ""
        transfer.address_allowed = False
        self._active[easy] = transfer
        self._curl.add(easy)
        self._stalls.start()

    def _set_headers(self, transfer: _Transfer, request: Request, host: str) -> None:
        if request.etag or request.last_modified:
            extra = []
            if request.etag:
                extra.append(("If-None-Match", one_line(request.etag)))
            if request.last_modified:
                extra.append(("If-Modified-Since", one_line(request.last_modified)))
            lines = self._header_lines + [header_line(name, value) for name, value in extra]
            shown = (*self._shown_headers, *extra)
        else:
            lines = self._header_lines
            shown = self._shown_headers
        if transfer.headers is not lines:
            transfer.easy.setopt(pycurl.HTTPHEADER, lines)
            transfer.headers = lines
        transfer.request_headers = (("Host", host), *shown)

    def _set_address(self, transfer: _Transfer, url: str) -> None:
        """libcurl keeps a fixed address by name and port, for all handles and for good."""
        name = _name_of(url)
        fixed = self._fixed.get(name)
        if fixed is None:
            return
        port = host_of(url)[len(name) + 1 :] or ("443" if url.startswith("https:") else "80")
        addresses = ",".join(_bracketed(address) for address in fixed.addresses)
        line = f"{name}:{port}:{addresses}" + (f":{fixed.port}" if fixed.port else "")
        if line != transfer.fixed:
            transfer.easy.setopt(pycurl.CONNECT_TO if fixed.port else pycurl.RESOLVE, [line])
            transfer.fixed = line

    # While and after a transfer runs

    def _on_stalled(self, transfer: _Transfer) -> None:
        message = f"no byte for {self._settings.stall_timeout_seconds:g} seconds"
        # HTTP/2 would give up the stream alone, and the next request on a dead connection too.
        transfer.easy.setopt(pycurl.FORBID_REUSE, 1)
        self._finish(transfer, pycurl.E_OPERATION_TIMEDOUT, message)
        transfer.easy.setopt(pycurl.FORBID_REUSE, 0)

    def _on_finished(self, easy: Easy, code: int, message: str) -> None:
        self._finish(self._active[easy], code, message)

    def _finish(self, transfer: _Transfer, code: int, message: str) -> None:
        future = transfer.future
        exchange = self._exchange(transfer, code, message)
        self._release(transfer)
        if future is not None and not future.done():
            future.set_result(exchange)

    def _release(self, transfer: _Transfer) -> None:
        del self._active[transfer.easy]
        self._curl.remove(transfer.easy)
        transfer.future = None
        transfer.head.clear()
        transfer.body.clear()
        self._idle.append(transfer)
        if self._jar is not None:
            self._jar.used()

    def _exchange(self, transfer: _Transfer, code: int, message: str) -> Exchange:
        address = transfer.easy.getinfo(pycurl.PRIMARY_IP) or ""
        status, status_line, headers = parse_head(transfer.head)
        if (
            code == pycurl.E_RECV_ERROR
            and "unexpected eof" in message
            and ends_by_closing(status_line, headers)
        ):
            # Many servers close TLS without a goodbye, and browsers take it for the end.
            code, message = 0, ""
        outcome = outcome_of(code) if code else Outcome.OK
        if code:
            message = message or reason_of(code)
            if outcome is Outcome.CONNECT_ERROR and transfer.address_refused:
                if not transfer.address_allowed:
                    outcome = Outcome.ADDRESS_REFUSED
                    address = transfer.address_refused
                    message = f"{address} is not a public address"
            elif (
                self._proxies is not None and transfer.easy.getinfo(pycurl.HTTP_CONNECTCODE) >= 300
            ):
                outcome = Outcome.CONNECT_ERROR
            elif code == pycurl.E_COULDNT_RESOLVE_HOST or message.startswith("Resolving timed"):
                self._remember_dead(_name_of(transfer.request.url))
        elif not status:
            outcome, message = Outcome.PROTOCOL_ERROR, "no answer"
        elif not any(line in _BLANK_LINES for line in transfer.head):
            outcome, message = Outcome.PROTOCOL_ERROR, "the headers were cut short"
        if len(headers) > MAX_HEADER_LINES or sum(map(len, transfer.head)) > MAX_HEADER_BYTES:
            outcome, message = Outcome.PROTOCOL_ERROR, "the headers are too large"
            headers = headers[:MAX_HEADER_LINES]
        body = transfer.body
        return Exchange(
            transfer.request.url,
            transfer.started_at,
            time.monotonic() - transfer.started,
            outcome,
            message,
            status,
            status_line,
            headers,
            body[0] if len(body) == 1 else b"".join(body),
            address,
            transfer.request_headers,
        )

    def _remember_dead(self, name: str) -> None:
        now = time.monotonic()
        if len(self._dead_names) >= _DEAD_NAMES_KEPT:
            self._dead_names = {
                known: until for known, until in self._dead_names.items() if until > now
            }
            if len(self._dead_names) >= _DEAD_NAMES_KEPT:
                self._dead_names.clear()
        self._dead_names[name] = now + DEAD_NAME_SECONDS


def _name_of(url: str) -> str:
    """The host of an href without its port."""
    host = host_of(url)
    if host.endswith("]"):
        return host
    name, colon, _ = host.rpartition(":")
    return name if colon else host


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _milliseconds(seconds: float) -> int:
    return max(1, min(round(seconds * 1000), 2**31 - 1))


def _ca_file() -> str:
    """The system's certificates: the libcurl of a wheel looks where its builder's system had
    them."""
    known = ssl.get_default_verify_paths().cafile
    for path in (known, *_CA_FILES):
        if path and Path(path).is_file():
            return path
    return ""
