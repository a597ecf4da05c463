"""What a ranking may look at: the candidates of one query, and what is known of each."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gossamer.matches import TITLE_COLUMNS, TITLE_FIELDS, Bools, Floats, Matches
from gossamer.rank.formula import Formula
from gossamer.rank.kernels import held_all, titled

BOILERPLATE = "boilerplate"
_NO_LENGTH = frozenset({BOILERPLATE, "anchor", "site_anchor", "url", "description", "extras"})
"""Fields that make a text no longer: others write them, or every page of a site has them."""


class Word(NamedTuple):
    """One slot of a query, for people and for ranking."""

    text: str  # as typed
    weight: float = 1.0  # its importance, as typed
    is_required: bool = True  # of the query itself; not one that only has points
    width: int = 1  # words that a place of it takes in a text: 2 for 'well-known'
    points: float = 0.0  # that the settings give to documents which hold it


class Parameters(NamedTuple):
    """Settings that need no rebuild."""

    k: float = 1.2
    b: float = 0.75
    boost: Formula | None = None  # over the variables of documents
    slashes: float = 1.0  # NUM_SLASHES of the slash bonus
    tf_floor: float = 0.5  # 'a' of the augmented term frequency


class Breakdown(NamedTuple):
    """A feature of all candidates, and the parts that it is the sum of."""

    total: Floats  # candidates; or a single value, the same for all
    by_word: Floats | None = None  # candidates x slots
    by_field: Floats | None = None  # candidates x slots x fields

    def value(self, place: int) -> float:
        """Of one candidate."""
        return float(self.total[place] if self.total.ndim else self.total)


def the_same(value: float) -> Breakdown:
    """A feature that all candidates have alike."""
    return Breakdown(np.asarray(value, np.float64))


class TitleWords(NamedTuple):
    """How the query and the own title of each candidate fit."""

    named: Floats  # share of the title's words that are words of the query
    held: Floats  # share of the query's words that are words of the title


class Evidence:
    """The candidates of one query. What is costly to have is made when it is first asked for."""

    def __init__(
        self,
        matches: Matches,
        words: Sequence[Word],
        fields: Sequence[str],
        field_weights: Mapping[str, float],
        parameters: Parameters = Parameters(),  # noqa: B008 - a value, never changed
        variable: Callable[[str], Floats | None] = lambda _: None,
        pair_frequencies: Sequence[float] = (),
        explains: bool = True,
        stop_words: int = 0,
    ) -> None:
        """`variable`: a named value of all candidates (a rank, a number of theirs), or None.
        `explains`: features are wanted with all their parts; then every word has its places.
        `pair_frequencies`: how many documents hold each pair of neighbouring words.
        `stop_words`: how many words of the query are left out as stop words."""
        self.matches = matches
        self.words = tuple(words)
        self.fields = tuple(fields)
        self.parameters = parameters
        self.explains = explains
        self.weights = np.array([word.weight for word in words], np.float64)
        self.field_weights = np.array([field_weights.get(name, 1.0) for name in fields], np.float64)
        self.pair_frequencies = np.array(pair_frequencies, np.float64)
        self.required = np.array([word.is_required for word in words], np.float64)
        self.feedback = np.zeros(len(words))
        """Of each word, its share among the words of the best documents."""
        self.points = np.array([word.points for word in words], np.float64)
        self.stop_words = stop_words
        self._variable = variable

    @property
    def size(self) -> int:
        return self.matches.size

    @property
    def documents(self) -> int:
        return self.matches.statistics.documents

    @property
    def document_frequencies(self) -> Floats:
        return self.matches.statistics.document_frequencies

    @cached_property
    def frequencies(self) -> Floats:
        """candidates x slots x fields"""
        return self.matches.frequencies()

    @cached_property
    def weighted(self) -> Floats:
        """candidates x slots: over all fields, each with its weight"""
        if self.matches.tallies is not None:
            return self.matches.tallies
        return self.matches.weighted(self.field_weights)

    @cached_property
    def counted(self) -> Floats:
        """candidates x slots: over all fields"""
        return self.matches.weighted(np.ones(self.matches.fields))

    @cached_property
    def lengths(self) -> Floats:
        """Words of all fields together; further forms of words are none."""
        total: Floats = self.matches.lengths[:, :-1].sum(axis=1)
        return total

    @property
    def average_length(self) -> float:
        return float(self.matches.statistics.average_lengths[:-1].sum()) or 1.0

    @cached_property
    def idf(self) -> Floats:
        """Of each slot; never negative, however common a word is."""
        return self.idf_of(self.document_frequencies)

    def idf_of(self, frequencies: Floats) -> Floats:
        """Of words that so many documents hold."""
        return np.log1p((self.documents - frequencies + 0.5) / (frequencies + 0.5))

    @cached_property
    def normalised_lengths(self) -> Floats:
        """All fields as one text, in which weighted ones count more: 1 for a document of average
        length."""
        b = self.parameters.b
        weights = np.where([name in _NO_LENGTH for name in self.fields], 0, self.field_weights)
        average = float(self.matches.statistics.average_lengths @ weights) or 1.0
        return np.asarray(1 - b + b * (self.matches.lengths @ weights) / average)

    def variable(self, name: str, neutral: float = 0.0) -> Floats:
        """A value of every candidate, `neutral` where there is none; a single one where none has
        it."""
        found = self._variable(name)
        if found is None:
            return np.asarray(neutral, np.float64)
        return np.where(np.isfinite(found), found, neutral)

    def field(self, name: str) -> int | None:
        return self.fields.index(name) if name in self.fields else None

    @cached_property
    def title_words(self) -> TitleWords | None:
        """None where there are no titles, or no words."""
        place = next(
            (self.fields.index(name) for name in TITLE_FIELDS if name in self.fields), None
        )
        asked = self.required > 0
        if place is None or not asked.any():
            return None
        lengths = self.matches.lengths[:, place]
        columns = [*map(self._variable, TITLE_COLUMNS)]
        if any(column is None for column in columns):  # all of a title is its own
            columns = [np.zeros(self.size), lengths, lengths]
        widths = np.array([word.width for word in self.words]) * asked
        return TitleWords(
            *titled(self.matches, widths, place, [*columns, lengths], float(self.stop_words))
        )

    @cached_property
    def title_matches(self) -> Bools:
        """Candidates whose title is the query and nothing else, but for the name of the site."""
        title = self.title_words
        if title is None:
            return np.zeros(self.size, np.bool_)
        return np.asarray((title.named == 1.0) & (title.held == 1.0))

    @cached_property
    def all_words(self) -> Floats:
        """1 for candidates that hold every word of the query, 0 for the others. A word that stands
        only where all pages of a site have it is not held."""
        own = np.array([name != BOILERPLATE for name in self.fields])
        found: Floats = held_all(self.matches, self.required > 0, own)
        return found
