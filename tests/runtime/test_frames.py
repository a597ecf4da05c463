import asyncio
from collections.abc import Awaitable, Mapping
from pathlib import Path

import pytest

from gossamer.errors import DeadlineExceeded, PeerLost
from gossamer.runtime.contract import MAX_CALLS, Handler
from gossamer.runtime.frames import SocketPeer, SocketPeers, serve_connection


def run(work: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await work

    asyncio.run(bounded())


class Listener:
    """Serves handlers at a socket, as a worker does."""

    def __init__(self, path: Path, handlers: Mapping[str, Handler]) -> None:
        self._path = path
        self._handlers = handlers

    async def __aenter__(self) -> "Listener":
        self._server = await asyncio.start_unix_server(
            lambda reader, writer: serve_connection(self._handlers, reader, writer), self._path
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()


async def echo(payload: bytes) -> bytes:
    return payload


def test_calls_are_answered_in_any_order(tmp_path: Path) -> None:
    async def work() -> None:
        gates = [asyncio.Event() for _ in range(3)]

        async def wait(payload: bytes) -> bytes:
            await gates[int(payload)].wait()
            return payload

        async with Listener(tmp_path / "role", {"wait": wait, "echo": echo}):
            peer = SocketPeer(str(tmp_path / "role"))
            calls = [
                asyncio.create_task(peer.call("wait", str(number).encode(), seconds=10))
                for number in range(3)
            ]
            assert await peer.call("echo", b"meanwhile", seconds=10) == b"meanwhile"
            for number in (2, 0, 1):
                gates[number].set()
                assert await calls[number] == str(number).encode()
            peer.close()

    run(work())


def test_an_answer_that_comes_too_late_is_nobodys(tmp_path: Path) -> None:
    async def work() -> None:
        gate = asyncio.Event()

        async def wait(payload: bytes) -> bytes:
            await gate.wait()
            return payload

        async with Listener(tmp_path / "role", {"wait": wait, "echo": echo}):
            peer = SocketPeer(str(tmp_path / "role"))
            with pytest.raises(DeadlineExceeded):
                await peer.call("wait", b"late", seconds=0.01)
            gate.set()
            for number in range(10):
                payload = str(number).encode()
                assert await peer.call("echo", payload, seconds=10) == payload
            peer.close()

    run(work())


def test_further_calls_wait_until_earlier_ones_are_answered(tmp_path: Path) -> None:
    async def work() -> None:
        gate = asyncio.Event()
        active = 0

        async def wait(payload: bytes) -> bytes:
            nonlocal active
            active += 1
            await gate.wait()
            return payload

        async with Listener(tmp_path / "role", {"wait": wait, "echo": echo}):
            one, other = (SocketPeer(str(tmp_path / "role")) for _ in range(2))
            calls = [
                asyncio.create_task(one.call("wait", b"", seconds=10)) for _ in range(MAX_CALLS + 9)
            ]
            while active < MAX_CALLS:
                await asyncio.sleep(0)
            # Nobody else has to wait for that.
            assert await other.call("echo", b"free", seconds=10) == b"free"
            assert active == MAX_CALLS
            gate.set()
            await asyncio.gather(*calls)
            assert active == MAX_CALLS + 9
            one.close()
            other.close()

    run(work())


def test_a_peer_that_hangs_up_is_lost_to_all_who_wait(tmp_path: Path) -> None:
    async def work() -> None:
        arrived = asyncio.Event()

        async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            await arrived.wait()
            writer.close()

        server = await asyncio.start_unix_server(hang_up, tmp_path / "role")
        peer = SocketPeer(str(tmp_path / "role"))
        calls = [asyncio.create_task(peer.call("echo", b"", seconds=10)) for _ in range(3)]
        await asyncio.sleep(0)
        arrived.set()
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(end) for end in ends] == [PeerLost] * 3
        server.close()
        peer.close()

    run(work())


def test_a_frame_of_an_absurd_size_ends_the_connection(tmp_path: Path) -> None:
    async def work() -> None:
        async with Listener(tmp_path / "role", {"echo": echo}):
            reader, writer = await asyncio.open_unix_connection(tmp_path / "role")
            writer.write(b"\xff\xff\xff\xff")
            assert await reader.read() == b""
            writer.close()
            peer = SocketPeer(str(tmp_path / "role"))
            assert await peer.call("echo", b"on", seconds=10) == b"on"
            peer.close()

    run(work())


def test_handlers_end_with_their_caller(tmp_path: Path) -> None:
    async def work() -> None:
        started, ended = asyncio.Event(), asyncio.Event()

        async def wait(_: bytes) -> bytes:
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return b""

        async with Listener(tmp_path / "role", {"wait": wait}):
            peer = SocketPeer(str(tmp_path / "role"))
            call = asyncio.create_task(peer.call("wait", b"", seconds=10))
            await started.wait()
            call.cancel()
            peer.close()
            await ended.wait()

    run(work())


def test_peers_are_kept(tmp_path: Path) -> None:
    async def work() -> None:
        peers = SocketPeers(str(tmp_path))
        assert peers.peer("a") is peers.peer("a")
        assert peers.peer("a") is not peers.peer("b")
        peers.close()

    run(work())
