"""A SOCKS5 proxy (RFC 1928), as little of it as a client needs: it connects, to this machine.

Wherever it is asked to go, it goes to loopback: what matters is what it was asked for.
"""

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator
from typing import NamedTuple

ADDRESS = "127.0.0.1"

_VERSION = 5
_NO_PASSWORD, _PASSWORD, _NO_WAY = 0, 2, 255
_SUCCEEDED, _REFUSED = 0, 5
_NOBODY = b"\x01" + bytes(6)  # the address 0.0.0.0, the port 0


class Asked(NamedTuple):
    """What a client wanted: a name that the proxy has to look up, or an address."""

    kind: str  # ipv4, ipv6 or name
    host: str
    port: int


class SocksProxy:
    """`user` and `password` have to be given where they are not empty. `port_for_all` is where
    every connection leads; 0: to the port that was asked for."""

    def __init__(self, user: str = "", password: str = "", port_for_all: int = 0) -> None:
        self.port = 0
        self.asked: list[Asked] = []
        self.connections = 0
        self._credentials = _counted(user) + _counted(password) if user else b""
        self._port_for_all = port_for_all

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            if await self._greet(reader, writer):
                await self._forward(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            await _close(writer)

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        _, count = await reader.readexactly(2)
        method = _PASSWORD if self._credentials else _NO_PASSWORD
        if method not in await reader.readexactly(count):
            writer.write(bytes((_VERSION, _NO_WAY)))
            return False
        writer.write(bytes((_VERSION, method)))
        if method == _NO_PASSWORD:
            return True
        await reader.readexactly(1)
        given = b"".join([_counted(await _text(reader)), _counted(await _text(reader))])
        writer.write(bytes((1, given != self._credentials)))
        return given == self._credentials

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await _request(reader)
        self.asked.append(asked)
        port = self._port_for_all or asked.port
        try:
            far_reader, far_writer = await asyncio.open_connection(ADDRESS, port)
        except OSError:
            writer.write(bytes((_VERSION, _REFUSED, 0)) + _NOBODY)
            return
        writer.write(bytes((_VERSION, _SUCCEEDED, 0)) + _NOBODY)
        try:
            await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        finally:
            await _close(far_writer)


async def _text(reader: asyncio.StreamReader) -> str:
    (length,) = await reader.readexactly(1)
    return (await reader.readexactly(length)).decode()


def _counted(text: str) -> bytes:
    return bytes((len(text.encode()),)) + text.encode()


async def _request(reader: asyncio.StreamReader) -> Asked:
    *_, kind = await reader.readexactly(4)
    if kind == 1:
        asked = ("ipv4", str(ipaddress.IPv4Address(await reader.readexactly(4))))
    elif kind == 4:
        asked = ("ipv6", str(ipaddress.IPv6Address(await reader.readexactly(16))))
    else:
        asked = ("name", await _text(reader))
    return Asked(*asked, int.from_bytes(await reader.readexactly(2), "big"))


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    sink.close()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


@contextlib.asynccontextmanager
async def socks_proxy(proxy: SocksProxy | None = None) -> AsyncIterator[SocksProxy]:
    """The proxy, running on a free port of loopback."""
    running = proxy or SocksProxy()
    talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(running.talk(reader, writer))
        talks[task] = writer
        task.add_done_callback(talks.pop)

    server = await asyncio.start_server(accepted, ADDRESS, 0)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
        await asyncio.sleep(0)  # a connection that was accepted just now is among the talks then
        writers = list(talks.values())
        for task in list(talks):
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        for writer in writers:
            await _close(writer)  # a talk that had not begun has not closed it
