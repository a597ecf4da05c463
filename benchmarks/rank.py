"""PageRank by us and by the peers, to the same accuracy, in one run.

    python -m benchmarks.rank [--edges 1M,10M,60M] [--pairs 10]

The graphs: cnr-2000 where GOSSAMER_DATA has it, and power-law graphs with so many links and a tenth
as many pages; by default 10M. A reference far more exact than all is computed first. Then scipy
(plain power iteration over a sparse matrix) and we solve it to an L1 distance of 1e-9 from it, each
with the tolerance that brings it there; igraph's tolerance is fixed, so we are set to come at least
as near as it does. Pairs are interleaved (ABBA): the ratio is the median of the pairs, with a 95 %
interval. `solve`: scipy has its matrix, turned round and scaled, and we have the in-links that we
sweep over. `whole`: both begin with the same arrays, links by source. The hardest comparison, our
whole against scipy's solve alone, is told as well: `our_whole_to_scipy_solve`. igraph makes what it
needs inside of its call: it is compared with our whole. What making the graph itself costs each is
told apart. networkx goes over the first graph, once.

CPU-seconds of all threads. Last line: a JSON object; ratios are of the solve, of the generated
graph with 10M links (or the last one that was asked for), above 1 is faster for us;
`bytes_per_edge` is by how much memory grows during the solve, less 24 bytes a page, as measured by
a process of its own: it may be 12.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.crawlers import PEER_PYTHON
from benchmarks.growth import interval
from benchmarks.power_law import power_law
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.edge_lists import read_edges
from gossamer.graph.in_links import InLinks
from gossamer.graph.page_rank import DAMPING, Ranks, page_rank

_PEERS = Path(__file__).parent / "peers" / "rank_peers.py"
ACCURACY = 1e-9
_LINKS_A_PAGE = 10
_MATRICES = 5
_MOST_FOR_IGRAPH = 20_000_000
_BYTES_AN_EDGE, _BYTES_A_NODE = 12, 24


class Cost(NamedTuple):
    cpu: float
    wall: float
    before_cpu: float = 0.0
    """What was needed first, to make of the links by source what is solved."""

    @property
    def whole(self) -> float:
        return self.cpu + self.before_cpu


class Peers:
    """The process of the peers' interpreter."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [PEER_PYTHON, _PEERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, do: str, **request: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **request}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def solve(self, peer: str, tolerance: float = 0.0) -> Cost:
        answer = self("solve", peer=peer, tolerance=tolerance)
        return Cost(answer["cpu_seconds"], answer["wall_seconds"])

    def close(self) -> None:
        self._process.communicate()


class Ours:
    def __init__(self, graph: Adjacency, reference: Floats) -> None:
        self._graph = graph
        self._reference = reference
        self.ranks: Ranks | None = None
        self.worst = 0.0
        """The most that any solve was off by: with several threads no two are the same."""

    def solve(self, tolerance: float, threads: int | None = None) -> Cost:
        cpu, wall = time.process_time(), time.perf_counter()
        links = InLinks(self._graph, damping=DAMPING, threads=threads)
        middle = time.process_time()
        self.ranks = page_rank(self._graph, tolerance=tolerance, in_links=links)
        links.close()
        end = time.process_time()
        cost = Cost(end - middle, time.perf_counter() - wall, middle - cpu)
        self.worst = max(self.worst, self.off_by())
        return cost

    def off_by(self) -> float:
        assert self.ranks is not None
        return float(np.abs(self.ranks.values - self._reference).sum())

    def tolerance_for(self, accuracy: float) -> float:
        """The loosest that brings us there."""
        tolerance = 8 * accuracy
        while True:
            self.solve(tolerance)
            if self.off_by() <= accuracy:
                return tolerance
            tolerance *= 0.7

    def interleaved(
        self, tolerance: float, accuracy: float, theirs: Callable[[], Cost], pairs: int
    ) -> list[tuple[Cost, Cost]]:
        """Pairs in which none of our solves is off by more than the accuracy."""
        while True:
            self.worst = 0.0
            found = _interleaved(partial(self.solve, tolerance), theirs, pairs)
            if self.worst <= accuracy:
                return found
            tolerance *= 0.7


