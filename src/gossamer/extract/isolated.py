"""Processes pages in processes of their own, which may die without harm.

For pages that took a whole fetcher down before, one process a page; and for formats that take
long, or whose readers crash now and then, one process for many pages, started anew when a page
took it down. The child limits its own memory and processor time before it loads any parser; the
parent limits the time on the clock. Pages go in and their content comes out as MessagePack, each
behind its length.
"""

import asyncio
import ctypes
import math
import os
import resource
import signal
import struct
import sys
import time
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from gossamer.records import Outcome, PageContent, Processed, RawPage, Unread
from gossamer.urls import PLAIN_KEYS, KeyRules

_PR_SET_PDEATHSIG = 1
_REASON_LENGTH = 200
_START_SECONDS = 60.0
_LENGTH = struct.Struct("<I")
_STREAM_BYTES = 1 << 20
# A child that has not given back the memory of its last page makes room for a new one.
_TIRED_BYTES = 300_000_000


_Message = TypeVar("_Message")


class Limits(NamedTuple):
    seconds: float  # for a page
    memory_bytes: int  # in all


class _Setup(msgspec.Struct, frozen=True, array_like=True):
    """What a child is told first: it reads pages, and makes keys, as its parent does."""

    agent_name: str
    drop_parameters: tuple[str, ...]
    drop_session_ids: bool
    index_files: tuple[str, ...]
    link_scope: str

    @classmethod
    def of(cls, agent_name: str, rules: KeyRules, link_scope: str) -> "_Setup":
        parts = (rules.drop_parameters, rules.drop_session_ids, rules.index_files)
        return cls(agent_name, *parts, link_scope)

    @property
    def rules(self) -> KeyRules:
        return KeyRules(self.drop_parameters, self.drop_session_ids, self.index_files)


class _Reply(msgspec.Struct, frozen=True, array_like=True):
    content: PageContent | None
    unread: Unread | None = None
    is_last: bool = False


class _Died(Exception):
    """The child is gone; the message says why."""


async def process_isolated(
    page: RawPage,
    agent_name: str,
    limits: Limits,
    *,
    rules: KeyRules = PLAIN_KEYS,
    link_scope: str = "",
) -> Processed:
    """What `Processors.process` returns for the page, or how the attempt ended."""
    child = _Child(_Setup.of(agent_name, rules, link_scope), limits)
    try:
        async with asyncio.timeout(limits.seconds):
            await child.start()
            return _processed(await child.ask(page))
    except TimeoutError:
        return _poison(f"took longer than {limits.seconds:g} s")
    except _Died as death:
        return _poison(str(death))
    finally:
        await asyncio.shield(child.end())


class HeavyProcessors:
    """Reads heavy pages one after another in one child. For one event loop."""

    def __init__(
        self,
        agent_name: str,
        limits: Limits,
        *,
        rules: KeyRules = PLAIN_KEYS,
        link_scope: str = "",
    ) -> None:
        self._setup = _Setup.of(agent_name, rules, link_scope)
        self._limits = limits
        self._child: _Child | None = None
        self._turn = asyncio.Lock()
        self._is_closed = False

    async def process(self, page: RawPage, wait_seconds: float) -> Processed | None:
        """None: its turn has not come in time, or never will."""
        try:
            async with asyncio.timeout(wait_seconds):
                await self._turn.acquire()
        except TimeoutError:
            return None
        try:
            return await self._read(page)
        finally:
            self._turn.release()

    async def close(self) -> None:
        self._is_closed = True
        await self._end_child()

    async def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await asyncio.shield(child.end())

    async def _read(self, page: RawPage) -> Processed | None:
        while not self._is_closed:
            was_used = self._child is not None
            try:
                return await self._asked(page)
            except _Died as death:
                # One that was used may have died of what it read before: a new one is asked.
                if not was_used and not self._is_closed:
                    return _poison(str(death))
        return None

    async def _asked(self, page: RawPage) -> Processed:
        reply: _Reply | None = None
        try:
            child = self._child or await self._start()
            async with asyncio.timeout(self._limits.seconds):
                reply = await child.ask(page)
        except TimeoutError:
            return _poison(f"took longer than {self._limits.seconds:g} s")
        finally:
            if reply is None or reply.is_last:
                await self._end_child()
        return _processed(reply)

    async def _start(self) -> "_Child":
        self._child = _Child(self._setup, self._limits)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await self._child.start()
        except TimeoutError:
            raise _Died(f"its reader did not start in {_START_SECONDS:g} s") from None
        return self._child


def _processed(reply: _Reply) -> Processed:
    return reply.content or reply.unread or _poison("answered nothing")


def _poison(reason: str) -> Unread:
    return Unread(Outcome.POISON, reason)


