"""Roles for the tests of runtimes: named by their factories, as real ones are."""

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path

from gossamer.runtime.contract import Handler, Peers, Role, RoleSpec

MODULE = "tests.runtime.roles"


def spec(name: str, factory: str = "worker", settings: bytes = b"") -> RoleSpec:
    return RoleSpec(name, f"{MODULE}:{factory}", settings)


class Worker:
    """Answers calls of every kind until it is stopped, and then takes its time to finish: it
    writes the file that its settings name."""

    def __init__(self, settings: bytes, peers: Peers) -> None:
        self._farewell = settings.decode()
        self._peers = peers
        self._stopped = asyncio.Event()
        self._calls = 0
        self._most_calls = 0

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {
            "echo": self._echo,
            "fail": self._fail,
            "hang": self._hang,
            "pid": self._pid,
            "relay": self._relay,
            "busy": self._busy,
            "most_calls": self._tell_most_calls,
            "burn": self._burn,
            "leave": self._leave,
        }

    async def _echo(self, payload: bytes) -> bytes:
        return payload

    async def _fail(self, payload: bytes) -> bytes:
        raise LookupError(payload.decode())

    async def _hang(self, payload: bytes) -> bytes:
        Path(payload.decode()).touch()
        await asyncio.Event().wait()
        return b""

    async def _pid(self, _: bytes) -> bytes:
        return str(os.getpid()).encode()

    async def _relay(self, route: bytes) -> bytes:
        """'b c d': ask b to ask c to ask d; the last one answers."""
        name, _, rest = route.decode().partition(" ")
        method = "relay" if rest else "echo"
        reply = await self._peers.peer(name).call(method, rest.encode(), seconds=10)
        return f"{name} {reply.decode()}".encode()

    async def _busy(self, payload: bytes) -> bytes:
        self._calls += 1
        self._most_calls = max(self._most_calls, self._calls)
        for _ in range(5):
            await asyncio.sleep(0)
        self._calls -= 1
        return payload

    async def _tell_most_calls(self, _: bytes) -> bytes:
        return str(self._most_calls).encode()

    async def _burn(self, seconds: bytes) -> bytes:
        until = time.process_time() + float(seconds)
        while time.process_time() < until:
            pass
        return b""

    async def _leave(self, _: bytes) -> bytes:
        self._stopped.set()
        return b""

    async def run(self) -> None:
        await self._stopped.wait()
        if self._farewell:
            await asyncio.sleep(0.01)
            Path(self._farewell).write_text("finished")

    def stop(self) -> None:
        self._stopped.set()


class Stubborn(Worker):
    def stop(self) -> None:
        """Doesn't."""


class Crashing(Worker):
    async def run(self) -> None:
        await self._stopped.wait()
        raise RuntimeError("as it was meant to")


def worker(settings: bytes, peers: Peers) -> Role:
    return Worker(settings, peers)


def stubborn(settings: bytes, peers: Peers) -> Role:
    return Stubborn(settings, peers)


def crashing(settings: bytes, peers: Peers) -> Role:
    return Crashing(settings, peers)


def unable(settings: bytes, _: Peers) -> Role:
    raise ValueError("cannot be made")
