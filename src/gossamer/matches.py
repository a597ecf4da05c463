"""Where the words of a query stand in the documents that may answer it: what finding hands to
ranking.

A query has *slots*, one for each of its words (with all the forms that a word may take). A *hit* is
one place of one slot in one document. Hits of all candidates lie behind each other in flat arrays,
so that ranking is a handful of numpy calls whatever the number of documents.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_FIELDS = 32

TITLE_FIELDS = ("title", "name")
"""The title of a document is the first of these text fields that its index has."""
TITLE_COLUMNS = ("title_begin", "title_words", "title_telling")
"""Numbers of every document: at which word of the title field the document's own title begins
(before it may stand the name of the site), how many words it has, and how many of these are no stop
words."""
PROSE_COLUMN = "prose"
"""Characters of running text in the content of a page."""

LOWER, CAPITALISED, UPPER = 0, 1, 2
"""How a word was written at a place."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Hits(NamedTuple):
    """Hit `i` belongs to the document `documents[i]`, a place among the candidates. They are
    sorted by document, and within a document as they stand there."""

    documents: NDArray[np.int32]
    slots: NDArray[np.int32]
    fields: NDArray[np.int32]
    positions: NDArray[np.int32]  # within the field
    capitals: NDArray[np.int32]


class Statistics(NamedTuple):
    """Of all documents that can be found, over all parts and shards of an index."""

    documents: int
    average_lengths: Floats  # a field
    document_frequencies: Floats  # a slot
    collection_frequencies: Floats  # a slot: how often it stands in all documents together
    terms: int = 0  # how many words all documents have together


class Matches(NamedTuple):
    """The candidates of a query, with all that ranking may ask of them."""

    numbers: Ints  # of the documents, unique in the index and never given twice
    lengths: Floats  # candidates x fields, in words
    hits: Hits
    statistics: Statistics
    slots: int
    fields: int
    tallies: Floats | None = None
    """candidates x slots: how often each slot stands there, a field by its weight, where somebody
    has counted already."""

    @property
    def size(self) -> int:
        return len(self.numbers)

    def frequencies(self) -> Floats:
        """How often each slot stands in each field: candidates x slots x fields."""
        shape = (self.size, self.slots, self.fields)
        index = (
            self.hits.documents.astype(np.int64) * self.slots + self.hits.slots
        ) * self.fields + self.hits.fields
        counts = np.bincount(index, minlength=self.size * self.slots * self.fields)
        return counts.reshape(shape).astype(np.float64)

    def weighted(self, weights: Floats) -> Floats:
        """How often each slot stands in a candidate, a field by its weight: candidates x slots."""
        index = self.hits.documents.astype(np.int64) * self.slots + self.hits.slots
        counts = np.bincount(index, weights[self.hits.fields], self.size * self.slots)
        return counts.reshape(self.size, self.slots).astype(np.float64, copy=False)
