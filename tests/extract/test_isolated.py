import asyncio
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop

from gossamer.extract.isolated import Limits, process_isolated
from gossamer.extract.processor import build_processors
from gossamer.records import Outcome, PageContent, Processed, RawPage, Unread
from gossamer.urls import KeyRules, Resolver, parse
from tests.crawling import wait_until
from tests.extract.heavy import children

MEMORY = 1 << 30


def page(body: bytes, media_type: str = "text/html") -> RawPage:
    return RawPage("https://example.org/dir/", media_type, "utf-8", body)


def processed(raw: RawPage, seconds: float = 60, memory_bytes: int = MEMORY) -> Processed:
    return asyncio.run(process_isolated(raw, "Gossamer", Limits(seconds, memory_bytes)))


def poison(outcome: Processed) -> str:
    """How a page ended that took its process down."""
    assert isinstance(outcome, Unread)
    assert outcome.outcome is Outcome.POISON
    assert outcome.detail
    return outcome.detail


def test_it_says_what_the_processors_say() -> None:
    raw = page(b"<title>T</title><h1>One</h1><a href=x rel=nofollow>anchor</a>")
    assert processed(raw) == build_processors("Gossamer", Resolver()).process(raw)


def test_it_makes_keys_as_the_crawl_does() -> None:
    rules = KeyRules(("utm_*",), True, ("index.html",))
    raw = page(b"<a href='/a/index.html?utm_x=1'>x</a>")
    found = asyncio.run(process_isolated(raw, "Gossamer", Limits(60, MEMORY), rules=rules))
    assert found == build_processors("Gossamer", Resolver(rules=rules)).process(raw)
    assert isinstance(found, PageContent)
    assert [link.url.key for link in found.links] == [parse("https://example.org/a/").key]


def test_it_takes_the_links_that_the_crawl_wants() -> None:
    pytest.importorskip("lxml")
    raw = page(b"<main><a href=x>x</a></main><a href=y>y</a>")
    found = asyncio.run(process_isolated(raw, "Gossamer", Limits(60, MEMORY), link_scope="//main"))
    assert isinstance(found, PageContent)
    assert [link.anchor for link in found.links if not link.is_outside] == ["x"]


def test_an_unsupported_page() -> None:
    expected = Unread(Outcome.UNSUPPORTED, "no reader for 'image/png'")
    assert processed(page(b"\x89PNG", "image/png")) == expected


def test_a_page_that_cannot_be_read() -> None:
    outcome = processed(page(b"%PDF-1.4", "application/pdf"))
    assert isinstance(outcome, Unread)
    assert outcome.outcome is Outcome.UNREADABLE
    assert outcome.detail.startswith("broken")


def test_too_little_memory() -> None:
    poison(processed(page(b"<p>" + b"x<b>y</b> " * 400_000), memory_bytes=192 << 20))


def test_hardly_any_memory() -> None:
    poison(processed(page(b"<p>"), memory_bytes=1 << 20))


def test_too_little_time() -> None:
    outcome = processed(page(b"<p>"), seconds=0.001)
    assert poison(outcome) == "took longer than 0.001 s"


def test_a_page_that_takes_long() -> None:
    outcome = processed(page(b"<ul><li>" * 6_000_000), seconds=1, memory_bytes=8 << 30)
    assert poison(outcome) == "took longer than 1 s"


@pytest.mark.parametrize("loop", [None, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4, 8, 100])
def test_being_cancelled_leaves_no_child_behind(
    loop: Callable[[], asyncio.AbstractEventLoop] | None, steps: int
) -> None:
    """At whatever step of its start, or of its work."""
    others = children()

    async def cancelled() -> None:
        task = asyncio.create_task(process_isolated(page(b"<p>"), "Gossamer", Limits(60, MEMORY)))
        while children() == others:
            await asyncio.sleep(0)
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(cancelled())
    assert children() == others


def test_a_parent_that_is_killed_leaves_no_child_behind() -> None:
    command = [sys.executable, "-m", "gossamer.extract.isolated", "60", str(MEMORY)]
    code = f"import subprocess; subprocess.run({command})"
    # The child's input stays open, so that the end of its parent is all that can end it.
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as parent:
        listing = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        wait_until(lambda: listing.read_text(), "a child")
        child = int(listing.read_text())
        wait_until(lambda: resource.prlimit(child, resource.RLIMIT_AS)[0] == MEMORY, "its limits")
        parent.kill()
        wait_until(lambda: not _is_alive(child), "its end", 5)


def _is_alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
