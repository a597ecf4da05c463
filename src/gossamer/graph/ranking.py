"""From link files to all ranks of pages, hosts and domains, in the folder of a generation."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.config import RankSettings
from gossamer.errors import RankError, UsageError
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.building import (
    Counted,
    PageGraph,
    Wishes,
    aggregated,
    build,
    forget_sums,
    host_graph,
)
from gossamer.graph.combining import RankWeights, combined, scaled
from gossamer.graph.farm_rows import FarmRow, cut_farms, write_farms
from gossamer.graph.link_files import opened
from gossamer.graph.names import Host, Int32s, Names
from gossamer.graph.numbering import number
from gossamer.graph.page_rank import Ranks
from gossamer.graph.solving import solved
from gossamer.storage.arrays import save

IN_LINKS = "in-links"
_ROWS = 1_000_000

OnStage = Callable[[str, int, int], None]
"""Told what is being done, how much of it, and of how much."""


class Solved(NamedTuple):
    """What came of it, beside the files."""

    nodes: int
    edges: int
    crawled: int
    hosts: int
    domains: int
    iterations: int
    residual: float
    host_iterations: int
    domain_iterations: int
    seconds: float
    farms: int = 0


class Before(NamedTuple):
    """Ranks that are not far off."""

    keys: Any  # sorted
    ranks: Floats


class Domains(NamedTuple):
    names: list[str]
    of_hosts: Int32s


def rank_links(
    folders: Sequence[Path],
    settings: RankSettings,
    target: Path,
    before: Before | None = None,
    on_stage: OnStage = lambda _what, _done, _of: None,
) -> Solved:
    """Everything from link files to ranks. `target`: the folder of the new generation."""
    started = time.monotonic()
    files = opened(folders)
    on_stage("addresses numbered", 0, 1)
    numbering = number(files, target)
    wishes = Wishes(
        settings.nofollow, settings.uncrawled, settings.template_share, settings.template_weight
    )

    def on_block(done: int, total: int) -> None:
        on_stage("links joined", done, total)

    pages = build(files, numbering, wishes, target, on_block)
    if not pages.graph.nodes:
        raise RankError("There are no pages to rank.")
    names = numbering.names
    on_stage("rank iterations", 0, 3)
    start = None if before is None else _warm(before, names, pages)
    trusted_hosts = _trusted(names.hosts, settings.trusted_hosts)
    trusted = _jumps(trusted_hosts, pages.hosts, settings.trusted_hosts)
    found = solved(pages.graph, settings, pages.weights, trusted, start)
    in_links = pages.graph.transposed()
    in_links.save(target, IN_LINKS)
    domains = domains_of(names.hosts)
    between_hosts = pages.host_graph
    farms: list[FarmRow] = []
    if settings.farms:
        on_stage("sites checked for link farms", 0, 1)
        cut = cut_farms(pages, domains.of_hosts, in_links, found, settings, trusted)
        found, farms = cut.ranks, cut.farms
        if farms:
            between_hosts = host_graph(pages, cut.kept, len(names.hosts))
    write_farms(target, farms)
    forget_sums(target)
    save(target / "in-degree.npy", np.diff(in_links.offsets).astype(np.int32))
    save(target / "in-hosts.npy", linking_hosts(in_links, pages.hosts))
    save(target / "crawled.npy", pages.crawled)
    on_stage("rank iterations", 1, 3)
    save(target / "host-domains.npy", domains.of_hosts)
    is_host = np.zeros(len(names.hosts), np.bool_)
    is_host[pages.hosts] = True
    host = of_some(between_hosts, is_host, settings, trusted_hosts)
    on_stage("rank iterations", 2, 3)
    domain_graph = aggregated(between_hosts, domains.of_hosts, len(domains.names))
    is_domain = np.zeros(len(domains.names), np.bool_)
    is_domain[domains.of_hosts[is_host]] = True
    trusted_domains = None
    if trusted_hosts is not None:
        trusted_domains = np.zeros(len(domains.names), np.bool_)
        trusted_domains[domains.of_hosts[trusted_hosts & is_host]] = True
    domain = of_some(domain_graph, is_domain, settings, trusted_domains)
    write_ranks(target, found.values, host.values, domain.values, pages.hosts, domains, settings)
    on_stage("rank iterations", 3, 3)
    return Solved(
        nodes=pages.graph.nodes,
        edges=pages.graph.edges,
        crawled=int(pages.crawled.sum()),
        hosts=int(is_host.sum()),
        domains=int(is_domain.sum()),
        iterations=found.iterations,
        residual=found.residual,
        host_iterations=host.iterations,
        domain_iterations=domain.iterations,
        seconds=time.monotonic() - started,
        farms=len(farms),
    )


def of_some(
    counted: Counted,
    is_there: NDArray[np.bool_],
    settings: RankSettings,
    trusted: NDArray[np.bool_] | None,
) -> Ranks:
    """The ranks of hosts or domains; 0 for those that no page of the graph is of."""
    wanted = np.flatnonzero(is_there)
    place = np.full(len(is_there), -1, np.int32)
    place[wanted] = np.arange(len(wanted), dtype=np.int32)
    sources = place[counted.graph.sources()]
    offsets = np.zeros(len(wanted) + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=len(wanted)), out=offsets[1:])
    graph = Adjacency(offsets, place[counted.graph.targets])
    teleport = None if trusted is None else trusted[wanted].astype(np.float64)
    found = solved(graph, settings, counted.weights, teleport)
    values = np.zeros(len(is_there))
    values[wanted] = found.values
    return found._replace(values=values)


def write_ranks(
    folder: Path,
    page: Floats,
    host: Floats,
    domain: Floats,
    hosts: Int32s,
    domains: Domains,
    settings: RankSettings,
) -> None:
    """All of them with a mean of one, and together."""
    page_ranks = scaled(page)
    host_ranks = host * np.count_nonzero(host)
    domain_ranks = domain * np.count_nonzero(domain)
    weights = RankWeights(settings.page_weight, settings.host_weight, settings.domain_weight)
    host_of = host_ranks[hosts]
    domain_of = domain_ranks[domains.of_hosts[hosts]]
    save(folder / "page-rank.npy", page_ranks)
    save(folder / "host-rank.npy", host_ranks)
    save(folder / "domain-rank.npy", domain_ranks)
    save(folder / "combined-rank.npy", combined(page_ranks, host_of, domain_of, weights))


def domains_of(hosts: Sequence[Host]) -> Domains:
    """Hosts are in the order of their domains."""
    names = list(dict.fromkeys(host.domain for host in hosts))
    place = {name: number for number, name in enumerate(names)}
    return Domains(names, np.array([place[host.domain] for host in hosts], np.int32))


def linking_hosts(in_links: Adjacency, hosts: Int32s) -> Int32s:
    """From how many other hosts links lead to each page. Pages are in the order of their hosts, so
    those that link to a page are, too."""
    found = np.zeros(in_links.nodes, np.int32)
    for first in range(0, in_links.nodes, _ROWS):
        end = min(first + _ROWS, in_links.nodes)
        begin, stop = int(in_links.offsets[first]), int(in_links.offsets[end])
        from_host = hosts[in_links.targets[begin:stop]]
        degrees = np.diff(in_links.offsets[first : end + 1])
        row = np.repeat(np.arange(end - first), degrees)
        is_other = from_host != hosts[first:end][row]
        is_new = np.ones(len(row), np.bool_)
        is_new[1:] = (row[1:] != row[:-1]) | (from_host[1:] != from_host[:-1])
        found[first:end] = np.bincount(row[is_new & is_other], minlength=end - first)
    return found


def _trusted(hosts: Sequence[Host], trusted: Sequence[str]) -> NDArray[np.bool_] | None:
    """Which hosts are trusted, by their names or by their domains; None where nobody said."""
    if not trusted:
        return None
    wanted = frozenset(trusted)
    return np.array([host.name in wanted or host.domain in wanted for host in hosts], np.bool_)


def _jumps(
    is_trusted: NDArray[np.bool_] | None, hosts: Int32s, names: Sequence[str]
) -> Floats | None:
    """Where jumps lead, by page."""
    if is_trusted is None:
        return None
    teleport = is_trusted[hosts].astype(np.float64)
    if not teleport.any():
        raise UsageError(f"No page is of a trusted host: {', '.join(sorted(names))}.")
    return teleport


def _warm(before: Before, names: Names, pages: PageGraph) -> Floats | None:
    """The ranks of before, for those that had one; the others get what is usual."""
    if not len(before.keys):
        return None
    keys = names.keys[pages.numbers]
    places = np.minimum(np.searchsorted(before.keys, keys), len(before.keys) - 1)
    is_known = before.keys[places] == keys
    start = np.where(is_known, before.ranks[places], 1.0)
    return start if start.sum() > 0 else None
