"""HTTP/2 over TLS, by the h2 library: what keeps to the protocol, and what breaks it.

A `talk` is called for every stream and may answer it, reset it, or end the whole connection. The
hosts of the local web come through `hosts_over_http2`.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import cast

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated, RequestReceived, StreamReset
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes

from tests.web.message import Play
from tests.web.server import Dispatcher

ADDRESS = "127.0.0.1"
ALPN = "h2"

_MANY_STREAMS = 100
_NOT_IN_HTTP2 = frozenset({"connection", "keep-alive", "transfer-encoding", "upgrade"})


class Stream:
    """One request, and the ways to answer it."""

    def __init__(self, connection: "Http2Connection", number: int, headers: dict[str, str]) -> None:
        self.connection = connection
        self.number = number
        self.headers = headers
        self.path = headers[":path"]
        self.gone = asyncio.Event()  # the client does not want it any more

    def start(self, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> None:
        head = [(":status", str(status)), *headers]
        raw = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in head]
        self.connection.h2.send_headers(self.number, raw)
        self.connection.flush()

    async def send(self, body: bytes, *, is_last: bool = False) -> None:
        """Sends as the client makes room for it."""
        h2 = self.connection.h2
        while body:
            room = min(h2.local_flow_control_window(self.number), h2.max_outbound_frame_size)
            if not room:
                await self.connection.more_room.wait()
                continue
            h2.send_data(self.number, body[:room])
            body = body[room:]
            self.connection.flush()
        if is_last:
            h2.end_stream(self.number)
            self.connection.flush()

    async def answer(
        self, body: bytes = b"hi", status: int = 200, headers: Iterable[tuple[str, str]] = ()
    ) -> None:
        self.start(status, headers)
        await self.send(body, is_last=True)

    def reset(self, code: ErrorCodes) -> None:
        self.connection.h2.reset_stream(self.number, code)
        self.connection.flush()

    def go_away(self, code: ErrorCodes, last: int) -> None:
        """Says that streams after the `last` one have not been looked at."""
        self.connection.h2.close_connection(code, last_stream_id=last)
        self.connection.flush()


Talk = Callable[[Stream], Awaitable[None]]


class Http2Connection(asyncio.Protocol):
    def __init__(self, talk: Talk, streams: int = _MANY_STREAMS) -> None:
        self._talk = talk
        self._streams: dict[int, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.more_room = asyncio.Event()
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="latin-1"))
        self._most_streams = streams

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.h2.initiate_connection()
        self.h2.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: self._most_streams})
        self.flush()

    def connection_lost(self, error: Exception | None) -> None:
        for task in self._tasks:
            task.cancel()

    def data_received(self, data: bytes) -> None:
        try:
            events = self.h2.receive_data(data)
        except ProtocolError:
            self.flush()
            self.transport.close()
            return
        for event in events:
            if isinstance(event, RequestReceived):
                # Texts, as `header_encoding` asks for.
                headers = dict(cast(list[tuple[str, str]], event.headers))
                self._open(event.stream_id, headers)
            elif isinstance(event, StreamReset):
                self._streams[event.stream_id].gone.set()
            elif isinstance(event, ConnectionTerminated):
                self.transport.close()
        self.flush()
        self.more_room.set()
        self.more_room.clear()

    def flush(self) -> None:
        self.transport.write(self.h2.data_to_send())

    def _open(self, number: int, headers: dict[str, str]) -> None:
        stream = self._streams[number] = Stream(self, number, headers)
        task = asyncio.get_running_loop().create_task(self._perform(stream))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _perform(self, stream: Stream) -> None:
        try:
            await self._talk(stream)
        except ProtocolError:
            # An answer that HTTP/2 cannot carry; or one that the client does not want any more.
            with contextlib.suppress(ProtocolError):
                stream.reset(ErrorCodes.INTERNAL_ERROR)


class Http2Server:
    """What has been asked of it."""

    def __init__(self) -> None:
        self.port = 0
        self.connections = 0
        self.paths: list[str] = []

    @property
    def origin(self) -> str:
        return f"https://{ADDRESS}:{self.port}"


@contextlib.asynccontextmanager
async def serve_http2(
    talk: Talk, context: ssl.SSLContext, streams: int = _MANY_STREAMS
) -> AsyncIterator[Http2Server]:
    """A server of its own on a free port, with so many streams at once on a connection."""
    context.set_alpn_protocols([ALPN])
    state = Http2Server()
    open_connections: list[Http2Connection] = []

    async def talk_and_note(stream: Stream) -> None:
        state.paths.append(stream.path)
        await talk(stream)

    def accepted() -> Http2Connection:
        state.connections += 1
        open_connections.append(Http2Connection(talk_and_note, streams))
        return open_connections[-1]

    server = await asyncio.get_running_loop().create_server(accepted, ADDRESS, 0, ssl=context)
    state.port = server.sockets[0].getsockname()[1]
    try:
        yield state
    finally:
        server.close()
        for connection in open_connections:
            if hasattr(connection, "transport"):  # TLS was settled
                connection.transport.abort()


def hosts_over_http2(dispatcher: Dispatcher, connection: int, port: int) -> Talk:
    """The hosts of the local web. What a `Play` does to a connection cannot be done to a stream:
    the client is asked to come back with HTTP/1.1."""

    async def talk(stream: Stream) -> None:
        method, authority = stream.headers[":method"], stream.headers[":authority"]
        lines = [f"{method} {stream.path} HTTP/2", f"host: {authority}"]
        lines += [f"{name}: {text}" for name, text in stream.headers.items() if name[0] != ":"]
        head = "\r\n".join(lines).encode("latin-1")
        answer = dispatcher.answer(head, connection, "https", port)
        if isinstance(answer, Play):
            stream.reset(ErrorCodes.HTTP_1_1_REQUIRED)
            return
        if answer.delay:
            await asyncio.sleep(answer.delay)
        top, _, body = answer.payload.partition(b"\r\n\r\n")
        pairs = [line.partition(":")[::2] for line in top.decode("latin-1").split("\r\n")[1:]]
        headers = [(name.lower(), text.strip()) for name, text in pairs]
        headers = [pair for pair in headers if pair[0] not in _NOT_IN_HTTP2]
        await stream.answer(body, answer.status, headers)

    return talk
