"""Evidence made by hand, so that a score can be computed on paper."""

from collections.abc import Mapping, Sequence

import numpy as np

from gossamer.matches import Hits, Matches, Statistics
from gossamer.rank.evidence import Evidence, Parameters, Word

Place = tuple[int, int, int, int, int]
"""document, slot, field, position, capitals"""


def evidence_of(
    words: Sequence[str | Word],
    places: Sequence[Place],
    lengths: Sequence[Sequence[float]],
    *,
    documents: int,
    frequencies: Sequence[float],
    fields: Sequence[str] = ("body", "extras"),
    averages: Sequence[float] | None = None,
    occurrences: Sequence[float] | None = None,
    field_weights: Mapping[str, float] | None = None,
    parameters: Parameters = Parameters(),  # noqa: B008
    variables: Mapping[str, Sequence[float]] | None = None,
    pair_frequencies: Sequence[float] = (),
    stop_words: int = 0,
) -> Evidence:
    columns = np.array(sorted(places), np.int64).reshape(-1, 5)
    order = np.lexsort((columns[:, 3], columns[:, 2], columns[:, 0]))
    columns = columns[order]
    hits = Hits(
        columns[:, 0].astype(np.int32),
        columns[:, 1].astype(np.int32),
        columns[:, 2].astype(np.int32),
        columns[:, 3].astype(np.int32),
        columns[:, 4].astype(np.int32),
    )
    table = np.array(lengths, np.float64)
    statistics = Statistics(
        documents,
        np.array(averages, np.float64) if averages else table.mean(axis=0),
        np.array(frequencies, np.float64),
        np.array(occurrences or frequencies, np.float64),
    )
    matches = Matches(
        np.arange(1, len(table) + 1), table, hits, statistics, len(words), len(fields)
    )
    known = {name: np.array(values, np.float64) for name, values in (variables or {}).items()}
    return Evidence(
        matches,
        [word if isinstance(word, Word) else Word(word) for word in words],
        fields,
        field_weights or {},
        parameters,
        known.get,
        pair_frequencies,
        stop_words=stop_words,
    )
