"""Workers whose page processor meets its end on certain pages of the tree web.

Named as the factory of fetchers; run as a program, it is the process in which a page is
processed alone, and which ends in the same way.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence

from msgspec import msgpack

from gossamer import workers
from gossamer.crawl.fetcher import Fetcher
from gossamer.extract.processor import build_processors
from gossamer.records import Outcome, PageContent, Processed, RawPage, Unread
from gossamer.runtime.contract import Peers
from gossamer.urls import Resolver

MODULE = "tests.faults.poisoned_workers"

# Numbers of leaves of the tree.
KILLS, KILLS_IN_COMPANY, RAISES, HANGS, TAKES_LONG = 30, 35, 40, 45, 50

LONG_SECONDS = 2.0
_ISOLATED_SECONDS = 20.0


def _is(page: RawPage, number: int) -> bool:
    return b"<title>Page %d of the tree</title>" % number in page.body


def _meet(page: RawPage, *, alone: bool) -> None:
    if _is(page, KILLS) or (_is(page, KILLS_IN_COMPANY) and not alone):
        os.kill(os.getpid(), signal.SIGKILL)
    if _is(page, RAISES):
        raise ValueError("a bug of the processor")
    if _is(page, HANGS):
        while True:
            time.sleep(60.0)
    if _is(page, TAKES_LONG):
        time.sleep(LONG_SECONDS)


def fetcher_role(settings: bytes, peers: Peers) -> Fetcher:
    fetcher = workers.fetcher_role(settings, peers)
    process = fetcher._process

    def poisoned(pages: Sequence[RawPage], at: Callable[[int], None]) -> list[Processed]:
        def reads(position: int) -> None:
            at(position)
            _meet(pages[position], alone=False)

        return process(pages, reads)

    fetcher._process = poisoned
    fetcher._process_isolated = _isolated
    return fetcher


async def _isolated(page: RawPage) -> Processed:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", MODULE),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(1.0 if _is(page, HANGS) else _ISOLATED_SECONDS):
            output, _ = await child.communicate(msgpack.encode(page))
    except TimeoutError:
        child.kill()
        await child.wait()
        return Unread(Outcome.POISON, "took too long")
    if child.returncode != 0:
        return Unread(Outcome.POISON, f"ended with code {child.returncode}")
    return msgpack.decode(output, type=PageContent)


def main() -> None:
    page = msgpack.decode(sys.stdin.buffer.read(), type=RawPage)
    _meet(page, alone=True)
    content = build_processors("Gossamer", Resolver()).process(page)
    sys.stdout.buffer.write(msgpack.encode(content))


if __name__ == "__main__":
    main()
