"""The ranks of a home's runs: computed from their links, kept, shown and explained."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from gossamer.app.home import Home, settings_of
from gossamer.app.kernels import compile_kernels
from gossamer.config import RankSettings, rank_settings
from gossamer.errors import FormatError, GossamerError, RankError, RankHeld, UsageError
from gossamer.graph.edge_lists import read_edges
from gossamer.graph.farm_rows import FarmRow
from gossamer.graph.link_files import Gathering
from gossamer.graph.ranking import OnStage, rank_links
from gossamer.graph.reader import InLink, PageRanks, RankReader, largest
from gossamer.graph.solving import solved
from gossamer.graph.store import RANKS_VERSION, RankManifest, RankSet, RankStore, as_hex, now
from gossamer.lib.hashing import hash64
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import KeyRules, from_href, host_of, parse

_ANCHORS = 50
_NEAR = 3
_FARM_PAGES = 100


class Ranked(Struct, frozen=True):
    """What computing ranks has come to."""

    runs: tuple[str, ...]
    generation: int
    nodes: int
    edges: int
    crawled: int
    hosts: int
    domains: int
    iterations: int
    residual: float
    seconds: float
    segments: int
    segments_read: int  # the others were known
    farms: int


class Row(NamedTuple):
    """One of the best."""

    name: str
    rank: float
    host_rank: float = 0.0
    combined_rank: float = 0.0
    pages: int = 0
    in_degree: int = 0
    crawled: bool = True
    farm: int = 0


class Anchor(NamedTuple):
    text: str
    links: int


class Explained(NamedTuple):
    page: PageRanks
    typed: str  # what was asked for
    place: int  # among all pages, by rank
    nodes: int
    aliases: list[str]
    in_links: list[InLink]
    anchors: list[Anchor]
    why_farm: str


class FarmReport(NamedTuple):
    farm: FarmRow
    size: int
    urls: list[str]  # of some of its pages
    sites: list[str]  # some of its hosts
    best: list[str]  # the page that gained most
    boosted: list[str]


class Ranking:
    def __init__(self, home: Home) -> None:
        self._home = home
        self.store = RankStore(home.path / "ranks")

    # Computing

    def rank(
        self,
        runs: Sequence[str],
        settings: RankSettings,
        on_stage: OnStage = lambda _what, _done, _of: None,
    ) -> Ranked:
        """Compute the ranks of some runs together, from the links that are new and those that were
        read before."""
        records = [self._home.record(run) for run in dict.fromkeys(runs)]
        if not records:
            raise UsageError("Which run? 'gossamer runs' lists them.")
        names = tuple(record.name for record in records)
        compile_kernels()
        with self.store.writing():
            self.store.forget_runs(frozenset(run.name for run in self._home.catalogue.runs()))
            rules = KeyRules.of(settings_of(records[0]))
            gathering = Gathering(self.store.links)
            folders: list[Path] = []
            read = 0
            for record in records:
                found, new = gathering.gather(
                    record.name,
                    self._home.store(record),
                    rules,
                    KeyRules.of(settings_of(record)) == rules,
                    _rules_name(rules),
                    lambda done, of: on_stage("segments read", done, of),
                )
                folders += found
                read += new
            if not folders:
                raise RankError(f"{', '.join(names)}: no pages yet.")
            ranks = self.store.set_of(names)
            before = None
            if _is_readable(ranks):
                with RankReader(ranks) as reader:
                    before = reader.before()
            number, folder = ranks.start()
            solved = rank_links(folders, settings, folder, before, on_stage)
            manifest = RankManifest(
                version=RANKS_VERSION,
                generation=number,
                runs=names,
                rules=_as_plain(rules),
                settings=settings.model_dump(mode="json"),
                segments=tuple(f"{one.parent.parent.name}/{one.name}" for one in folders),
                built_at=now(),
                **solved._asdict(),
            )
            ranks.publish(manifest)
        return Ranked(
            names,
            number,
            solved.nodes,
            solved.edges,
            solved.crawled,
            solved.hosts,
            solved.domains,
            solved.iterations,
            solved.residual,
            solved.seconds,
            len(folders),
            read,
            solved.farms,
        )

    def forget(self, run: str) -> None:
        """Compute ranks that were made before the last takedown of a run anew, as they were made
        then: addresses that are to be forgotten stand in them. What cannot be made is deleted."""
        if not self.store.path.exists():
            return
        store = self._home.store(self._home.record(run))
        now_there = frozenset(f"{run}/{segment.stamp}" for segment in store.stored_segments())
        for ranks, manifest in self.store.sets():
            own = frozenset(one for one in manifest.segments if one.startswith(f"{run}/"))
            if run not in manifest.runs or own <= now_there:
                continue
            try:
                self.rank(manifest.runs, rank_settings(manifest.settings, {}))
            except RankHeld:
                raise
            except GossamerError:
                with self.store.writing():
                    ranks.delete()
        if not any(run in manifest.runs for _, manifest in self.store.sets()):
            shutil.rmtree(self.store.links / run, ignore_errors=True)

    # Reading

    def reader(self, run: str) -> RankReader:
        """The ranks of a run: its own, or those of several runs with it."""
        record = self._home.record(run)
        found = self.store.best_for((record.name,))
        if not found:
            raise RankError(
                f"'{record.name}' has no ranks yet. To compute them: 'gossamer rank {record.name}'."
            )
        compile_kernels()
        return RankReader(found[0])

    def top(self, run: str, by: str, most: int) -> list[Row]:
        gone = self._forgotten(run)
        with self.reader(run) as reader:
            if by == "host":
                return [
                    Row(name, rank, pages=pages) for name, rank, pages in reader.top_hosts(most)
                ]
            if by == "domain":
                return [
                    Row(name, rank, pages=pages) for name, rank, pages in reader.top_domains(most)
                ]
            rows = []
            for node in reader.top_pages(most + _SPARE if gone else most):
                page = reader.page(node)
                if gone and gone.covers_url(from_href(page.url, reader.rules)):
                    continue
                rows.append(
                    Row(
                        page.url,
                        page.page_rank,
                        page.host_rank,
                        page.combined_rank,
                        in_degree=page.in_degree,
                        crawled=page.crawled,
                        farm=page.farm,
                    )
                )
            return rows[:most]

    def draw(self, run: str, path: Path, by: str, most: int) -> None:
        """A picture, as PNG or SVG by the ending of its name."""
        with self.reader(run) as reader:
            reader.draw(path, by, most)

    def farms(self, run: str, most: int) -> list[FarmReport]:
        """The farms of a run, the largest first, with some of their pages and sites."""
        gone = self._forgotten(run)
        with self.reader(run) as reader:

            def urls(nodes: Sequence[int]) -> list[str]:
                named = [reader.url(node) for node in nodes[:_FARM_PAGES]]
                return [url for url in named if not gone.covers_url(from_href(url, reader.rules))]

            return [
                FarmReport(
                    farm,
                    len(farm.pages),
                    urls(farm.pages),
                    sorted({host_of(reader.url(node)) for node in farm.pages})[:_FARM_PAGES],
                    urls((farm.best,)),
                    urls(farm.boosted),
                )
                for farm in reader.farms[:most]
            ]

    def explain(self, run: str, url: str, most: int) -> Explained:
        """Why a page has its rank."""
        gone = self._forgotten(run)
        with self.reader(run) as reader:
            wanted = parse(url, reader.rules)
            node = -1 if gone.covers_url(wanted) else reader.node(wanted)
            if node < 0:
                near = [
                    one
                    for one in reader.near(wanted, _NEAR)
                    if not gone.covers_url(from_href(one, reader.rules))
                ]
                advice = (
                    f" Similar addresses: {', '.join(near)}."
                    if near
                    else (f" It has no page of {wanted.host}.")
                )
                raise RankError(f"{wanted.href} is not in the graph of '{run}'.{advice}")
            page = reader.page(node)
            place = 1 + int((reader.page_ranks > page.page_rank).sum())
            farm = reader.farms[page.farm - 1].why if page.farm else ""
            in_links = [
                link
                for link in reader.strongest(node)[: most + _SPARE]
                if not gone.covers_url(from_href(link.url, reader.rules))
            ]
            return Explained(
                page,
                wanted.href,
                place,
                reader.manifest.nodes,
                reader.aliases(node)[:most],
                in_links[:most],
                self._anchors(reader.manifest.runs, page.url)[:most],
                farm,
            )

    def _anchors(self, runs: Sequence[str], url: str) -> list[Anchor]:
        counts: dict[str, int] = {}
        for run in runs:
            record = self._home.record(run)
            target = from_href(url, KeyRules.of(settings_of(record)))
            for row in self._home.store(record).links_to(target, 10_000).some:
                if row["anchor"]:
                    counts[row["anchor"]] = counts.get(row["anchor"], 0) + 1
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Anchor(text, count) for text, count in ordered[:_ANCHORS]]

    def _forgotten(self, run: str) -> Tombstones:
        """Ranks are as old as they are; what was to be forgotten since is not shown."""
        return self._home.store(self._home.record(run)).forgotten()


_SPARE = 200


def rank_edges(path: Path, settings: RankSettings, top: int) -> dict[str, Any]:
    """The ranks of any list of links. They sum up to one, as no graph is kept to compare with."""
    compile_kernels()
    found = read_edges(path)
    if settings.trusted_hosts:
        raise UsageError("A list of links has no hosts: leave out --trusted-hosts.")
    started = time.monotonic()
    ranks = solved(found.graph, settings, None, None)
    seconds = time.monotonic() - started
    best = largest(ranks.values, top)
    return {
        "nodes": found.graph.nodes,
        "edges": found.graph.edges,
        "iterations": ranks.iterations,
        "residual": ranks.residual,
        "seconds": seconds,
        "top": [
            {"url": name, "page_rank": float(ranks.values[node])}
            for name, node in zip(found.names.of(best), best, strict=True)
        ],
    }


def _is_readable(ranks: RankSet) -> bool:
    """Ranks of another version, or damaged ones, are no start: they are about to be replaced."""
    try:
        if ranks.manifest() is None:
            return False
        RankReader(ranks).close()
    except FormatError:
        return False
    return True


def _rules_name(rules: KeyRules) -> str:
    return as_hex(hash64(msgspec.json.encode(_as_plain(rules))))


def _as_plain(rules: KeyRules) -> dict[str, Any]:
    return {
        "drop_parameters": list(rules.drop_parameters),
        "drop_session_ids": rules.drop_session_ids,
        "index_files": list(rules.index_files),
    }
