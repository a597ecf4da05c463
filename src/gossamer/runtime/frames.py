"""Messages over a stream socket: a length, then a msgpack array. Both ends are ours."""

import asyncio
import itertools
from collections.abc import Mapping

from msgspec import Struct, msgpack

from gossamer.errors import DeadlineExceeded, PeerLost, RuntimeFault
from gossamer.runtime.contract import MAX_CALLS, Handler

_LENGTH = 4
_MAX_FRAME = 1 << 30


class Message(Struct, frozen=True, array_like=True):
    id: int
    method: str  # '' in a reply
    payload: bytes
    error: str = ""
    seconds: float = 0.0  # time that the caller will wait


_encoder = msgpack.Encoder()
_decoder = msgpack.Decoder(Message)


def _frame(message: Message) -> bytes:
    body = _encoder.encode(message)
    return len(body).to_bytes(_LENGTH, "big") + body


async def _read(reader: asyncio.StreamReader) -> Message | None:
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
        if length > _MAX_FRAME:
            return None
        return _decoder.decode(await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


async def serve_connection(
    handlers: Mapping[str, Handler], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer the calls of one peer until it goes away."""
    slots = asyncio.Semaphore(MAX_CALLS)
    tasks: set[asyncio.Task[None]] = set()

    async def answer(message: Message) -> None:
        try:
            payload = await handlers[message.method](message.payload)
            reply = Message(message.id, "", payload)
        except Exception as error:  # the caller must hear of every fault, also of bugs
            reply = Message(message.id, "", b"", f"{type(error).__name__}: {error}")
        finally:
            slots.release()
        if not writer.is_closing():
            writer.write(_frame(reply))

    try:
        while True:
            await slots.acquire()
            message = await _read(reader)
            if message is None:
                return
            task = asyncio.create_task(answer(message))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    except asyncio.CancelledError:
        return  # the loop is being closed, and asyncio's streams take a cancelled handler for a bug
    finally:
        for task in tasks:
            task.cancel()
        writer.close()


class SocketPeer:
    """Calls a role over its Unix socket; connects when first needed, and again after a loss."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()

    async def call(self, method: str, payload: bytes, *, seconds: float) -> bytes:
        writer = await self._connected()
        message = Message(next(self._ids), method, payload, "", seconds)
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[message.id] = future
        try:
            async with asyncio.timeout(seconds):
                writer.write(_frame(message))
                await writer.drain()
                reply = await future
        except TimeoutError:
            raise DeadlineExceeded(f"'{method}' was not answered within {seconds:.0f} s") from None
        except ConnectionError as error:
            raise PeerLost(f"connection lost during '{method}'") from error
        finally:
            self._waiting.pop(message.id, None)
        if reply.error:
            raise RuntimeFault(f"'{method}' failed: {reply.error}")
        return reply.payload

    async def _connected(self) -> asyncio.StreamWriter:
        async with self._connecting:
            if self._writer is None or self._writer.is_closing():
                try:
                    reader, self._writer = await asyncio.open_unix_connection(
                        self._path, limit=1 << 20
                    )
                except OSError as error:
                    raise PeerLost(f"no role answers at {self._path}") from error
                self._reading = asyncio.create_task(self._read_replies(reader, self._writer))
            return self._writer

    async def _read_replies(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while (reply := await _read(reader)) is not None:
            future = self._waiting.get(reply.id)
            if future is not None and not future.done():
                future.set_result(reply)
        writer.close()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(PeerLost("the role went away"))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            self._reading.cancel()


class SocketPeers:
    """Every role listens at `folder/name`."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: dict[str, SocketPeer] = {}

    def peer(self, name: str) -> SocketPeer:
        if name not in self._known:
            self._known[name] = SocketPeer(f"{self._folder}/{name}")
        return self._known[name]

    def close(self) -> None:
        for peer in self._known.values():
            peer.close()
