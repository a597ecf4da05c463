"""The words of each document in their order, field by field.

A word takes 16 bits: frequent words have small numbers, and the numbers of rare ones stand in a
list of their own. Two bits more tell how it was written. Positions need no room, as they follow
from the order. A document of 300 words takes 0.7 KB, and looking for any number of words in it
means reading it once, from front to back: a thousand candidates in half a millisecond.
"""

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.index import kernels
from gossamer.index.vocabulary import GrowingVocabulary, Vocabulary
from gossamer.storage.arrays import mapped, save

PLACE_WEIGHTS = {"title": 3.0, "headings": 2.0}
"""Of a word in these fields, where frequencies are weighted; 1 elsewhere."""
CAPITAL_WEIGHTS = (1.0, 1.5, 2.0, 2.0)
WEIGHED = ("distinct_terms", "frequency_sum", "frequency_squares", "largest_frequency")


class Terms(NamedTuple):
    """Numbers of the terms to look for, and the slot of each."""

    numbers: NDArray[np.int64]  # ABSENT for a term that the part does not have
    slots: NDArray[np.uint8]


class Votes(NamedTuple):
    """Terms of some documents with their frequencies."""

    terms: NDArray[np.int64]
    sums: NDArray[np.float64]  # of the saturated frequencies, by the power of the documents
    weights: NDArray[np.float64]  # that times the idf, as far as the part knows


NO_VOTES = Votes(np.empty(0, np.int64), np.empty(0), np.empty(0))


class Saturation(NamedTuple):
    """Parameters of BM25: how much a word weighs that stands in a document several times."""

    k: float
    b: float
    average: float  # length of documents


class ForwardWriter:
    """Collects documents in memory until `write`."""

    def __init__(self, fields: Sequence[str], vocabulary: GrowingVocabulary) -> None:
        """`vocabulary` numbers the terms, and may know others."""
        self._fields = fields
        self._vocabulary = vocabulary
        self._tokens = array("i")
        self._capitals = bytearray()
        self._ends = array("q", [0])
        self._spans = array("I")

    @property
    def words(self) -> int:
        return len(self._tokens)

    def add(
        self, terms: NDArray[np.int32], capitals: NDArray[np.uint8], spans: Iterable[int]
    ) -> None:
        """The terms of all fields by their numbers in the vocabulary, how each was written, and how
        many there are in each field."""
        self._tokens.frombytes(terms.tobytes())
        self._capitals += capitals.tobytes()
        self._spans.extend(spans)
        self._ends.append(len(self._tokens))

    def write(self, folder: Path) -> None:
        tokens = np.frombuffer(self._tokens, np.int32)
        starts = np.frombuffer(self._ends, np.int64)
        words = list(self._vocabulary)
        frequencies, occurrences = kernels.count_terms(tokens, starts, len(words))
        order = np.argsort(-occurrences, kind="stable")[: np.count_nonzero(occurrences)]
        numbers = np.empty(len(words), np.int64)
        numbers[order] = np.arange(len(order))
        short, rare_starts, rare = kernels.encode(tokens, starts, numbers)
        Vocabulary.write(folder, [words[place] for place in order.tolist()])
        save(folder / "frequencies.npy", frequencies[order])
        save(folder / "occurrences.npy", occurrences[order])
        save(folder / "tokens.npy", short)
        save(folder / "starts.npy", starts)
        save(folder / "rare.npy", rare)
        save(folder / "rare-starts.npy", rare_starts)
        spans = np.frombuffer(self._spans, np.uint32).reshape(-1, len(self._fields))
        save(folder / "spans.npy", spans)
        capitals = np.frombuffer(self._capitals, np.uint8)
        save(folder / "capitals.npy", kernels.pack_capitals(capitals))
        places = np.array([PLACE_WEIGHTS.get(name, 1.0) for name in self._fields])
        weighed = kernels.weigh(tokens, starts, spans, capitals, places, np.array(CAPITAL_WEIGHTS))
        for position, name in enumerate(WEIGHED):
            save(folder / f"number-{name}.npy", weighed[:, position].astype(np.float32))


