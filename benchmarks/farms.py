"""Are link farms found, are honest sites left alone, and does a farm still pay?

    python -m benchmarks.farms [--seeds 5] [--first-seed 500] [--of-each 4] [--natural]

Farms of many shapes, 10 to 500 pages over 2 to 100 domains, clean and noisy, are planted into a
web, and beside them honest manuals on one host, companies with several sites, rings of blogs and
mirrors (`planted_farms`). The web is cnr-2000, where GOSSAMER_DATA has it. Its pages are numbers in
the order of their URLs, so runs of numbers are sites: a run ends where the fewest links cross, 200
to 3,000 pages after the last end, and each is a host and a domain. Without that file a web is made,
with sites of all sizes, some of which are complete graphs.

recall           of the pages of planted farms, those that are found
precision        of the pages that are found, in sets with anything planted in them, those of
                 planted farms and those that these boost; honest sites and bystanders are wrong
farm_recall      of the planted farms, those of which 80 % are found
farm_precision   of the sets that are found, with anything planted in them, those of which 80 %
                 are right
boost_removed    of what the boosted pages have gained by the farm's links, what they lose when
                 farms are cut and the ranks computed again, 0 to 1; the mean over farms
natural          sets without anything planted, counted apart; --natural lists them

The peer is the plain rule: pages that hang together and have the same PageRank and GapRank, to a
thousandth, whatever their domains. Times are CPU-seconds; the cost of finding is also given in
PageRank solves. Last line: a JSON object.
"""

import argparse
import gzip
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.planted_farms import Numbers, Planted, Web, plant
from gossamer.graph import farm_kernels
from gossamer.graph.adjacency import Adjacency
from gossamer.graph.farm_evidence import groups
from gossamer.graph.farms import cut_links, farm_pages, find_farms
from gossamer.graph.gap_rank import gap_rank
from gossamer.graph.page_rank import Ranks, page_rank

_FILE = "webgraph/cnr-2000.edges.tsv.gz"
_SHORTEST_RUN, _LONGEST_RUN = 200, 3_000
_MADE_PAGES = 100_000
_MOSTLY = 0.8
_PLAIN_TOLERANCE = 1e-3
_SMALLEST = 8


def runs_of_numbers(sources: Numbers, targets: Numbers, nodes: int) -> Numbers:
    """A site for each page: runs of pages, ended where the fewest links cross."""
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    begun = np.bincount(low + 1, minlength=nodes + 2)
    crossing = np.cumsum(begun - np.bincount(high + 1, minlength=nodes + 2))
    sites = np.zeros(nodes, np.int32)
    start = site = 0
    while start < nodes:
        end = nodes
        if nodes - start > _LONGEST_RUN:
            window = crossing[start + _SHORTEST_RUN : start + _LONGEST_RUN]
            end = start + _SHORTEST_RUN + int(np.argmin(window))
        sites[start:end] = site
        start, site = end, site + 1
    return sites


def real_web(path: Path) -> Web:
    columns = np.array(gzip.decompress(path.read_bytes()).split(), np.int32).reshape(-1, 2)
    sources, targets = columns[:, 0].copy(), columns[:, 1].copy()
    nodes = int(columns.max()) + 1
    sites = runs_of_numbers(sources, targets, nodes)
    return Web(sources, targets, sites, sites.copy())


def made_web(pages: int, seed: int = 1) -> Web:
    """Sites whose sizes follow a power law. A page links to the first pages of its site and to some
    of the rest, and now and then to a page elsewhere, to well-known ones most. Every tenth site of
    up to 60 pages is a complete graph."""
    generator = np.random.default_rng(seed)
    sizes = np.minimum(5 * (generator.pareto(1.1, pages) + 1), 5_000).astype(np.int64)
    sizes = sizes[: int(np.searchsorted(np.cumsum(sizes), pages)) + 1]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    nodes = int(starts[-1])
    sites = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    fame = (generator.pareto(1.1, nodes) + 1) * np.where(np.isin(np.arange(nodes), starts), 20, 1)
    fame = np.cumsum(fame / fame.sum())
    columns = []
    for start, size in zip(starts.tolist(), sizes.tolist(), strict=False):
        own = np.arange(start, start + size)
        if size <= 60 and generator.random() < 0.1:
            columns.append(np.stack((np.repeat(own, size), np.tile(own, size))))
            continue
        front = min(size, int(generator.integers(2, 9)))
        columns.append(np.stack((np.repeat(own, front), np.tile(own[:front], size))))
        some = generator.integers(start, start + size, (2, 3 * size))
        columns.append(some)
        listed = own[: min(size, 200)]
        columns.append(np.stack((np.full(len(listed), start), listed)))
    away = generator.integers(0, nodes, nodes)
    columns.append(np.stack((away, np.searchsorted(fame, generator.random(nodes)))))
    links = np.concatenate(columns, axis=1).astype(np.int32)
    return Web(links[0], np.minimum(links[1], nodes - 1), sites, sites.copy())


