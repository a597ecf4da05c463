"""How far does a page reach by its links? PageRank with all links turned round.

    gap(x) = (1 - damping) / pages
           + damping * sum of gap(y) / in-links(y), over the pages y that x links to
           + damping * sum of gap(z) / pages, over the pages z that nobody links to

Pages that play the same part in a farm have the same PageRank (the same links come in) and the same
GapRank (the same links go out). Printed without its first and last term, as it has been, the sum
only ever shrinks: all of it goes to zero.
"""

from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.page_rank import DAMPING, TOLERANCE, Ranks, page_rank


def gap_rank(
    graph: Adjacency,
    *,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
    start: Floats | None = None,
    transposed: Adjacency | None = None,
) -> Ranks:
    """The ranks of all nodes with the links turned round. `transposed`: the graph turned round, if
    somebody has it already."""
    turned = transposed or graph.transposed()
    return page_rank(turned, damping=damping, tolerance=tolerance, start=start)