def _growth_bytes(folder: Path, tolerance: float) -> int:
    """By how much the memory of a process grows during a solve, at most."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.rank", f"--growth={folder}", f"--tolerance={tolerance}"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        # What is free goes back at once, and is not kept for the next array: else there is no
        # telling what a solve takes.
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"},
    )
    return int(done.stdout)


def _measure_growth(folder: Path, tolerance: float) -> int:
    graph = Adjacency(np.load(folder / "offsets.npy"), np.load(folder / "targets.npy"))
    # What compiled code and threads take once is no part of it: a graph just large enough for both.
    page_rank(power_law(200_000, 2_000_000), tolerance=tolerance)
    # The kernel's mark of the most that was used starts anew at what is used now.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    page_rank(graph, tolerance=tolerance)
    return _status("VmHWM") - before


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) * 1024


class Paired(NamedTuple):
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float


def _interleaved(
    ours: Callable[[], Cost], theirs: Callable[[], Cost], pairs: int
) -> list[tuple[Cost, Cost]]:
    """us, them, them, us, ..."""
    found = []
    for pair in range(pairs):
        if pair % 2:
            yours = theirs()
            found.append((ours(), yours))
        else:
            found.append((ours(), theirs()))
    return found


def _paired(costs: list[tuple[float, float]]) -> Paired:
    ratios = [theirs / ours for ours, theirs in costs]
    return Paired(
        statistics.median(ours for ours, _ in costs),
        statistics.median(theirs for _, theirs in costs),
        statistics.median(ratios),
        *interval(ratios),
    )


def _told(name: str, paired: Paired, edges: int) -> dict[str, object]:
    print(
        f"  {name}: {paired.ratio:.2f} times as fast (95 %: {paired.low:.2f} to "
        f"{paired.high:.2f}); CPU-s {paired.ours:.3f} and {paired.theirs:.3f}; ns a link "
        f"{paired.ours / edges * 1e9:.1f} and {paired.theirs / edges * 1e9:.1f}",
        flush=True,
    )
    return {
        "ratio": round(paired.ratio, 2),
        "interval": [round(paired.low, 2), round(paired.high, 2)],
        "cpu_seconds": round(paired.ours, 4),
        "peer_cpu_seconds": round(paired.theirs, 4),
    }


def measure(
    name: str, graph: Adjacency, peers: Peers, folder: Path, pairs: int, *, with_networkx: bool
) -> dict[str, Any]:
    print(f"{name}: {graph.nodes:,} pages, {graph.edges:,} links", flush=True)
    np.save(folder / "offsets.npy", graph.offsets)
    np.save(folder / "targets.npy", graph.targets)
    peers("open", folder=str(folder))
    with_igraph = graph.edges <= _MOST_FOR_IGRAPH
    names = ["scipy", *(["igraph"] * with_igraph), *(["networkx"] * with_networkx)]
    for peer in names:
        print(f"  {peer} makes its graph: CPU-s {peers('build', peer=peer)['cpu_seconds']:.2f}")
    sources = graph.sources()
    begin = time.process_time()
    Adjacency.from_edges(sources, graph.targets, graph.nodes)
    print(f"  we make ours, from pairs: CPU-s {time.process_time() - begin:.2f}", flush=True)
    del sources
    scipy_tolerance = peers("reference", accuracy=ACCURACY)["tolerance"]
    reference = np.load(folder / "reference.npy")

    def off_by(peer: str) -> float:
        return float(np.abs(np.load(folder / f"{peer}.npy") - reference).sum())

    warm = peers("solve", peer="scipy", tolerance=scipy_tolerance)
    scipy_iterations = warm["iterations"]
    ours = Ours(graph, reference)
    ours.solve(ACCURACY)  # what numba compiles is kept, and is no part of it
    tolerance = ours.tolerance_for(ACCURACY)
    growth = _growth_bytes(folder, tolerance)
    allowed = _BYTES_AN_EDGE * graph.edges + _BYTES_A_NODE * graph.nodes
    assert ours.ranks is not None
    result: dict[str, Any] = {
        "nodes": graph.nodes,
        "edges": graph.edges,
        "iterations": ours.ranks.iterations,
        "residual": ours.ranks.residual,
        "off_by": ours.off_by(),
        "growth_bytes": growth,
        "growth_allowed_bytes": allowed,
        "bytes_per_edge": round((growth - _BYTES_A_NODE * graph.nodes) / graph.edges, 2),
    }
    print(
        f"  {ours.ranks.iterations} iterations (scipy {scipy_iterations}), residual "
        f"{ours.ranks.residual:.1e}; memory grows by {growth / 1e6:.1f} MB "
        f"({growth / graph.edges:.1f} bytes a link; allowed are "
        f"{allowed / 1e6:.1f} MB)"
    )
    making = statistics.median(
        peers("build", peer="scipy")["cpu_seconds"] for _ in range(_MATRICES)
    )
    found = ours.interleaved(
        tolerance, ACCURACY, lambda: peers.solve("scipy", scipy_tolerance), pairs
    )
    solves = [(mine.cpu, theirs.cpu) for mine, theirs in found]
    wholes = [(mine.whole, theirs.cpu + making) for mine, theirs in found]
    mixed = [(mine.whole, theirs.cpu) for mine, theirs in found]
    result["scipy"] = _told("scipy, solve", _paired(solves), graph.edges)
    result["scipy_whole"] = _told("scipy, whole", _paired(wholes), graph.edges)
    result["scipy_solve_to_our_whole"] = _told(
        "scipy, its solve to our whole", _paired(mixed), graph.edges
    )
    print(f"  off by at most {ours.worst:.1e}, and {off_by('scipy'):.1e}")
    threads = {number: ours.solve(tolerance, number) for number in (1, 2)}
    for number, cost in threads.items():
        print(f"  with {number} threads: CPU-s {cost.whole:.3f}, wall {cost.wall:.3f}")
    if with_igraph:
        peers.solve("igraph")
        as_near = off_by("igraph")
        found = ours.interleaved(
            ours.tolerance_for(as_near), as_near, lambda: peers.solve("igraph"), pairs
        )
        wholes = [(mine.whole, theirs.cpu) for mine, theirs in found]
        result["igraph"] = _told("igraph, its call to our whole", _paired(wholes), graph.edges)
        print(f"  off by at most {ours.worst:.1e}, and {off_by('igraph'):.1e}")
    if with_networkx:
        cost, mine = peers.solve("networkx", scipy_tolerance), ours.solve(tolerance)
        print(
            f"  networkx, once: CPU-s {cost.cpu:.2f}, {cost.cpu / mine.whole:.0f} times ours; off "
            f"by {off_by('networkx'):.1e}",
            flush=True,
        )
        result["networkx"] = {"ratio": round(cost.cpu / mine.whole, 1)}
    return result


def _size(text: str) -> int:
    units = {"k": 1_000, "M": 1_000_000}
    return int(float(text.rstrip("kM")) * units.get(text[-1:], 1))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rank", description=__doc__)
    parser.add_argument("--edges", default="10M", help="sizes of generated graphs: 1M,10M,60M")
    parser.add_argument("--pairs", type=int, default=10, help="interleaved pairs of solves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--tolerance", type=float, default=ACCURACY, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.growth:
        print(_measure_growth(arguments.growth, arguments.tolerance))
        return
    if not PEER_PYTHON.exists():
        sys.exit(f"no {PEER_PYTHON}: see requirements-bench.lock")
    peers = Peers()
    versions = peers("versions")
    print(" ".join(f"{name} {number}" for name, number in versions.items()))
    graphs: dict[str, Callable[[], Adjacency]] = {}
    real = Path(os.environ.get("GOSSAMER_DATA", "/nowhere")) / "webgraph" / "cnr-2000.edges.tsv.gz"
    if real.exists():
        graphs["cnr-2000"] = lambda: read_edges(real).graph
    for text in arguments.edges.split(","):
        size = _size(text)
        graphs[text] = partial(power_law, size // _LINKS_A_PAGE, size, arguments.seed)
    results: dict[str, dict[str, Any]] = {}
    for name, make in graphs.items():
        with tempfile.TemporaryDirectory(prefix="gossamer-bench-rank-") as folder:
            results[name] = measure(
                name,
                make(),
                peers,
                Path(folder),
                arguments.pairs,
                with_networkx=name == next(iter(graphs)),
            )
    peers.close()
    main_name = next((name for name in graphs if name == "10M"), list(graphs)[-1])
    chosen = results[main_name]
    ratios = [
        one[peer]["ratio"]
        for one in results.values()
        for peer in ("scipy", "igraph")
        if peer in one
    ]
    is_within = all(one["growth_bytes"] <= one["growth_allowed_bytes"] for one in results.values())
    print(
        json.dumps(
            {
                "bench": "rank",
                "graph": main_name,
                "ratio_to_scipy": chosen["scipy"]["ratio"],
                "whole_ratio_to_scipy": chosen["scipy_whole"]["ratio"],
                "our_whole_to_scipy_solve": chosen["scipy_solve_to_our_whole"]["ratio"],
                "ratio_to_igraph": chosen.get("igraph", {}).get("ratio"),
                "bytes_per_edge": chosen["bytes_per_edge"],
                "iterations": chosen["iterations"],
                "growth_bytes": chosen["growth_bytes"],
                "growth_allowed_bytes": chosen["growth_allowed_bytes"],
                "off_by": chosen["off_by"],
                "graphs": results,
                "versions": versions,
            }
        ),
        flush=True,
    )
    sys.exit(0 if min(ratios) >= 1 and is_within else 1)


if __name__ == "__main__":
    main()