class Forward:
    """The forward store of a finished part."""

    def __init__(self, folder: Path) -> None:
        self.vocabulary = Vocabulary(folder)
        self.frequencies: NDArray[np.int32] = mapped(folder / "frequencies.npy")
        self.occurrences: NDArray[np.int64] = mapped(folder / "occurrences.npy")
        self.spans: NDArray[np.uint32] = mapped(folder / "spans.npy")
        self._tokens = mapped(folder / "tokens.npy")
        self._starts = mapped(folder / "starts.npy")
        self._rare = mapped(folder / "rare.npy")
        self._rare_starts = mapped(folder / "rare-starts.npy")
        self._capitals = mapped(folder / "capitals.npy")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def hits(
        self,
        rows: NDArray[np.int64],
        terms: Terms,
        weights: NDArray[np.float64],
        placed: int,
        first: int,
        tallies: NDArray[np.float64],
    ) -> NDArray[np.int32]:
        """The places of the slots below `placed` in the documents of these rows, which are the
        candidates from `first` on: what `Hits` holds, behind each other. `tallies`, candidates x
        slots: all places of all slots are added to it, each as the weight of its field."""
        hits, found, _ = kernels.scan(
            rows,
            self._starts,
            self._tokens,
            self._rare_starts,
            self._rare,
            self.spans,
            self._capitals,
            *terms,
            weights,
            placed,
            first,
            tallies,
        )
        places: NDArray[np.int32] = hits[:, :found]
        return places

    def add_saturated(
        self,
        rows: NDArray[np.int64],
        terms: NDArray[np.int64],
        term_weights: NDArray[np.float64],
        weights: NDArray[np.float64],
        norms: NDArray[np.float64],
        sums: NDArray[np.float64],
    ) -> None:
        """To the sum of each row is added over the terms: weight * f / (f + norm), where f is how
        often the term stands there, a field by its weight."""
        kernels.add_saturated(
            rows,
            self._starts,
            self._tokens,
            self._rare_starts,
            self._rare,
            self.spans,
            terms,
            term_weights,
            weights,
            norms,
            sums,
        )

    def add_statistics(self, terms: Terms, totals: NDArray[np.float64]) -> None:
        """To `totals`, 2 x slots, is added how many documents hold the terms of each slot, and how
        often these stand in all."""
        kernels.add_statistics(*terms, self.frequencies, self.occurrences, totals)

    def holding(self, rows: NDArray[np.int64], terms: Terms) -> NDArray[np.bool_]:
        """Which of these rows hold any of the terms."""
        found: NDArray[np.bool_] = kernels.holding(
            rows,
            self._starts,
            self._tokens,
            self._rare_starts,
            self._rare,
            *terms,
        )
        return found

    def terms(self, row: int) -> NDArray[np.uint32]:
        """The numbers of a document's words, in their order."""
        found: NDArray[np.uint32] = kernels.terms_of(
            row, self._starts, self._tokens, self._rare_starts, self._rare
        )
        return found

    def capitals(self, row: int) -> NDArray[np.uint8]:
        """How the words of a document are written, in their order."""
        places = np.arange(self._starts[row], self._starts[row + 1])
        found: NDArray[np.uint8] = (self._capitals[places >> 2] >> ((places & 3) << 1)) & 3
        return found.astype(np.uint8)

    def votes(
        self,
        rows: NDArray[np.int64],
        power: NDArray[np.float64],
        counted: NDArray[np.bool_],
        saturation: Saturation,
        documents: int,
        least: int,
    ) -> Votes:
        """Of the terms in the `counted` fields of these documents, but those that fewer than
        `least` documents hold. `documents`: in the whole index."""
        # As if the other parts were like this one: it is only for choosing.
        share = max(1, len(self)) / max(1, documents)
        return Votes(
            *kernels.vote(
                rows,
                power,
                counted,
                *saturation,
                self._starts,
                self._tokens,
                self._rare_starts,
                self._rare,
                self.spans,
                self.frequencies,
                float(documents),
                share,
                least,
            )
        )

    def add_votes(
        self, words: NDArray[np.int64], votes: Votes, totals: NDArray[np.float64]
    ) -> None:
        """To `totals`, 3 x words, is added how many documents here hold each word, how often it
        stands, and its votes. `words`: their hashes."""
        kernels.add_votes(
            self.vocabulary.numbers_by_hash(words),
            self.frequencies,
            self.occurrences,
            votes.terms,
            votes.sums,
            totals,
        )

    def statistics_without(
        self, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Frequencies and occurrences of all terms, as if these documents were not there."""
        frequencies, occurrences = self.frequencies.copy(), self.occurrences.copy()
        kernels.without_documents(
            frequencies,
            occurrences,
            rows,
            self._starts,
            self._tokens,
            self._rare_starts,
            self._rare,
        )
        return frequencies, occurrences
