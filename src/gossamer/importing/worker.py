"""The worker of an import, as a role: surveys parts of files, and makes pages of records.

Named by the conductor, and imported nowhere but in the processes that it runs in.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct, msgpack, structs

from gossamer.config import CrawlSettings
from gossamer.crawl.calls import Empty, handler
from gossamer.crawl.filters import Filters, PluginFilter
from gossamer.crawl.forgotten import ForgottenUrls
from gossamer.crawl.inflight import InflightMark
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.visits import Reading, VisitReader
from gossamer.extract.isolated import HeavyProcessors, Limits, process_isolated
from gossamer.extract.processor import build_processors, is_heavy
from gossamer.importing.archives import Record
from gossamer.importing.exchanges import exchange_of, is_cut_by_writer
from gossamer.importing.survey import Cursor, address_of, survey
from gossamer.importing.tasks import Batch, Part, Repeat, Surveyed, Taken
from gossamer.plugins import Plugins, ProcessPages
from gossamer.records import (
    Exclusion,
    Item,
    Outcome,
    PageContent,
    Processed,
    RawPage,
    Unread,
    Visit,
)
from gossamer.roles import RunFolder
from gossamer.runtime.contract import Handler, Peers
from gossamer.storage.objects import LocalObjects
from gossamer.storage.staging import AttemptWriter
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import KeyRules, Resolver, Url, from_href

_ISOLATED = Limits(seconds=20.0, memory_bytes=2_000_000_000)
_HEAVY = Limits(seconds=10.0, memory_bytes=1_500_000_000)
_LONGEST_TURN_SECONDS = 600.0
_NOT_ITS_TURN = Unread(Outcome.POISON, "its reader was busy for too long")
_AT_ONCE = 48
"""Pages that are processed together: that takes less time for each."""

_LONGEST_SKIP = 4_000_000
"""Where the next record that is wanted lies further on, it is gone to, and not read up to."""


class ImporterSettings(Struct, frozen=True):
    folder: str
    name: str
    settings: str  # CrawlSettings as JSON


class _Every(set[int]):
    def __contains__(self, key: object) -> bool:
        return True


class _NoLinkIsSent(KnownLinks):
    """An import follows no links: they are stored with their page, and need no owner."""

    @property
    def settled(self) -> tuple[set[int], set[int]]:
        return _EVERY, _EVERY


_EVERY = _Every()


def _without_choice(settings: CrawlSettings) -> CrawlSettings:
    """Where no link is followed, none has to be weighed."""
    return settings.model_copy(update={"max_links_per_page": 0, "order": "breadth", "topic": ()})


def importer_role(settings: bytes, _: Peers) -> "Importer":
    worker = msgpack.decode(settings, type=ImporterSettings)
    return Importer(
        RunFolder(Path(worker.folder)),
        worker.name,
        CrawlSettings.model_validate_json(worker.settings),
    )


class Importer:
    def __init__(self, folder: RunFolder, name: str, settings: CrawlSettings) -> None:
        self._resolver = Resolver(rules=KeyRules.of(settings))
        self._settings = settings
        self._plugins = plugins = Plugins(settings.plugins)
        self._filters = Filters(
            settings, [PluginFilter(plugins)] if plugins.has_url_filters else []
        )
        self._reader = VisitReader(
            *(_without_choice(settings), self._filters, self._resolver, _NoLinkIsSent()),
            is_heavy=lambda page: is_heavy(page) and not plugins.reads(page.media_type),
            plugins=plugins if settings.plugins else None,
        )
        processors = build_processors(
            *(settings.agent_name, self._resolver),
            link_scope=settings.link_scope,
            readers=plugins.readers,
        )
        self.process: ProcessPages = plugins.around(processors.process_all)
        self._heavy = HeavyProcessors(settings.agent_name, _HEAVY, rules=self._resolver.rules)
        self._objects = LocalObjects(folder.path)
        self._forgotten = ForgottenUrls(Tombstones.load(self._objects))
        self._mark = InflightMark(folder.mark(name))
        self._cursor = Cursor()
        # Surveys wait for the disk alone: meanwhile the loop can say that we are alive.
        self._thread = ThreadPoolExecutor(1)
        self._stopped = asyncio.Event()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {
            "ping": handler(Empty, self._ping),
            "survey": handler(Part, self._survey),
            "take": handler(Batch, self._take),
        }

    async def run(self) -> None:
        try:
            await self._stopped.wait()
        finally:
            self._thread.shutdown(wait=False)
            await self._heavy.close()

    def stop(self) -> None:
        self._stopped.set()

    async def _ping(self, _: Empty) -> Empty:
        return Empty()

    # The survey

    async def _survey(self, part: Part) -> Surveyed:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread, survey, part, self._cursor, self._resolver, self._objection
        )

    def _objection(self, url: Url) -> Exclusion | None:
        if self._forgotten.covers(url):
            return Exclusion.FORGOTTEN
        return self._filters.objection(url, url, 0)

    # Pages

    async def _take(self, batch: Batch) -> Taken:
        making = _Making(batch, self._reader, self.process, self._mark, self._attempt(batch))
        isolated = frozenset(batch.isolated)
        own = frozenset(batch.places)
        repeats = defaultdict(list)
        for repeat in batch.repeats:
            repeats[repeat.place].append(repeat)
        for record in self._wanted(batch, sorted(own | repeats.keys())):
            place = record if isinstance(record, int) else record.place
            readings = (
                None
                if isinstance(record, int)
                else self._read(record, repeats.get(place, ()), is_wanted=place in own)
            )
            if readings is None:
                making.writer.discard()
                return Taken(staged=False, visits=(), missing=place)
            for reading in readings:
                if reading.page is None:
                    making.finish(reading, None)
                elif place in isolated or reading.is_heavy:
                    processed = await self._elsewhere(reading.page, alone=place in isolated)
                    making.finish(reading, processed)
                else:
                    making.add(place, reading)
                if len(making.waiting) == _AT_ONCE:
                    making.flush()
                    await asyncio.sleep(0)  # lets the heartbeat be answered
        making.flush()
        return Taken(staged=making.writer.finish(), visits=tuple(making.visits))

    async def _elsewhere(self, page: RawPage, *, alone: bool) -> Processed:
        """What a page says that is not to be read in this process."""
        if alone:
            processed: Processed | None = await process_isolated(
                *(page, self._settings.agent_name, _ISOLATED),
                rules=self._resolver.rules,
                link_scope=self._settings.link_scope,
            )
        else:
            processed = await self._heavy.process(page, _LONGEST_TURN_SECONDS)
            if isinstance(processed, PageContent) and self._plugins.has_page_hooks:
                processed = self._plugins.enriched(page, processed)
        return processed or _NOT_ITS_TURN

    def _attempt(self, batch: Batch) -> AttemptWriter:
        return AttemptWriter(self._objects, batch.name, self._settings.keep_raw)

    def _wanted(self, batch: Batch, places: Sequence[int]) -> Iterator[Record | int]:
        """The records of a batch; a place where none stands ends it."""
        read: Iterator[object] = iter(())
        at: int | None = None
        for place in places:
            if at is None or (batch.shape.can_be_entered and place - at > _LONGEST_SKIP):
                read = self._cursor.at(batch.path, batch.shape, place)
            record = next((one for one in read if getattr(one, "place", -1) >= place), None)
            if not isinstance(record, Record) or record.place != place:
                yield place
                return
            yield record
            at = place

    def _read(
        self, record: Record, repeats: Sequence[Repeat], *, is_wanted: bool
    ) -> list[Reading] | None:
        """The pages that have the content of a record: its own, and those of revisits of it. None:
        it is not the record that was found here."""
        url = address_of(record, self._resolver.rules)
        if url is None:
            return None
        exchange = exchange_of(record, url.href, self._settings.max_wire_bytes)
        exchanges = [(url, exchange)] if is_wanted else []
        for repeat in repeats:
            other = from_href(repeat.url, self._resolver.rules)
            exchanges.append(
                (other, structs.replace(exchange, url=other.href, fetched_at=repeat.seconds))
            )
        readings = []
        for page, of_page in exchanges:
            reading = self._reader.read(Item(page.href, page.site_hash, page.key, depth=0), of_page)
            if is_cut_by_writer(record) and reading.page is not None:
                reading.truncated = True
            readings.append(reading)
        return readings


class _Making:
    """A batch on its way to rows."""

    def __init__(
        self,
        batch: Batch,
        reader: VisitReader,
        process: ProcessPages,
        mark: InflightMark,
        writer: AttemptWriter,
    ) -> None:
        self._batch = batch
        self._reader = reader
        self._process = process
        self._mark = mark
        self._sent: set[int] = set()
        self.writer = writer
        self.visits: list[Visit] = []
        self.waiting: list[tuple[int, Reading]] = []

    def add(self, place: int, reading: Reading) -> None:
        self.waiting.append((place, reading))

    def flush(self) -> None:
        waiting, self.waiting = self.waiting, []
        for (_, reading), processed in zip(waiting, self._processed(waiting), strict=True):
            self.finish(reading, processed)

    def finish(self, reading: Reading, processed: Processed | None) -> None:
        visited = self._reader.finish(reading, processed, self._sent)
        self.writer.add(visited.row, visited.links, visited.exchange)
        self.visits.append(structs.replace(visited.visit, links=()))

    def _processed(self, waiting: list[tuple[int, Reading]]) -> list[Processed]:
        def at(position: int) -> None:
            self._mark.set(self._batch.id, waiting[position][0])

        pages = [reading.page for _, reading in waiting if reading.page is not None]
        try:
            processed = self._process(pages, at)
        except Exception as error:  # a bug of a processor costs the page that shows it, no other
            if len(waiting) > 1:
                return [self._processed([one])[0] for one in waiting]
            processed = [Unread(Outcome.POISON, f"{type(error).__name__}: {error}")]
        self._mark.clear()
        return processed
