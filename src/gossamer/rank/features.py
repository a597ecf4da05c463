"""The features of a document for a query. Each is one small function with a name and a meaning.

A profile is a formula over these names. A feature that is a sum over the words of the query, or
over the fields that they stand in, says so: that is how an answer explains itself.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gossamer.matches import PROSE_COLUMN, Floats
from gossamer.rank.cover import covers
from gossamer.rank.evidence import Breakdown, Evidence, the_same

_LITTLE_PROSE = 300.0  # characters: a page with so many is half way between a list and a text
Compute = Callable[[Evidence], Breakdown]
NEARLY_NOTHING = 1e-12
"""What is divided by at least: k of 0 and a word that is not there are 0 by 0."""


class Feature(NamedTuple):
    name: str
    meaning: str
    compute: Compute


FEATURES: dict[str, Feature] = {}


def feature(name: str, meaning: str) -> Callable[[Compute], Compute]:
    def register(compute: Compute) -> Compute:
        FEATURES[name] = Feature(name, meaning, compute)
        return compute

    return register


def _summed(by_word: Floats) -> Breakdown:
    return Breakdown(by_word.sum(axis=1), by_word)


def _ratio_idf(evidence: Evidence, logarithm: Callable[[Floats], Floats]) -> Floats:
    """The logarithm of N / df; 0 for a word that no document holds."""
    frequencies = evidence.document_frequencies
    ratio = np.divide(
        float(evidence.documents),
        frequencies,
        out=np.ones_like(frequencies),
        where=frequencies > 0,
    )
    return np.asarray(logarithm(ratio))


# --- words in the text ---


@feature("bm25", "BM25 with log2(N/df), over all fields as one text")
def bm25(evidence: Evidence) -> Breakdown:
    k, b = evidence.parameters.k, evidence.parameters.b
    length = 1 - b + b * evidence.lengths / evidence.average_length
    counted = evidence.counted
    saturated = counted * (k + 1) / np.maximum(k * length[:, None] + counted, NEARLY_NOTHING)
    return _summed(saturated * _ratio_idf(evidence, np.log2) * evidence.weights)


@feature("bm25f", "BM25 over weighted fields, each normalised by its own length")
def bm25f(evidence: Evidence) -> Breakdown:
    k = evidence.parameters.k
    normalised = _normalised_frequencies(evidence)
    weighted = normalised.sum(axis=2)
    idf = evidence.idf * evidence.weights
    by_word = idf * weighted * (k + 1) / np.maximum(k + weighted, NEARLY_NOTHING)
    share = np.divide(
        normalised,
        weighted[:, :, None],
        out=np.zeros_like(normalised),
        where=weighted[:, :, None] > 0,
    )
    return Breakdown(by_word.sum(axis=1), by_word, by_word[:, :, None] * share)


def _normalised_frequencies(evidence: Evidence) -> Floats:
    """Frequencies by field, weighted, and less in fields that are longer than usual."""
    b = evidence.parameters.b
    averages = np.maximum(evidence.matches.statistics.average_lengths, 1e-9)
    norms = 1 - b + b * evidence.matches.lengths / averages
    norms[:, -1] = 1.0  # further forms of words make no text longer
    weights = evidence.field_weights / np.maximum(norms, 1e-9)
    return np.asarray(evidence.frequencies * weights[:, None, :])


@feature("tf_idf", "weighted term frequency times log10(N/df)")
def tf_idf(evidence: Evidence) -> Breakdown:
    by_field = (
        evidence.frequencies
        * evidence.field_weights
        * (_ratio_idf(evidence, np.log10) * evidence.weights)[None, :, None]
    )
    by_word = by_field.sum(axis=2)
    return Breakdown(by_word.sum(axis=1), by_word, by_field)


@feature(
    "divergence", "divergence from randomness: how surprising it is to meet the words so often"
)
def divergence(evidence: Evidence) -> Breakdown:
    occurrences = evidence.matches.statistics.collection_frequencies
    rate = np.maximum(occurrences, 1.0) / max(1, evidence.documents)
    lengths = np.maximum(evidence.lengths, 1.0)
    counted = evidence.counted * np.log2(1 + evidence.average_length / lengths)[:, None]
    surprise = np.log2(1 + rate) + counted * np.log2(1 + 1 / rate)
    by_word = np.where(counted > 0, surprise / (counted + 1), 0.0)
    return _summed(by_word * evidence.weights)


@feature("proximity", "how often and how closely all words of the query stand together")
def proximity(evidence: Evidence) -> Breakdown:
    required = np.array([word.is_required for word in evidence.words])
    if required.sum() < 2:
        return the_same(0.0)
    return Breakdown(covers(evidence.matches, required))


@feature(
    "title_share",
    "how much of the title is the query, times how much of the query is in the title; "
    "the name of the site does not count",
)
def title_share(evidence: Evidence) -> Breakdown:
    title = evidence.title_words
    return the_same(0.0) if title is None else Breakdown(title.named * title.held)


@feature("prose", "how much running text the content of a page has: 1 for long texts, 0 for lists")
def prose(evidence: Evidence) -> Breakdown:
    characters = evidence.variable(PROSE_COLUMN, np.inf)
    return Breakdown(1 - _LITTLE_PROSE / (characters + _LITTLE_PROSE))


@feature(
    "title_holds_all",
    "the same where the title has all words of the query, else 0: 1 where the title is the query",
)
def title_holds_all(evidence: Evidence) -> Breakdown:
    title = evidence.title_words
    return the_same(0.0) if title is None else Breakdown(title.named * (title.held == 1.0))


# --- the score of P ---

_CAPITAL_WEIGHTS = np.array([1.0, 1.5, 2.0, 2.0])
_PLACE_WEIGHTS = {"title": 3.0, "headings": 2.0}
_SQUARES = 5.0


@feature("penn_index", "augmented, weighted term frequency times idf, of words and of neighbours")
def penn_index(evidence: Evidence) -> Breakdown:
    places = np.array([_PLACE_WEIGHTS.get(name, 1.0) for name in evidence.fields])
    hits = evidence.matches.hits
    weights = places[hits.fields] * _CAPITAL_WEIGHTS[hits.capitals]
    slots = evidence.matches.slots
    index = hits.documents.astype(np.int64) * slots + hits.slots
    words: Floats = np.bincount(index, weights, evidence.size * slots).astype(np.float64)
    words = words.reshape(evidence.size, slots)
    pairs = _pairs(evidence, weights)
    scale = _augmented_scale(evidence)
    largest = np.maximum(evidence.variable("largest_frequency", 1.0), 1.0)
    largest = np.broadcast_to(largest, (evidence.size,))[:, None]
    floor = evidence.parameters.tf_floor

    def augmented(frequencies: Floats) -> Floats:
        value = floor + (1 - floor) * np.minimum(frequencies / largest, 1.0)
        return np.where(frequencies > 0, value, 0.0) * scale[:, None]

    by_word = augmented(words) * _ratio_idf(evidence, np.log10) * evidence.weights
    if pairs.shape[1]:
        known = evidence.pair_frequencies
        idf = np.log10(
            np.divide(evidence.documents, known, out=np.ones_like(known), where=known > 0)
        )
        # A pair belongs to its first word.
        by_word[:, : pairs.shape[1]] += augmented(pairs) * idf
    return _summed(by_word)


def _pairs(evidence: Evidence, weights: Floats) -> Floats:
    """candidates x (slots - 1): weighted frequency of neighbouring words as neighbours."""
    count = len(evidence.pair_frequencies)
    found = np.zeros((evidence.size, count))
    hits = evidence.matches.hits
    if not count or len(hits.slots) < 2:
        return found
    together = np.flatnonzero(
        (hits.documents[1:] == hits.documents[:-1])
        & (hits.fields[1:] == hits.fields[:-1])
        & (hits.positions[1:] == hits.positions[:-1] + 1)
        & (hits.slots[1:] == hits.slots[:-1] + 1)
        & (hits.slots[1:] <= count)
    )
    np.add.at(found, (hits.documents[together], hits.slots[together]), weights[together])
    return found


def _augmented_scale(evidence: Evidence) -> Floats:
    """Documents whose squared term frequencies sum up to more than five are scaled down."""
    floor = evidence.parameters.tf_floor
    largest = np.maximum(evidence.variable("largest_frequency", 1.0), 1.0)
    terms = evidence.variable("distinct_terms")
    sums = evidence.variable("frequency_sum")
    squares = evidence.variable("frequency_squares")
    total = (
        terms * floor**2
        + 2 * floor * (1 - floor) * sums / largest
        + (1 - floor) ** 2 * squares / largest**2
    )
    scale = np.where(total > _SQUARES, _SQUARES / np.maximum(total, _SQUARES), 1.0)
    return np.broadcast_to(scale, (evidence.size,))


@feature("places", "1 + the words of the query that stand in address, description and title")
def places(evidence: Evidence) -> Breakdown:
    by_word = np.zeros((evidence.size, evidence.matches.slots))
    for name in ("url", "description", "title"):
        place = evidence.field(name)
        if place is not None:
            by_word += evidence.frequencies[:, :, place] > 0
    return Breakdown(1 + by_word.sum(axis=1))


# --- what is known of a document whatever the query ---


@feature("page_rank", "PageRank, scaled to a mean of one; 1 where it is not known")
def page_rank(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.variable("page_rank", 1.0))


@feature("host_rank", "rank of the host among all hosts, scaled to a mean of one; 1 where unknown")
def host_rank(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.variable("host_rank", 1.0))


@feature("domain_rank", "rank of the domain among all domains, mean one; 1 where unknown")
def domain_rank(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.variable("domain_rank", 1.0))


@feature("in_degree", "pages that link to the page; 0 where it is not known")
def in_degree(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.variable("in_degree"))


@feature("in_hosts", "other hosts that link to the page; 0 where it is not known")
def in_hosts(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.variable("in_hosts"))


@feature("farm", "1 for pages of a link farm, 0 for others")
def farm(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.variable("farm"))


@feature("combined_rank", "page, host and domain rank together; 1 where they are not known")
def combined_rank(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.variable("combined_rank", 1.0))


@feature("doc_rank", "log10(1 + documents that were crawled after this one)")
def doc_rank(evidence: Evidence) -> Breakdown:
    return Breakdown(np.log10(1 + evidence.variable("documents_after")))


@feature("slash_bonus", "NUM_SLASHES / slashes in the address: more for pages near the top")
def slash_bonus(evidence: Evidence) -> Breakdown:
    slashes = np.maximum(evidence.variable("url_slashes", 1.0), 1.0)
    return Breakdown(evidence.parameters.slashes / slashes)


@feature("url_length", "characters of the address; 1 where there is none")
def url_length(evidence: Evidence) -> Breakdown:
    return Breakdown(np.maximum(evidence.variable("url_length", 1.0), 1.0))


@feature("all_words", "1 for documents that hold every word of the query, 0 for the others")
def all_words(evidence: Evidence) -> Breakdown:
    return Breakdown(evidence.all_words)


@feature("weighted_words", "points for the words that the settings give some")
def weighted_words(evidence: Evidence) -> Breakdown:
    if not evidence.points.any():
        return the_same(0.0)
    return _summed((evidence.counted > 0) * evidence.points)


@feature("boost", "what the boosting formula of the index says of the document")
def boost(evidence: Evidence) -> Breakdown:
    formula = evidence.parameters.boost
    if formula is None:
        return the_same(0.0)
    values = {name: evidence.variable(name) for name in formula.names}
    return Breakdown(np.broadcast_to(formula.evaluate(values), (evidence.size,)).astype(float))
