import asyncio
from pathlib import Path

import pytest

from gossamer.extract.isolated import Crashed, process_isolated
from gossamer.extract.processor import build_processors
from gossamer.records import PageContent, RawPage
from gossamer.urls import Resolver

MEMORY = 1 << 30


def page(body: bytes, media_type: str = "text/html") -> RawPage:
    return RawPage("https://example.org/dir/", media_type, "utf-8", body)


def processed(
    raw: RawPage, seconds: float = 60, memory_bytes: int = MEMORY
) -> PageContent | Crashed | None:
    return asyncio.run(process_isolated(raw, "Gossamer", seconds, memory_bytes))


def test_it_says_what_the_processors_say() -> None:
    raw = page(b"<title>T</title><h1>One</h1><a href=x rel=nofollow>anchor</a>")
    assert processed(raw) == build_processors("Gossamer", Resolver()).process(raw)


def test_an_unsupported_page() -> None:
    assert processed(page(b"%PDF-", "application/pdf")) is None


def test_too_little_memory() -> None:
    outcome = processed(page(b"<p>" + b"x<b>y</b> " * 400_000), memory_bytes=192 << 20)
    assert isinstance(outcome, Crashed)
    assert outcome.reason


def test_hardly_any_memory() -> None:
    assert isinstance(processed(page(b"<p>"), memory_bytes=1 << 20), Crashed)


def test_too_little_time() -> None:
    outcome = processed(page(b"<p>"), seconds=0.001)
    assert outcome == Crashed("took longer than 0.001 s")


def test_a_page_that_takes_long() -> None:
    outcome = processed(page(b"<ul><li>" * 6_000_000), seconds=1, memory_bytes=8 << 30)
    assert isinstance(outcome, Crashed)
    assert outcome.reason in ("took longer than 1 s", "killed by SIGXCPU", "killed by SIGKILL")


@pytest.mark.xfail(strict=False, reason="depends on the load")
def test_being_cancelled_leaves_no_child_behind() -> None:
    async def cancelled() -> int:
        task = asyncio.create_task(process_isolated(page(b"<p>"), "Gossamer", 60, MEMORY))
        while not (children := _children()):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return children[0]

    child = asyncio.run(cancelled())
    assert child not in _children()


def _children() -> list[int]:
    return [int(pid) for pid in Path("/proc/thread-self/children").read_text().split()]