class _Child:
    """A process that reads pages, seen from its parent."""

    def __init__(self, setup: _Setup, limits: Limits) -> None:
        self._setup = setup
        self._limits = limits
        # The start is not interrupted: a loop may kill a child that has half started, yet not
        # reap it.
        self._starting = asyncio.create_task(_spawn(limits))
        self._errors: asyncio.Task[bytes] | None = None

    async def start(self) -> None:
        self._process = await asyncio.shield(self._starting)
        assert self._process.stderr is not None
        self._errors = asyncio.create_task(_tail(self._process.stderr))
        await self._send(self._setup)
        await self._receive()

    async def ask(self, page: RawPage) -> _Reply:
        await self._send(page)
        answer = await self._receive()
        try:
            return msgspec.msgpack.decode(answer, type=_Reply)
        except msgspec.DecodeError as error:
            raise _Died(f"answered nonsense: {error}") from None

    async def _send(self, what: _Setup | RawPage) -> None:
        assert self._process.stdin is not None
        message = msgspec.msgpack.encode(what)
        try:
            self._process.stdin.write(_LENGTH.pack(len(message)))
            self._process.stdin.write(message)
            await self._process.stdin.drain()
        except ConnectionError:
            raise _Died(await self._cause()) from None

    async def _receive(self) -> bytes:
        assert self._process.stdout is not None
        try:
            head = await self._process.stdout.readexactly(_LENGTH.size)
            return await self._process.stdout.readexactly(*_LENGTH.unpack(head))
        except (asyncio.IncompleteReadError, ConnectionError):
            raise _Died(await self._cause()) from None

    async def _cause(self) -> str:
        assert self._errors is not None
        code = await self._process.wait()
        errors = await self._errors
        if code < 0:
            megabytes = self._limits.memory_bytes // 1_000_000
            return (
                f"crashed its reader, or needed more than {megabytes:,} MB of memory"
                f" ({signal.Signals(-code).name})"
            )
        lines = errors.decode("utf-8", "replace").strip().splitlines()
        return (lines[-1] if lines else f"its reader ended with code {code}")[:_REASON_LENGTH]

    async def end(self) -> None:
        """Kill the child where it still runs, and reap it, which closes its pipes too."""
        process = await self._starting
        if process.returncode is None:
            process.kill()
        await process.wait()
        if self._errors is not None:
            await self._errors


async def _spawn(limits: Limits) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gossamer.extract.isolated"),
        *(str(limits.seconds), str(limits.memory_bytes)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=_STREAM_BYTES,
        # Threads of a numerical library reserve memory by the hundred megabytes.
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )


async def _tail(stream: asyncio.StreamReader) -> bytes:
    """The last words of a child. They are read all along, so that it never waits for us."""
    tail = b""
    while chunk := await stream.read(4096):
        tail = (tail + chunk)[-4096:]
    return tail


# The child


def _limit(memory_bytes: int) -> None:
    # A parent that is killed has no time to end us: the kernel does.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: float) -> None:
    """From now on."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), most))


def main() -> None:
    limits = Limits(float(sys.argv[1]), int(sys.argv[2]))
    _limit(limits.memory_bytes)
    _limit_time(_START_SECONDS)
    # Whatever a library prints must not get between our answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # Only now: what loads from here on is within the limits.
    from gossamer.extract.processor import build_processors
    from gossamer.urls import Resolver

    setup = _next(sys.stdin.buffer, _Setup)
    if setup is None:
        return
    processors = build_processors(
        setup.agent_name,
        Resolver(rules=setup.rules),
        # A page that is cut short half-way is worth more than one that is killed at the end.
        heavy_seconds=limits.seconds / 2,
        link_scope=setup.link_scope,
    )
    _send(answers, b"")
    while page := _next(sys.stdin.buffer, RawPage):
        _limit_time(limits.seconds)
        try:
            reply = _reply(processors.process(page))
        except MemoryError:
            megabytes = limits.memory_bytes // 1_000_000
            reply = _Reply(None, _poison(f"needed more than {megabytes:,} MB of memory"), True)
        except Exception as error:  # a bug of a processor costs the page that shows it
            reply = _Reply(None, _poison(f"{type(error).__name__}: {error}"[:_REASON_LENGTH]))
        _send(answers, msgspec.msgpack.encode(reply))
        if reply.is_last:
            break


def _reply(processed: Processed) -> _Reply:
    is_tired = _memory_bytes() > _TIRED_BYTES
    if isinstance(processed, Unread):
        return _Reply(None, processed, is_tired)
    return _Reply(processed, None, is_tired)


def _memory_bytes() -> int:
    """What this process holds at the moment."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def _next(stream: BinaryIO, kind: type[_Message]) -> _Message | None:
    """None: nobody asks any more."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    return msgspec.msgpack.decode(stream.read(*_LENGTH.unpack(head)), type=kind)


def _send(stream: BinaryIO, message: bytes) -> None:
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


if __name__ == "__main__":
    main()
