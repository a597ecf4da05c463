"""Many pages in one process apart: what becomes of it, and of them."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable

import pytest
import uvloop

from gossamer.extract.isolated import HeavyProcessors, Limits
from gossamer.extract.processor import build_processors
from gossamer.extract.sniff import DOCX, PDF
from gossamer.records import Outcome, PageContent, Processed, RawPage, Unread
from gossamer.urls import KeyRules, Resolver, parse
from tests.documents import docx, paragraph, pdf
from tests.extract.heavy import children

LIMITS = Limits(seconds=30.0, memory_bytes=1_000_000_000)
LONG = b"<ul><li>" * 6_000_000
LOOPS: list[Callable[[], asyncio.AbstractEventLoop] | None] = [None, uvloop.new_event_loop]


def page(body: bytes, media_type: str = PDF) -> RawPage:
    return RawPage("https://example.org/dir/", media_type, "", body)


def text_of(found: Processed | None) -> str:
    assert isinstance(found, PageContent), found
    return found.text


def run(
    work: Callable[[HeavyProcessors], Awaitable[None]],
    limits: Limits = LIMITS,
    loop: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> None:
    """And nothing is left behind."""
    others = children()

    async def whole() -> None:
        heavy = HeavyProcessors("Gossamer", limits)
        try:
            await work(heavy)
        finally:
            await heavy.close()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(whole())
    assert children() == others


@pytest.mark.parametrize("loop", LOOPS, ids=["asyncio", "uvloop"])
def test_one_process_reads_many_pages(
    loop: Callable[[], asyncio.AbstractEventLoop] | None,
) -> None:
    pages = [
        page(pdf(["one"], links=[(0, 0, "/x")])),
        page(docx(paragraph("two")), DOCX),
        page(b"broken"),
        page(b"<p>three", "text/html"),
        page(bytes(9), "image/png"),
    ]
    expected = build_processors("Gossamer", Resolver(), heavy_seconds=5).process_all(pages)

    async def work(heavy: HeavyProcessors) -> None:
        others = children()
        assert [await heavy.process(one, 60) for one in pages] == expected
        (child,) = children() - others
        assert text_of(await heavy.process(pages[0], 60)) == "one"
        assert children() - others == {child}

    run(work, loop=loop)


def test_it_makes_keys_as_the_crawl_does() -> None:
    rules = KeyRules(("utm_*",), True, ("index.html",))

    async def work() -> None:
        heavy = HeavyProcessors("Gossamer", LIMITS, rules=rules)
        try:
            raw = page(pdf(["x"], links=[(0, 0, "/a/index.html?utm_x=1")]))
            found = await heavy.process(raw, 60)
            assert isinstance(found, PageContent)
            (link,) = found.links
            assert link.url.key == parse("https://example.org/a/").key
        finally:
            await heavy.close()

    asyncio.run(work())


def test_pages_at_once_wait_for_each_other() -> None:
    async def work(heavy: HeavyProcessors) -> None:
        pages = [page(pdf([f"page {number}"])) for number in range(20)]
        found = await asyncio.gather(*[heavy.process(one, 60) for one in pages])
        assert [text_of(one) for one in found] == [f"page {number}" for number in range(20)]

    run(work)


def test_a_page_that_takes_its_process_down_costs_no_other() -> None:
    async def work(heavy: HeavyProcessors) -> None:
        assert text_of(await heavy.process(page(pdf(["before"])), 60)) == "before"
        # Too much for what little memory there is.
        found = await heavy.process(page(b"<p>" + b"x<b>y</b> " * 4_000_000, "text/html"), 60)
        assert isinstance(found, Unread)
        assert found.outcome is Outcome.POISON
        assert "needed more than 400 MB of memory" in found.detail
        assert text_of(await heavy.process(page(pdf(["after"])), 60)) == "after"

    run(work, Limits(30.0, 400_000_000))


def test_a_process_that_has_died_in_the_meantime() -> None:
    """Of what it read before, say, or of a machine that ran out of memory."""

    async def work(heavy: HeavyProcessors) -> None:
        others = children()
        await heavy.process(page(pdf(["before"])), 60)
        (child,) = children() - others
        os.kill(child, signal.SIGKILL)
        assert text_of(await heavy.process(page(pdf(["after"])), 60)) == "after"
        assert children() - others != {child}

    run(work)


def test_a_page_that_takes_too_long() -> None:
    async def work(heavy: HeavyProcessors) -> None:
        found = await heavy.process(page(LONG, "text/html"), 60)
        assert found == Unread(Outcome.POISON, "took longer than 1.5 s")
        assert text_of(await heavy.process(page(pdf(["after"])), 60)) == "after"

    run(work, Limits(1.5, 8_000_000_000))


def test_a_turn_that_does_not_come() -> None:
    async def work(heavy: HeavyProcessors) -> None:
        long = asyncio.create_task(heavy.process(page(LONG, "text/html"), 60))
        await asyncio.sleep(0)
        assert await heavy.process(page(pdf(["second"])), 0.05) is None
        assert isinstance(await long, Unread)
        assert text_of(await heavy.process(page(pdf(["third"])), 60)) == "third"

    run(work, Limits(1.5, 8_000_000_000))


@pytest.mark.parametrize("loop", LOOPS, ids=["asyncio", "uvloop"])
@pytest.mark.parametrize("steps", [0, 1, 2, 4, 8, 100])
def test_being_cancelled(loop: Callable[[], asyncio.AbstractEventLoop] | None, steps: int) -> None:
    """At whatever step of its start, or of its work: the next page is read all the same."""

    async def work(heavy: HeavyProcessors) -> None:
        others = children()
        task = asyncio.create_task(heavy.process(page(LONG, "text/html"), 60))
        while children() == others:
            await asyncio.sleep(0)
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert children() == others
        assert text_of(await heavy.process(page(pdf(["next"])), 60)) == "next"

    run(work, loop=loop)


def test_closing_twice() -> None:
    async def work(heavy: HeavyProcessors) -> None:
        await heavy.process(page(b""), 60)
        await heavy.close()
        await heavy.close()
        assert await heavy.process(page(b""), 60) is None

    run(work)


def test_closing_before_a_start() -> None:
    async def work(heavy: HeavyProcessors) -> None:
        await heavy.close()
        assert await heavy.process(page(b""), 60) is None

    run(work)


@pytest.mark.parametrize("steps", [0, 1, 2, 4, 8, 100])
def test_closing_while_pages_are_read(steps: int) -> None:
    async def work(heavy: HeavyProcessors) -> None:
        others = children()
        tasks = [asyncio.create_task(heavy.process(page(LONG, "text/html"), 60)) for _ in range(3)]
        while children() == others:
            await asyncio.sleep(0)
        for _ in range(steps):
            await asyncio.sleep(0)
        await heavy.close()
        assert await asyncio.gather(*tasks) == [None] * 3

    run(work)
