import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from gossamer.crawl import processing
from gossamer.crawl.inflight import InflightMark, marked
from gossamer.crawl.lanes import Task
from gossamer.crawl.orders import OpenOrder
from gossamer.crawl.processing import ProcessingLine
from gossamer.crawl.visits import Reading
from gossamer.records import (
    Exchange,
    FoundLink,
    Item,
    Outcome,
    PageContent,
    PageRow,
    Processed,
    RawPage,
    Schedule,
    Unread,
)
from gossamer.urls import from_href

ODD = Unread(Outcome.UNSUPPORTED, "odd")
ENOUGH, TOO_MANY = processing._ENOUGH, processing._TOO_MANY


class NoWriter:
    def add(self, page: PageRow, links: Sequence[FoundLink], exchange: Exchange | None) -> None: ...

    def finish(self) -> bool:
        return False

    def discard(self) -> None: ...


ORDER = OpenOrder(Schedule(0, 1, 1, 1, 10.0, 40.0, (), ()), NoWriter(), 0.0, 10.0)


class Line:
    """A line whose processor makes a page's address its title, and breaks on what it is told."""

    def __init__(self, folder: Path, breaks_on: frozenset[str] = frozenset()) -> None:
        self.path = folder / "mark"
        self.breaks_on = breaks_on
        self.batches: list[list[str]] = []
        self.marks: list[tuple[int, int] | None] = []
        self.results: list[tuple[str, Processed]] = []
        self.line = ProcessingLine(self.process, InflightMark(self.path), self.take)

    def process(self, pages: Sequence[RawPage], at: Callable[[int], None]) -> list[Processed]:
        self.batches.append([page.url for page in pages])
        contents: list[Processed] = []
        for position, page in enumerate(pages):
            at(position)
            self.marks.append(marked(self.path))
            if page.url in self.breaks_on:
                raise ValueError(f"cannot read {page.url}")
            contents.append(ODD if page.media_type == "odd" else PageContent(title=page.url))
        return contents

    def take(self, task: Task, reading: Reading, processed: Processed) -> None:
        assert reading.item is task.item
        self.results.append((task.item.url, processed))

    def add(self, *urls: str, media_type: str = "text/html") -> None:
        for text in urls:
            url = from_href(text)
            item = Item(url.href, url.site_hash, url.key, 1)
            exchange = Exchange(url.href, 0.0, 0.0, Outcome.OK, status=200)
            page = RawPage(url.href, media_type, "", b"")
            reading = Reading(item, url, exchange, Outcome.OK, page=page)
            self.line.add(Task(item, ORDER), reading, page)

    async def done(self, count: int) -> None:
        while len(self.results) < count:
            await asyncio.sleep(0)


def urls(count: int, start: int = 0) -> list[str]:
    return [f"http://a.example/{number}" for number in range(start, start + count)]


def run(work: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(10):
            await work

    asyncio.run(bounded())


def test_pages_that_come_together_are_processed_together(tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(tmp_path)
        line.add(*urls(5))
        assert line.batches == []
        await line.done(5)
        line.add(*urls(2, 5))
        await line.done(7)
        assert line.batches == [urls(5), urls(2, 5)]
        assert line.results == [(url, PageContent(title=url)) for url in urls(7)]

    run(work())


def test_a_full_batch_does_not_wait(tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(tmp_path)
        line.add(*urls(ENOUGH))
        await asyncio.sleep(0)
        assert line.batches == [urls(ENOUGH)]
        assert line.line._timer is None

    run(work())


def test_flushing_processes_what_is_there(tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(tmp_path)
        line.add(*urls(3))
        line.line.flush()
        assert [url for url, _ in line.results] == urls(3)
        line.line.flush()
        assert len(line.results) == 3

    run(work())


def test_no_room_until_a_batch_has_been_processed(tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(tmp_path)
        line.add(*urls(TOO_MANY - 1))
        await line.line.room()
        assert line.results == []
        line.add(*urls(1, TOO_MANY - 1))
        waiting = asyncio.create_task(line.line.room())
        assert not line.line._has_room.is_set()
        await waiting
        assert [url for url, _ in line.results] == urls(TOO_MANY)

    run(work())


def test_a_page_that_nobody_reads_has_no_content(tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(tmp_path)
        line.add("http://a.example/odd", media_type="odd")
        line.add("http://a.example/1")
        line.line.flush()
        assert line.results == [
            ("http://a.example/odd", ODD),
            ("http://a.example/1", PageContent(title="http://a.example/1")),
        ]

    run(work())


def test_a_page_that_breaks_the_processor_costs_no_other(tmp_path: Path) -> None:
    async def work() -> None:
        bad = frozenset({"http://a.example/2", "http://a.example/4"})
        line = Line(tmp_path, bad)
        line.add(*urls(6))
        await line.done(6)
        assert [url for url, _ in line.results] == urls(6)
        for url, content in line.results:
            if url in bad:
                assert content == Unread(Outcome.POISON, f"ValueError: cannot read {url}")
            else:
                assert content == PageContent(title=url)
        assert marked(line.path) is None
        line.add(*urls(1))
        await line.done(7)

    run(work())


def test_the_mark_is_at_the_page_that_is_being_read(tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(tmp_path)
        line.add(*urls(3))
        assert marked(line.path) is None
        line.line.flush()
        assert line.marks == [(from_href(url).site_hash, from_href(url).key) for url in urls(3)]
        assert marked(line.path) is None

    run(work())
