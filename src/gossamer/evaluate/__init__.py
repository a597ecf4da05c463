"""How good is a ranking, and is it better than another?

In comes a folder with documents, queries and judgments (`dataset`), and for each ranking a callable
that takes a query and returns the ids of documents, best first. Out go the usual measures of each
ranking (`metrics`), side by side, with a paired test against the first (`significance`) and the
queries that won and lost most (`comparison`).

Not for searching: nothing here knows of an index or a profile. Not for speed either: the time of a
run is there to be seen next to its quality, benchmarks measure with more care.
"""

from gossamer.evaluate.comparison import Comparison, Mover, Run, compare, run_queries
from gossamer.evaluate.dataset import Dataset, Document, Query, Survey
from gossamer.evaluate.metrics import CUTOFF, METRICS, measure
from gossamer.evaluate.significance import PairedDifference, paired_difference

__all__ = [
    "CUTOFF",
    "METRICS",
    "Comparison",
    "Dataset",
    "Document",
    "Mover",
    "PairedDifference",
    "Query",
    "Run",
    "Survey",
    "compare",
    "measure",
    "paired_difference",
    "run_queries",
]
