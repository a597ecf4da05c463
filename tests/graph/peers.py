"""PageRank as others compute it."""

import json
import subprocess
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from benchmarks.crawlers import PEER_PYTHON, ROOT
from gossamer.graph.adjacency import Adjacency

IS_THERE = PEER_PYTHON.exists()
WHERE = "igraph is among the peers of the benchmarks: .venv-bench is not installed"


def by_scipy(
    graph: Adjacency, damping: float = 0.85, teleport: Any = None, tolerance: float = 1e-15
) -> NDArray[np.float64]:
    """Plain power iteration over a sparse matrix."""
    nodes = graph.nodes
    degrees = graph.out_degrees()
    jumps = np.full(nodes, 1 / nodes) if teleport is None else teleport / teleport.sum()
    each = np.repeat(1 / np.maximum(degrees, 1), degrees)
    matrix = scipy.sparse.csr_array((each, graph.targets, graph.offsets), shape=(nodes, nodes))
    pulled = matrix.T.tocsr()
    ranks = jumps
    changed, least, since = 1.0, 2.0, 0
    while changed >= tolerance and since < 10:
        jumping = 1 - damping + damping * ranks[degrees == 0].sum()
        after = damping * (pulled @ ranks) + jumping * jumps
        changed = float(np.abs(after - ranks).sum())
        since = 0 if changed < least else since + 1
        least = min(changed, least)
        ranks = after
    return np.asarray(ranks / ranks.sum())


class Igraph:
    """A process of the peers' interpreter, as igraph is not among our own packages."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [PEER_PYTHON, ROOT / "benchmarks" / "peers" / "rank_peers.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ranks(self, graph: Adjacency, damping: float = 0.85) -> NDArray[np.float64]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pairs = np.column_stack([graph.sources(), graph.targets]).tolist()
        request = {"do": "rank", "nodes": graph.nodes, "pairs": pairs, "damping": damping}
        self._process.stdin.write(f"{json.dumps(request)}\n")
        self._process.stdin.flush()
        return np.array(json.loads(self._process.stdout.readline())["ranks"])

    def close(self) -> None:
        self._process.communicate()
