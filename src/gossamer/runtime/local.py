"""Roles in this process, on this event loop. For tests, and for machines with one small core."""

import asyncio
import importlib
from typing import cast

from gossamer.errors import DeadlineExceeded, PeerLost, RuntimeFault
from gossamer.runtime.contract import MAX_CALLS, Role, RoleFactory, RoleSpec


def factory_of(name: str) -> RoleFactory:
    module, _, function = name.partition(":")
    return cast(RoleFactory, getattr(importlib.import_module(module), function))


async def _handled(role: Role, method: str, payload: bytes) -> bytes:
    return await role.handlers[method](payload)


class LocalPeer:
    def __init__(self, runtime: "LocalRuntime", name: str) -> None:
        self._runtime = runtime
        self._name = name
        self._slots = asyncio.Semaphore(MAX_CALLS)

    async def call(self, method: str, payload: bytes, *, seconds: float) -> bytes:
        living = self._runtime.living(self._name)
        if living is None:
            raise PeerLost(f"'{self._name}' is not running")
        role, life = living
        try:
            async with asyncio.timeout(seconds), self._slots:
                work = asyncio.ensure_future(_handled(role, method, payload))
                try:
                    await asyncio.wait({work, life}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    if not work.done():
                        work.cancel()
        except TimeoutError:
            raise DeadlineExceeded(f"'{method}' was not answered within {seconds:.0f} s") from None
        if not work.done():
            raise PeerLost(f"'{self._name}' went away")
        try:
            return work.result()
        except Exception as error:
            raise RuntimeFault(f"'{method}' failed: {type(error).__name__}: {error}") from error


class LocalRuntime:
    def __init__(self) -> None:
        self._living: dict[str, tuple[Role, asyncio.Task[None]]] = {}
        self._stopping: set[str] = set()
        self._deaths: asyncio.Queue[str] = asyncio.Queue()

    @property
    def peers(self) -> "LocalRuntime":
        return self

    def peer(self, name: str) -> LocalPeer:
        return LocalPeer(self, name)

    def living(self, name: str) -> tuple[Role, asyncio.Task[None]] | None:
        return self._living.get(name)

    async def start(self, spec: RoleSpec) -> None:
        try:
            role = factory_of(spec.factory)(spec.settings, self)
        except Exception as error:
            raise PeerLost(f"'{spec.name}' cannot be made: {error}") from error
        self._stopping.discard(spec.name)
        task = asyncio.create_task(role.run(), name=spec.name)
        self._living[spec.name] = (role, task)
        task.add_done_callback(lambda ended: self._ended(spec.name, ended))

    def _ended(self, name: str, task: asyncio.Task[None]) -> None:
        if name in self._living and self._living[name][1] is task:
            del self._living[name]
            if name not in self._stopping:
                self._deaths.put_nowait(name)

    async def stop(self, name: str, *, seconds: float) -> None:
        self._stopping.add(name)
        if name not in self._living:
            return
        role, task = self._living[name]
        role.stop()
        await asyncio.wait({task}, timeout=seconds)
        task.cancel()

    def kill(self, name: str) -> None:
        if name in self._living:
            self._living[name][1].cancel()

    async def died(self) -> str:
        return await self._deaths.get()

    async def close(self) -> None:
        self._stopping.update(self._living)
        tasks = [task for _, task in self._living.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
