"""Roles in worker processes on this machine, each listening at a Unix socket."""

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Sequence
from pathlib import Path

from msgspec import json

from gossamer.errors import DeadlineExceeded, PeerLost
from gossamer.runtime.contract import RoleSpec
from gossamer.runtime.frames import SocketPeers
from gossamer.runtime.nursery import News, Start
from gossamer.runtime.nursery_start import start_nursery

_START_SECONDS = 60.0
_POLL_SECONDS = 0.005


class ProcessRuntime:
    """`preload` names the modules that workers need: they are imported once, for all of them.

    Its nursery starts with it, and is best forked (`nursery_start`): make it before the event loop,
    then, and close it whatever happens."""

    def __init__(self, preload: Sequence[str]) -> None:
        # A socket's path may have 107 bytes at most, and a home may lie deeper than that.
        self._folder = tempfile.mkdtemp(prefix="gossamer-")
        self._peers = SocketPeers(self._folder)
        try:
            self._nursery = start_nursery(self._folder, preload)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._commands: asyncio.WriteTransport | None = None
        self._listener: asyncio.Task[None] | None = None
        self._pids: dict[str, int] = {}
        self._starting: dict[str, bool] = {}  # whether it has ended already
        self._stopping: set[str] = set()
        self._deaths: asyncio.Queue[str] = asyncio.Queue()

    @property
    def peers(self) -> SocketPeers:
        return self._peers

    async def start(self, spec: RoleSpec) -> None:
        commands, listener = await self._connected()
        self._stopping.discard(spec.name)
        self._pids.pop(spec.name, None)
        self._starting[spec.name] = False
        socket = Path(self._folder, spec.name)
        socket.unlink(missing_ok=True)
        commands.write(json.encode(Start(spec)) + b"\n")
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _START_SECONDS
        try:
            while spec.name not in self._pids or not socket.exists():
                if self._starting[spec.name] or listener.done():
                    raise PeerLost(f"'{spec.name}' ended while it started")
                if loop.time() > deadline:
                    raise DeadlineExceeded(f"'{spec.name}' did not start")
                await asyncio.sleep(_POLL_SECONDS)
        finally:
            del self._starting[spec.name]

    async def _connected(self) -> tuple[asyncio.WriteTransport, asyncio.Task[None]]:
        """What the nursery is told on, and who listens to it until it ends."""
        if self._commands is None or self._listener is None:
            loop = asyncio.get_running_loop()
            news = asyncio.StreamReader()
            await loop.connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(news), os.fdopen(self._nursery.news, "rb", 0)
            )
            self._listener = asyncio.create_task(self._listen(news))
            self._commands, _ = await loop.connect_write_pipe(
                asyncio.BaseProtocol, os.fdopen(self._nursery.commands, "wb", 0)
            )
        return self._commands, self._listener

    async def _listen(self, news_lines: asyncio.StreamReader) -> None:
        while line := await news_lines.readline():
            news = json.decode(line, type=News)
            if news.birth is not None:
                self._pids[news.birth.name] = news.birth.pid
            if news.death is not None:
                for name, pid in list(self._pids.items()):
                    if pid == news.death.pid:
                        self._gone(name)
        self._nursery.wait()  # it has nothing more to say: it is about to end
        for name in list(self._pids):
            self._gone(name)

    def _gone(self, name: str) -> None:
        del self._pids[name]
        if name in self._starting:
            self._starting[name] = True
        elif name not in self._stopping:
            self._deaths.put_nowait(name)

    async def stop(self, name: str, *, seconds: float) -> None:
        self._stopping.add(name)
        self._signal(name, signal.SIGTERM)
        deadline = asyncio.get_running_loop().time() + seconds
        while name in self._pids:
            if asyncio.get_running_loop().time() > deadline:
                self.kill(name)
                return
            await asyncio.sleep(_POLL_SECONDS)

    def kill(self, name: str) -> None:
        self._signal(name, signal.SIGKILL)

    def _signal(self, name: str, number: int) -> None:
        if name in self._pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pids[name], number)

    async def died(self) -> str:
        return await self._deaths.get()

    async def close(self) -> None:
        """The nursery takes its workers along, and waits for them: their CPU time is counted."""
        self._stopping.update(self._pids)
        self._peers.close()
        commands, listener = await self._connected()
        commands.close()
        await listener
        shutil.rmtree(self._folder, ignore_errors=True)
