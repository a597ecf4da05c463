"""Sockets and worker processes.

Several workers share one listening socket; uvicorn's supervisor starts them, replaces one that dies
and passes on a wish to end. Clients that open a connection and send nothing, or half a request, are
let go after a while; until then each costs a file descriptor and nothing else.
"""

import asyncio
import multiprocessing
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess

from gossamer.config import ServerSettings
from gossamer.errors import StorageError, UsageError

_BACKLOG = 2_048
_IDLE_SECONDS = 30
_GRACE_SECONDS = 20
_LOOK_SECONDS = 1.0
_MOST_HEAD_BYTES = 196_608
"""A query of 10,000 characters can take 120,000 in an address."""
_MOST_PARSED_BYTES = 65_535

closing = threading.Event()
"""Set when this process is asked to end: answers that go on and on (events) stop by themselves."""


def listen(host: str, port: int) -> socket.socket:
    """The socket that all workers share."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except socket.gaierror:
        raise UsageError(f"'{host}' is no address of this machine: set 'host'.") from None
    made = socket.socket(family)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise StorageError(
            f"The port {port} at {host} cannot be used ({error.strerror}): name another (--port)."
        ) from None
    made.listen(_BACKLOG)
    made.set_inheritable(True)
    return made


def serve(make: Callable[[], ASGIApp], settings: ServerSettings, listening: socket.socket) -> None:
    """Answer until somebody asks to stop; then finish what is being answered. `make` is called in
    each worker, and has to be something that can be sent there."""
    raise_file_limit()
    config = _Config(
        make,
        factory=True,
        workers=settings.workers,
        loop="uvloop",
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        backlog=_BACKLOG,
    )
    config.request_seconds = settings.request_seconds
    if settings.workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        # The server raises the signal that ended it once more, when all is done: by then it has
        # been obeyed.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        uvicorn.Server(config).run(sockets=[listening])


class _Config(uvicorn.Config):
    request_seconds: float = 20.0


class PatientProtocol(HttpToolsProtocol):
    """HTTP whose clients have only so long, and only so many bytes, for the head of a request."""

    _timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        if self._timer is not None:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._timer is not None and self._head_bytes > _MOST_HEAD_BYTES:
            self.transport.close()

    def on_message_begin(self) -> None:
        if self._timer is None:
            self._wait_for_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        # httptools takes an address apart up to 65,535 bytes: a longer query is kept from it.
        path, _, query = self.url.partition(b"?")
        is_long = len(self.url) > _MOST_PARSED_BYTES
        if is_long:
            self.url = path
        super().on_headers_complete()
        if is_long:
            self.scope["query_string"] = query

    def shutdown(self) -> None:
        closing.set()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        assert isinstance(self.config, _Config)
        self._head_bytes = 0
        self._timer = self.loop.call_later(self.config.request_seconds, self._let_go)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _let_go(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()


async def end_with_parent() -> None:
    """A worker whose supervisor was killed ends too; nobody else would end it."""
    supervisor = multiprocessing.parent_process()
    while supervisor is not None:
        await asyncio.sleep(_LOOK_SECONDS)
        if not supervisor.is_alive():
            os.kill(os.getpid(), signal.SIGTERM)
            return


def raise_file_limit() -> None:
    """Every client that hangs holds a descriptor: as many as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