class Score(NamedTuple):
    """What came of one set of planted farms."""

    found: int
    right: int
    planted: int
    flagged: int
    farms_found: int
    sets: int
    sets_right: int
    honest_flagged: int
    natural: int
    natural_pages: int
    by_shape: dict[str, list[tuple[float, float, bool]]]
    """Recall and removed boost of each farm, and whether it was clean."""


def score(
    planted: Planted,
    old: int,
    sets: Sequence[Numbers],
    before: Ranks,
    after: Ranks,
    without: Ranks,
) -> Score:
    nodes = planted.web.nodes
    flagged, farmed, right, honest = (np.zeros(nodes, bool) for _ in range(4))
    for pages in sets:
        flagged[pages] = True
    for farm in planted.farms:
        farmed[farm.pages] = True
        right[farm.boosted] = True
    right |= farmed
    for site in planted.honest:
        honest[site.pages] = True
    touched = [pages for pages in sets if (farmed[pages] | honest[pages] | (pages >= old)).any()]
    by_shape = defaultdict(list)
    for farm in planted.farms:
        rank = [ranks.values[farm.boosted].sum() for ranks in (before, after, without)]
        removed = float(np.clip((rank[0] - rank[1]) / (rank[0] - rank[2]), 0, 1))
        by_shape[farm.shape].append((float(flagged[farm.pages].mean()), removed, farm.clean))
    return Score(
        int((flagged & farmed).sum()),
        sum(int(right[pages].sum()) for pages in touched),
        int(farmed.sum()),
        sum(len(pages) for pages in touched),
        sum(bool(recall >= _MOSTLY) for rows in by_shape.values() for recall, _, _ in rows),
        len(touched),
        sum(bool(right[pages].mean() >= _MOSTLY) for pages in touched),
        int((flagged & honest).sum()),
        len(sets) - len(touched),
        sum(map(len, sets)) - sum(map(len, touched)),
        dict(by_shape),
    )


def _clock(cost: dict[str, float], name: str) -> Iterator[None]:
    begin = time.process_time()
    yield
    cost[name] += time.process_time() - begin


def _plain_rule(graph: Adjacency, ranks: Ranks, gaps: Ranks) -> list[Numbers]:
    labels = farm_kernels.alike_pieces(
        *graph,
        np.log(ranks.values),
        np.log(gaps.values),
        np.zeros(graph.nodes, np.bool_),
        _PLAIN_TOLERANCE,
    )
    everyone = np.arange(graph.nodes, dtype=np.int32)
    return [pages for _, pages in groups(labels, everyone, _SMALLEST, everyone)]


def measure(web: Web, seed: int, of_each: int, cost: dict[str, float]) -> tuple[Score, Score]:
    """What we find, and what the plain rule finds."""
    planted = plant(web, seed, of_each=of_each)
    grown = planted.web
    graph = Adjacency.from_edges(grown.sources, grown.targets, grown.nodes)
    for _ in _clock(cost, "solve"):
        before = page_rank(graph)
    for _ in _clock(cost, "gap_rank"):
        turned = graph.transposed()
        gaps = gap_rank(graph, tolerance=1e-6, transposed=turned)
    for _ in _clock(cost, "find"):
        farms = find_farms(graph, grown.hosts, grown.domains, before, transposed=turned, gaps=gaps)
    everything = np.zeros(graph.nodes, np.bool_)
    for farm in planted.farms:
        everything[farm.pages] = True
    without = page_rank(cut_links(graph, everything), start=before.values)
    scores = []
    for sets in ([farm.pages for farm in farms], _plain_rule(graph, before, gaps)):
        flagged = np.zeros(graph.nodes, np.bool_)
        for pages in sets:
            flagged[pages] = True
        after = page_rank(cut_links(graph, flagged), start=before.values)
        scores.append(score(planted, web.nodes, sets, before, after, without))
    return scores[0], scores[1]


