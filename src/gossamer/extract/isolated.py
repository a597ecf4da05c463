"""Processes one page in a process of its own, which may die without harm.

For a page that took a whole fetcher down before. The child limits its own memory and processor
time before it loads any parser; the parent limits the time on the clock. The page goes in and its
content comes out as MessagePack.
"""

import asyncio
import math
import os
import resource
import signal
import sys

import msgspec

from gossamer.records import PageContent, RawPage

_REASON_LENGTH = 200


class Crashed(msgspec.Struct, frozen=True):
    """The page killed its process, or had to be stopped."""

    reason: str


async def process_isolated(
    page: RawPage, agent_name: str, seconds: float, memory_bytes: int
) -> PageContent | Crashed | None:
    """What `Processors.process` returns for the page, or how the attempt ended."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "gossamer.extract.isolated",
        agent_name,
        str(math.ceil(seconds)),
        str(memory_bytes),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        # Threads of a numerical library reserve memory by the hundred megabytes.
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    try:
        async with asyncio.timeout(seconds):
            output, errors = await child.communicate(msgspec.msgpack.encode(page))
    except TimeoutError:
        return Crashed(f"took longer than {seconds:g} s")
    finally:
        if child.returncode is None:
            child.kill()
            # Reap it, and let the transport close its pipes, even while we are being cancelled.
            await asyncio.shield(child.wait())
    if child.returncode != 0:
        return Crashed(_reason(child.returncode, errors))
    try:
        return msgspec.msgpack.decode(output, type=PageContent | None)
    except msgspec.DecodeError as error:
        return Crashed(f"answered nonsense: {error}")


def _reason(code: int | None, errors: bytes) -> str:
    if code is not None and code < 0:
        return f"killed by {signal.Signals(-code).name}"
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return (lines[-1] if lines else f"ended with code {code}")[:_REASON_LENGTH]


def _limit(seconds: int, memory_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    agent_name, seconds, memory_bytes = sys.argv[1:]
    _limit(int(seconds), int(memory_bytes))
    # Only now: what loads from here on is within the limits.
    from gossamer.extract.processor import Processors, build_processors
    from gossamer.urls import Resolver

    page = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=RawPage)
    processors: Processors = build_processors(agent_name, Resolver())
    sys.stdout.buffer.write(msgspec.msgpack.encode(processors.process(page)))


if __name__ == "__main__":
    main()
