"""How the documents that match are spread over the values of a field.

All matches are counted, not only those that are worth scoring; where there are more than that is
worth, the best of them, and their counts stand for the rest. Dates are counted by their years.
"""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

import numpy as np

from gossamer.errors import UsageError
from gossamer.index.fields import Fields, FieldType
from gossamer.index.reader import IndexReader
from gossamer.matches import Ints
from gossamer.search.candidates import Candidates
from gossamer.search.planning import Plan
from gossamer.search.reading import field_named

COUNTED = 20_000
"""Matches that are counted one by one."""
MOST_VALUES = 100
"""Of a field, in an answer: the commonest."""

Counts = dict[str, int]


class Facets(NamedTuple):
    counts: dict[str, Counts]
    is_exact: bool = True


def check_facets(names: Sequence[str], fields: Fields) -> None:
    for name in names:
        field = field_named(name, fields)
        if field is None or not _is_countable(fields.type_of(field)):
            known = [field.name for field in fields.all if _is_countable(field.type)]
            raise UsageError(
                f"'{name}' has no values to count, only: {', '.join(known) or 'none'}."
            )


def _is_countable(type_: FieldType | None) -> bool:
    return type_ is not None and type_.is_value


def count_facets(
    names: Sequence[str],
    reader: IndexReader,
    plan: Plan,
    candidates: Candidates,
    deadline: float,
) -> Facets:
    """Those of one shard."""
    if not names:
        return Facets({})
    numbers, is_all = candidates.numbers, candidates.is_all
    if not is_all and monotonic() < deadline:
        numbers = np.sort(reader.finder.find(plan.find_any, COUNTED).numbers)
        is_all = len(numbers) < COUNTED
    share = 1.0 if is_all or not len(numbers) else max(1.0, candidates.total / len(numbers))
    counts = {}
    for name in names:
        own = _counts_of(name, reader, numbers)
        counts[name] = {value: round(count * share) for value, count in own.items()}
    return Facets(counts, is_all)


def _counts_of(name: str, reader: IndexReader, numbers: Ints) -> Counts:
    field = field_named(name, reader.fields)
    assert field is not None, name
    type_ = reader.fields.type_of(field)
    if type_ is FieldType.KEYWORD:
        return reader.keyword_counts(field, numbers)
    values = reader.values(field, numbers)
    places, more = reader.more_values(field, numbers)
    documents = np.concatenate((np.arange(len(numbers)), places))
    values = np.concatenate((values, more))
    documents, values = documents[np.isfinite(values)], values[np.isfinite(values)]
    if type_ is not FieldType.DATE:
        return _counted(values, lambda value: f"{value:.15g}")
    years = (values * 1000).astype("datetime64[ms]").astype("datetime64[Y]").astype(np.int64)
    if len(places):  # a document with two dates of a year counts once
        years = np.unique(np.stack((documents, years)), axis=1)[1]
    return _counted(years + 1970, str)


def _counted(values: Ints | np.ndarray, said: Callable[[float], str]) -> Counts:
    different, counts = np.unique(values, return_counts=True)
    return dict(zip(map(said, different.tolist()), counts.tolist(), strict=True))


def joined(names: Sequence[str], found: Sequence[Facets]) -> tuple[Facets, tuple[str, ...]]:
    """Those of all shards, the commonest values first; and what there is to say of them."""
    notes = []
    counts: dict[str, Counts] = {}
    for name in names:
        total: Counts = {}
        for one in found:
            for value, count in one.counts.get(name, {}).items():
                total[value] = total.get(value, 0) + count
        best = sorted(total.items(), key=lambda pair: (-pair[1], pair[0]))
        if len(best) > MOST_VALUES:
            notes.append(f"Only the {MOST_VALUES} commonest values of '{name}' are told.")
        counts[name] = dict(best[:MOST_VALUES])
    return Facets(counts, all(one.is_exact for one in found)), tuple(notes)
