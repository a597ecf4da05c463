"""Reads documents as a crawl does: in a process of their own, which may die."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gossamer.extract.isolated import HeavyProcessors, Limits
from gossamer.records import Outcome, PageContent, Processed, RawPage, Unread

LIMITS = Limits(seconds=30.0, memory_bytes=1_000_000_000)
_WAIT_SECONDS = 60.0


class HeavyReader:
    """One child for many pages, for code that does not wait itself."""

    def __init__(self, limits: Limits) -> None:
        self._runner = asyncio.Runner()
        self._heavy = HeavyProcessors("Gossamer", limits)

    def processed(self, body: bytes, media_type: str) -> Processed:
        page = RawPage("https://example.org/dir/file", media_type, "", body)
        found = self._runner.run(self._heavy.process(page, _WAIT_SECONDS))
        assert found is not None
        return found

    def content(self, body: bytes, media_type: str) -> PageContent:
        found = self.processed(body, media_type)
        assert isinstance(found, PageContent), found
        return found

    def unread(self, body: bytes, media_type: str) -> Unread:
        found = self.processed(body, media_type)
        assert isinstance(found, Unread), found
        return found

    def close(self) -> None:
        self._runner.run(self._heavy.close())
        self._runner.close()


@contextmanager
def heavy_reader(limits: Limits = LIMITS) -> Iterator[HeavyReader]:
    reader = HeavyReader(limits)
    try:
        yield reader
    finally:
        reader.close()


def children() -> set[int]:
    """Process ids. Also of other tests: a server that all of them share, for example."""
    return {int(pid) for pid in Path("/proc/thread-self/children").read_text().split()}


def is_our_bug(processed: Processed) -> bool:
    """Native code may crash, and what it does is bounded from outside. Ours must not."""
    return (
        isinstance(processed, Unread)
        and processed.outcome is Outcome.POISON
        and not processed.detail.startswith(("crashed its reader", "took longer", "needed more"))
    )


def assert_whole(processed: Processed) -> None:
    """Whatever a page was, what is made of it can be stored."""
    if isinstance(processed, Unread):
        assert processed.detail
        assert processed.detail.isprintable()
        return
    lines = processed.text.split("\n") if processed.text else []
    assert len(lines) == len(processed.classes)
    assert all(line == " ".join(line.split()) != "" for line in lines)
    processed.text.encode()
    assert not any(mark in link.anchor for link in processed.links for mark in "\n\r\0")
