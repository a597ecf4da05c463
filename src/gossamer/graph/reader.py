"""An open generation of ranks: what it knows of pages, hosts and domains."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import FormatError, RankError, UrlError
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.building import PAGES, open_weights
from gossamer.graph.combining import RankWeights, combined
from gossamer.graph.farm_rows import FarmRow, as_farm, read_farms
from gossamer.graph.names import ADVICE, Int32s, Names
from gossamer.graph.pictures import draw_farm, draw_ranks, draw_top
from gossamer.graph.ranking import IN_LINKS, Before
from gossamer.graph.store import RankManifest, RankSet
from gossamer.storage.arrays import mapped
from gossamer.urls import KeyRules, Url, from_href

STATICS = (
    "page_rank",
    "host_rank",
    "domain_rank",
    "combined_rank",
    "in_degree",
    "in_hosts",
    "farm",
)
"""What an index is told of its documents."""


class PageRanks(NamedTuple):
    """What is known of one page."""

    url: str
    page_rank: float
    host_rank: float
    domain_rank: float
    combined_rank: float
    in_degree: int
    in_hosts: int
    crawled: bool
    farm: int


class InLink(NamedTuple):
    url: str
    page_rank: float
    contribution: float  # of its rank, with a mean of one
    farm: int


class RankReader:
    def __init__(self, ranks: RankSet) -> None:
        held = ranks.hold()
        if held is None:
            raise FormatError(f"{ranks.path} holds no ranks yet. {ADVICE}")
        self._hold, self.manifest = held
        self.folder = ranks.generation(self.manifest.generation)
        try:
            self.names = Names(self.folder)
            self.nodes: Int32s = self._array("nodes")
            self.numbers: Int32s = self._array("numbers")
            self.page_ranks: Floats = self._array("page-rank")
            self.host_ranks: Floats = self._array("host-rank")
            self.domain_ranks: Floats = self._array("domain-rank")
            self.combined: Floats = self._array("combined-rank")
            self.in_degrees: Int32s = self._array("in-degree")
            self.in_hosts: Int32s = self._array("in-hosts")
            self.crawled: NDArray[np.bool_] = self._array("crawled")
            self._host_domains: Int32s = self._array("host-domains")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "RankReader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._hold >= 0:
            os.close(self._hold)
            self._hold = -1

    def _array(self, name: str) -> Any:
        return mapped(self.folder / f"{name}.npy", ADVICE)

    @cached_property
    def rules(self) -> KeyRules:
        return rules_of(self.manifest)

    @cached_property
    def hosts(self) -> Int32s:
        """Of every page the number of its host."""
        return self.names.host_numbers()[self.numbers]

    @cached_property
    def farms(self) -> list[FarmRow]:
        return read_farms(self.folder)

    @cached_property
    def farm_of(self) -> Int32s:
        """Of every page the number of its farm; 0: none."""
        found = np.zeros(len(self.numbers), np.int32)
        for farm in self.farms:
            found[np.array(farm.pages, np.int64)] = farm.number
        return found

    @cached_property
    def graph(self) -> Adjacency:
        return Adjacency.open(self.folder, PAGES)

    @cached_property
    def in_links(self) -> Adjacency:
        return Adjacency.open(self.folder, IN_LINKS)

    @cached_property
    def _weights(self) -> Floats | None:
        return open_weights(self.folder)

    def before(self) -> Before:
        """To start the next ones from."""
        keys = self.names.keys[self.numbers]
        order = np.argsort(keys)
        return Before(keys[order], np.asarray(self.page_ranks)[order])

    # Pages

    def node(self, url: Url) -> int:
        """The page that an address counts for; -1 where it is not in the graph."""
        number = self.names.find(url)
        return int(self.nodes[number]) if number >= 0 else -1

    def url(self, node: int) -> str:
        return self.names.name(int(self.numbers[node]))

    def page(self, node: int) -> PageRanks:
        host = int(self.hosts[node])
        return PageRanks(
            self.url(node),
            float(self.page_ranks[node]),
            float(self.host_ranks[host]),
            float(self.domain_ranks[self._host_domains[host]]),
            float(self.combined[node]),
            int(self.in_degrees[node]),
            int(self.in_hosts[node]),
            bool(self.crawled[node]),
            int(self.farm_of[node]),
        )

    def aliases(self, node: int) -> list[str]:
        """Addresses that redirect there, or name it canonical."""
        numbers = np.flatnonzero(self.nodes == node)
        own = int(self.numbers[node])
        return [self.names.name(number) for number in numbers.tolist() if number != own]

    def strongest(self, node: int) -> list[InLink]:
        """The links to a page, those that bring it most first."""
        sources = self.in_links.targets_of(node)
        if len(sources) > _MOST_LOOKED_AT:
            # Of very many, those that could bring most if their links counted alike.
            each = self.page_ranks[sources] / (
                self.graph.offsets[sources + 1] - self.graph.offsets[sources]
            )
            sources = sources[np.argpartition(-each, _MOST_LOOKED_AT)[:_MOST_LOOKED_AT]]
        damping = float(self.manifest.settings.get("damping", 0.85))
        cut = self.farm_of[sources] > 0
        parts = np.array([self._part(int(source), node) for source in sources.tolist()])
        contribution = np.where(cut, 0.0, damping * self.page_ranks[sources] * parts)
        order = np.argsort(-contribution, kind="stable")
        return [
            InLink(
                self.url(int(sources[place])),
                float(self.page_ranks[sources[place]]),
                float(contribution[place]),
                int(self.farm_of[sources[place]]),
            )
            for place in order.tolist()
        ]

    def _part(self, source: int, target: int) -> float:
        begin, end = int(self.graph.offsets[source]), int(self.graph.offsets[source + 1])
        if self._weights is None:
            return 1 / (end - begin)
        weights = self._weights[begin:end]
        place = int(np.searchsorted(self.graph.targets[begin:end], target))
        total = float(weights.sum())
        return float(weights[place]) / total if total > 0 else 0.0

    def near(self, url: Url, most: int) -> list[str]:
        """Addresses of the same host that are spelt alike, or the best of it."""
        import difflib

        host = self.names.host(url)
        if host < 0:
            return []
        begin, end = self.names.host_begin(host), int(self.names.host_ends[host])
        numbers = np.arange(begin, end)
        numbers = numbers[self.nodes[begin:end] >= 0]
        best = numbers[np.argsort(-self.page_ranks[self.nodes[numbers]], kind="stable")[:1_000]]
        names = [self.names.name(number) for number in best.tolist()]
        return difflib.get_close_matches(url.href, names, most) or names[:most]

    # The best

    def top_pages(self, most: int) -> list[int]:
        return largest(self.page_ranks, most)

    def top_hosts(self, most: int) -> list[tuple[str, float, int]]:
        """Name, rank, and how many pages."""
        sizes = np.bincount(self.hosts, minlength=len(self.names.hosts))
        return [
            (self.names.hosts[host].name, float(self.host_ranks[host]), int(sizes[host]))
            for host in largest(self.host_ranks, most)
            if sizes[host]
        ]

    def top_domains(self, most: int) -> list[tuple[str, float, int]]:
        names = list(dict.fromkeys(host.domain for host in self.names.hosts))
        sizes = np.bincount(self._host_domains[self.hosts], minlength=len(names))
        return [
            (names[domain], float(self.domain_ranks[domain]), int(sizes[domain]))
            for domain in largest(self.domain_ranks, most)
            if sizes[domain]
        ]

    # Pictures

    def draw(self, path: Path, by: str, most: int) -> None:
        """How ranks are spread, the best hosts or domains as bars, or the largest farm."""
        if by == "page":
            draw_ranks(
                path,
                {
                    "pages": np.asarray(self.page_ranks),
                    "hosts": self.host_ranks[self.host_ranks > 0],
                    "domains": self.domain_ranks[self.domain_ranks > 0],
                },
                title=f"Ranks of {', '.join(self.manifest.runs)}",
            )
        elif by == "farm":
            if not self.farms:
                raise RankError("There is no link farm to draw.")
            domains = list(dict.fromkeys(host.domain for host in self.names.hosts))
            draw_farm(
                path,
                self.graph,
                as_farm(self.farms[0], self.graph.nodes),
                self._host_domains[self.hosts],
                name_of_page=self.url,
                name_of_domain=domains.__getitem__,
            )
        else:
            best = self.top_hosts(most) if by == "host" else self.top_domains(most)
            draw_top(path, {f"{by}s": [(name, rank) for name, rank, _ in best]})

    # For an index

    def statics(self, groups: Iterable[Sequence[str]]) -> NDArray[np.float64]:
        """Of documents, each with all addresses that it stands for: a row for each, a column for
        each of `STATICS`; NaN where nothing is known. A group has the sum of what its pages have,
        each page, host and domain counted once."""
        rows = [self._static(urls) for urls in groups]
        return np.array(rows, np.float64).reshape(-1, len(STATICS))

    def _static(self, urls: Sequence[str]) -> Sequence[float]:
        nodes: set[int] = set()
        for url in urls:
            try:
                nodes.add(self.node(from_href(url, self.rules)))
            except (UrlError, IndexError):
                continue  # an address that none of ours can be
        nodes.discard(-1)
        if not nodes:
            return _UNKNOWN
        if len(nodes) == 1:
            found = self.page(next(iter(nodes)))
            is_farm = float(found.farm > 0)
            return (*found[1:5], found.in_degree, found.in_hosts, is_farm)
        hosts = {int(self.hosts[node]) for node in nodes}
        domains = {int(self._host_domains[host]) for host in hosts}
        page = sum(float(self.page_ranks[node]) for node in nodes)
        host = sum(float(self.host_ranks[one]) for one in hosts)
        domain = sum(float(self.domain_ranks[one]) for one in domains)
        settings = self.manifest.settings
        weights = RankWeights(
            *(float(settings.get(f"{name}_weight", 1.0)) for name in ("page", "host", "domain"))
        )
        return (
            page,
            host,
            domain,
            float(combined(page, host, domain, weights)),
            sum(int(self.in_degrees[node]) for node in nodes),
            sum(int(self.in_hosts[node]) for node in nodes),
            float(any(self.farm_of[node] for node in nodes)),
        )


_MOST_LOOKED_AT = 5_000
_UNKNOWN = (float("nan"),) * len(STATICS)


def rules_of(manifest: RankManifest) -> KeyRules:
    rules = manifest.rules
    return KeyRules(
        tuple(rules["drop_parameters"]),
        bool(rules["drop_session_ids"]),
        tuple(rules["index_files"]),
    )


def largest(values: Any, most: int) -> list[int]:
    """The places of the largest values, the largest first; of equals, the first."""
    values = np.asarray(values)
    if len(values) > most:
        least = np.partition(values, len(values) - most)[len(values) - most]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    found: list[int] = places[np.argsort(-values[places], kind="stable")][:most].tolist()
    return found
