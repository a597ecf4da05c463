"""Servers on loopback that answer with exact bytes, however wrong."""

import asyncio
import contextlib
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

Talk = Callable[["Peer"], Awaitable[None]]


class Peer:
    """One connection, as the server sees it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.path = ""
        self.head = ""

    async def next_request(self) -> bool:
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return False
        self.head = head.decode("latin-1")
        self.path = self.head.split(" ", 2)[1]
        return True

    def header(self, name: str) -> str | None:
        for line in self.head.split("\r\n")[1:]:
            known, _, value = line.partition(":")
            if known.lower() == name:
                return value.strip()
        return None

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, body: bytes = b"hi", head: str = "", status: str = "200 OK") -> None:
        lines = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{head}\r\n"
        await self.send(lines.encode("latin-1") + body)

    def reset(self) -> None:
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.writer.transport.abort()

    async def gone(self) -> None:
        """Returns when the client has closed the connection."""
        with contextlib.suppress(ConnectionError):
            while await self.reader.read(65_536):
                pass


class OddServer:
    def __init__(self) -> None:
        self.port = 0
        self.requests: list[str] = []
        self.heads: list[str] = []
        self.connections = 0
        self.open = 0
        self.most_open = 0
        self.asked = asyncio.Event()  # set by every request
        self.closed = asyncio.Event()  # set whenever a connection has ended

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.asynccontextmanager
async def serve(
    talk: Talk, address: str = "127.0.0.1", tls: ssl.SSLContext | None = None, once: bool = True
) -> AsyncIterator[OddServer]:
    """`talk` is called for every request; with `once` the connection is closed after it."""
    state = OddServer()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer)
        state.connections += 1
        state.open += 1
        state.most_open = max(state.most_open, state.open)
        try:
            while await peer.next_request():
                state.requests.append(peer.path)
                state.heads.append(peer.head)
                state.asked.set()
                await talk(peer)
                if once:
                    break
        except (ConnectionError, ssl.SSLError):
            pass
        finally:
            state.open -= 1
            state.closed.set()
            writer.close()
            with contextlib.suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()

    tasks: set[asyncio.Task[None]] = set()

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(connected(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accepted, address, 0, ssl=tls)
    state.port = server.sockets[0].getsockname()[1]
    try:
        yield state
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subject = ("-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    files = ("-keyout", str(key), "-out", str(certificate))
    subprocess.run(
        ["openssl", "req", "-x509", "-nodes", "-days", "2", *curve, *subject, *files],
        check=True,
        capture_output=True,
    )
    return certificate, key