def summary(scores: Sequence[Score]) -> dict[str, Any]:
    """All seeds together."""
    shapes: dict[str, list[tuple[float, float, bool]]] = defaultdict(list)
    for one in scores:
        for shape, rows in one.by_shape.items():
            shapes[shape] += rows
    every = [row for rows in shapes.values() for row in rows]

    def share(part: int, whole: int) -> float:
        return round(part / whole, 4) if whole else 0.0

    def mean(rows: Sequence[tuple[float, float, bool]]) -> dict[str, float]:
        if not rows:
            return {"farms": 0}
        recall, removed = np.array([row[:2] for row in rows]).mean(0).round(4).tolist()
        return {"farms": len(rows), "recall": recall, "boost_removed": removed}

    return {
        "recall": share(sum(one.found for one in scores), sum(one.planted for one in scores)),
        "precision": share(sum(one.right for one in scores), sum(one.flagged for one in scores)),
        "boost_removed": mean(every).get("boost_removed", 0.0),
        "farm_recall": share(sum(one.farms_found for one in scores), len(every)),
        "farm_precision": share(
            sum(one.sets_right for one in scores), sum(one.sets for one in scores)
        ),
        "least_recall": min(share(one.found, one.planted) for one in scores),
        "least_precision": min(share(one.right, one.flagged) for one in scores),
        "honest_pages_flagged": sum(one.honest_flagged for one in scores),
        "natural_farms": round(sum(one.natural for one in scores) / len(scores), 1),
        "natural_pages": round(sum(one.natural_pages for one in scores) / len(scores), 1),
        "clean": mean([row for row in every if row[2]]),
        "noisy": mean([row for row in every if not row[2]]),
        "shapes": {shape: mean(rows) for shape, rows in shapes.items()},
    }


def _list_natural(web: Web) -> None:
    graph = Adjacency.from_edges(web.sources, web.targets, web.nodes)
    farms = find_farms(graph, web.hosts, web.domains, page_rank(graph))
    print(f"Without anything planted: {len(farms)} sets")
    for farm in farms:
        print(f"  from page {farm.pages[0]}, for page {farm.best}: {farm.why}")
    flagged = int(farm_pages(graph.nodes, farms).sum())
    print(f"  {flagged} of {graph.nodes:,} pages")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.farms", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=500)
    parser.add_argument("--of-each", type=int, default=4)
    parser.add_argument("--natural", action="store_true")
    arguments = parser.parse_args()
    data = Path(os.environ.get("GOSSAMER_DATA", "")) / _FILE
    real = bool(os.environ.get("GOSSAMER_DATA")) and data.is_file()
    web = real_web(data) if real else made_web(_MADE_PAGES)
    name = "cnr-2000" if real else "generated"
    print(f"{name}: {web.nodes:,} pages, {len(web.sources):,} links, {web.hosts.max() + 1:,} sites")
    if arguments.natural:
        _list_natural(web)
    cost = {"solve": 0.0, "gap_rank": 0.0, "find": 0.0}
    measure(web, arguments.first_seed, 1, dict(cost))  # compiles
    ours, plain = [], []
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        both = measure(web, seed, arguments.of_each, cost)
        ours.append(both[0])
        plain.append(both[1])
    total = summary(ours)
    _print_table(total)
    peer = {key: value for key, value in summary(plain).items() if not isinstance(value, dict)}
    print(
        f"plain rule: recall {peer['recall']:.3f}, precision {peer['precision']:.3f}, "
        f"boost removed {peer['boost_removed']:.3f}, "
        f"honest pages flagged {peer['honest_pages_flagged']}, natural {peer['natural_farms']} sets"
    )
    result = {
        "bench": "farms",
        **total,
        "graph": name,
        "seeds": arguments.seeds,
        "plain_rule": peer,
        "solve_cpu_seconds": round(cost["solve"] / arguments.seeds, 3),
        "gap_rank_cpu_seconds": round(cost["gap_rank"] / arguments.seeds, 3),
        "find_cpu_seconds": round(cost["find"] / arguments.seeds, 3),
        "cost_in_solves": round((cost["gap_rank"] + cost["find"]) / cost["solve"], 3),
    }
    print(json.dumps(result))


def _print_table(total: dict[str, Any]) -> None:
    print(f"{'shape':<24}{'farms':>6}{'recall':>9}{'boost removed':>15}")
    for shape, row in [
        *total["shapes"].items(),
        ("clean", total["clean"]),
        ("noisy", total["noisy"]),
    ]:
        if row["farms"]:
            print(f"{shape:<24}{row['farms']:>6}{row['recall']:>9.3f}{row['boost_removed']:>15.3f}")
    print(
        f"recall {total['recall']:.3f} of pages, {total['farm_recall']:.3f} of farms; "
        f"precision {total['precision']:.3f} of pages, {total['farm_precision']:.3f} of sets; "
        f"boost removed {total['boost_removed']:.3f}; honest pages flagged "
        f"{total['honest_pages_flagged']}; natural sets {total['natural_farms']} a seed with "
        f"{total['natural_pages']} pages"
    )


if __name__ == "__main__":
    main()
