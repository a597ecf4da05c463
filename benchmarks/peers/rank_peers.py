"""PageRank by scipy, igraph and networkx: run by the benchmark with the peers' interpreter.

A line of JSON on standard input is a request, one on standard output its answer:

    {"do": "open", "folder": F}       the graph in F/offsets.npy and F/targets.npy
    {"do": "build", "peer": P}        whatever the peer makes of the graph before it can rank
    {"do": "reference", "accuracy": A}  ranks by far more exact than others, in F/reference.npy; the
                                      tolerance with which power iteration is off by at most A
    {"do": "solve", "peer": P, "tolerance": T}  the ranks, in F/P.npy
    {"do": "rank", "nodes": N, "pairs": [[source, target], ...], "damping": D}  igraph's ranks

All answers but the last have CPU-seconds and wall seconds.
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import igraph
import networkx
import numpy as np
import scipy.sparse

DAMPING = 0.85


class Peers:
    def __init__(self) -> None:
        self._built: dict[str, Any] = {}
        self._dangling: Any = None

    def open(self, folder: str) -> None:
        self._folder = Path(folder)
        self._offsets = np.load(self._folder / "offsets.npy")
        self._targets = np.load(self._folder / "targets.npy")
        self._nodes = len(self._offsets) - 1
        self._built.clear()

    def build(self, peer: str) -> None:
        self._built[peer] = getattr(self, f"_build_{peer}")()

    def solve(self, peer: str, tolerance: float) -> dict[str, Any]:
        cpu, wall = time.process_time(), time.perf_counter()
        values, iterations = getattr(self, f"_solve_{peer}")(tolerance)
        took = {
            "wall_seconds": time.perf_counter() - wall,
            "cpu_seconds": time.process_time() - cpu,
        }
        np.save(self._folder / f"{peer}.npy", values)
        return {"iterations": iterations, **took}

    def reference(self, accuracy: float) -> dict[str, Any]:
        exact, _ = self._solve_scipy(1e-15)
        np.save(self._folder / "reference.npy", exact)
        ranks = np.full(self._nodes, 1 / self._nodes)
        changed = 1.0
        while np.abs(ranks - exact).sum() > accuracy:
            after = self._step(ranks)
            changed, ranks = float(np.abs(after - ranks).sum()), after
        return {"tolerance": changed * 1.000001}

    def _sources(self) -> Any:
        return np.repeat(np.arange(self._nodes, dtype=np.int32), np.diff(self._offsets))

    def _build_scipy(self) -> Any:
        degrees = np.diff(self._offsets)
        self._dangling = np.flatnonzero(degrees == 0)
        each = np.repeat(1 / np.maximum(degrees, 1), degrees)
        shape = (self._nodes, self._nodes)
        matrix = scipy.sparse.csr_array((each, self._targets, self._offsets), shape=shape)
        return matrix.T.tocsr()

    def _step(self, ranks: Any) -> Any:
        jumping = (1 - DAMPING + DAMPING * ranks[self._dangling].sum()) / self._nodes
        return DAMPING * (self._built["scipy"] @ ranks) + jumping

    def _solve_scipy(self, tolerance: float) -> tuple[Any, int]:
        ranks = np.full(self._nodes, 1 / self._nodes)
        iterations, changed, least, since = 0, 1.0, 2.0, 0
        while changed >= tolerance and since < 10:  # beyond that it is rounding
            after = self._step(ranks)
            changed = np.abs(after - ranks).sum()
            since = 0 if changed < least else since + 1
            least = min(changed, least)
            ranks, iterations = after, iterations + 1
        return ranks, iterations

    def _build_igraph(self) -> Any:
        pairs = np.column_stack([self._sources(), self._targets])
        return igraph.Graph(n=self._nodes, edges=pairs, directed=True)

    def _solve_igraph(self, _: float) -> tuple[Any, int]:
        return self._built["igraph"].pagerank(damping=DAMPING, implementation="prpack"), 0

    def _build_networkx(self) -> Any:
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(self._nodes))
        graph.add_edges_from(zip(self._sources().tolist(), self._targets.tolist(), strict=True))
        return graph

    def _solve_networkx(self, tolerance: float) -> tuple[Any, int]:
        # It stops at the tolerance times the number of nodes.
        found = networkx.pagerank(
            self._built["networkx"], DAMPING, tol=tolerance / self._nodes, max_iter=1000
        )
        return [found[node] for node in range(self._nodes)], 0


def _ranks(nodes: int, pairs: list[list[int]], damping: float) -> list[float]:
    graph = igraph.Graph(n=nodes, edges=pairs, directed=True)
    found: list[float] = graph.pagerank(damping=damping, implementation="prpack")
    return found


def main() -> None:
    peers = Peers()
    for line in sys.stdin:
        request = json.loads(line)
        do = request.pop("do")
        answer: dict[str, Any] = {}
        if do == "rank":
            answer["ranks"] = _ranks(**request)
        elif do == "versions":
            answer = {name: version(name) for name in ("scipy", "igraph", "networkx")}
        else:
            cpu, wall = time.process_time(), time.perf_counter()
            found = getattr(peers, do)(**request) or {}
            answer["wall_seconds"] = time.perf_counter() - wall
            answer["cpu_seconds"] = time.process_time() - cpu
            answer |= found
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
