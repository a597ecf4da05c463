"""How are the documents that match spread over the values of a field?

In: a plan and its candidates, in each shard. Out: values with the number of documents that have
them, which is the number that a filter with this value leaves.

All matches are counted, not only those that are worth scoring; where there are very many, the best
of them, and their counts stand for the rest. Keywords are counted however they are written, dates
by their years, numbers by ranges.
"""

from collections.abc import Iterable, Sequence
from time import monotonic

import numpy as np
from msgspec import Struct

from gossamer.errors import UsageError
from gossamer.index.fields import Fields, FieldType, keyword_key
from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints
from gossamer.search.candidates import Candidates
from gossamer.search.planning import Plan
from gossamer.search.ranges import ranges_of
from gossamer.search.reading import field_named

COUNTED = 20_000
"""Matches that are counted one by one."""
MOST_VALUES = 100
"""Of a field, in an answer: the commonest."""

Counts = dict[str, int]


class Facets(Struct, frozen=True):
    counts: dict[str, Counts]
    numbers: dict[str, list[tuple[tuple[float, ...], int]]] = {}
    """Of number fields: values, or the values of a document that has several, and their counts."""
    is_exact: bool = True
    matches: int | None = None
    """How many documents match, where all of them were counted."""


def check_facets(names: Sequence[str], fields: Fields) -> None:
    for name in names:
        field = field_named(name, fields)
        if field is None or not _is_countable(fields.type_of(field)):
            known = [field.name for field in fields.all if _is_countable(field.type)]
            raise UsageError(
                f"'{name}' cannot be a facet. Fields for facets: {', '.join(known) or 'none'}."
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
    """Return those of one shard."""
    if not names:
        return Facets({})
    found, is_all = candidates.numbers, candidates.is_all
    if not is_all and monotonic() < deadline:
        found = np.sort(reader.finder.find(plan.find_any, COUNTED).numbers)
        is_all = len(found) < COUNTED
    share = 1.0 if is_all or not len(found) else max(1.0, candidates.total / len(found))
    counts: dict[str, Counts] = {}
    numbers: dict[str, list[tuple[tuple[float, ...], int]]] = {}
    for name in names:
        field = field_named(name, reader.fields)
        assert field is not None, name
        type_ = reader.fields.type_of(field)
        if type_ is FieldType.KEYWORD:
            own = reader.keyword_counts(field, found)
            counts[name] = {value: round(count * share) for value, count in own.items()}
            continue
        values = reader.values(field, found)
        documents, more = reader.more_values(field, found)
        values = np.concatenate((values, more)) + 0.0  # no -0.0
        documents = np.concatenate((np.arange(len(found)), documents))
        documents, values = documents[np.isfinite(values)], values[np.isfinite(values)]
        if type_ is FieldType.DATE:
            values = (values * 1000).astype("datetime64[ms]").astype("datetime64[Y]")
            values = values.astype(np.float64) + 1970
        counted = [(own, round(count * share)) for own, count in _counted(documents, values)]
        if type_ is FieldType.DATE:
            counts[name] = {}
            for years, count in counted:
                for year in years:
                    label = str(int(year))
                    counts[name][label] = counts[name].get(label, 0) + count
        else:
            numbers[name] = counted
    return Facets(counts, numbers, is_all, len(found) if is_all else None)


def _counted(documents: Ints, values: Floats) -> list[tuple[tuple[float, ...], int]]:
    """How many documents have each value, or each set of values."""
    # A document with the same value twice has it once.
    documents, values = np.unique(np.stack((documents, values)), axis=1)
    alone = np.bincount(documents.astype(np.int64), minlength=1)[documents.astype(np.int64)] == 1
    different, counts = np.unique(values[alone], return_counts=True)
    found = [
        ((value,), count) for value, count in zip(different.tolist(), counts.tolist(), strict=True)
    ]
    sets: dict[float, list[float]] = {}
    for document, value in zip(documents[~alone].tolist(), values[~alone].tolist(), strict=True):
        sets.setdefault(document, []).append(value)
    return [*found, *((tuple(own), 1) for own in sets.values())]


def joined(names: Sequence[str], found: Sequence[Facets]) -> tuple[Facets, tuple[str, ...]]:
    """Return those of all shards, the commonest values first, and notes on them."""
    notes = []
    counts: dict[str, Counts] = {}
    for name in names:
        if any(name in one.numbers for one in found):
            counts[name] = ranges_of(pair for one in found for pair in one.numbers.get(name, ()))
            continue
        best = _by_key([one.counts.get(name, {}) for one in found])
        if len(best) > MOST_VALUES:
            notes.append(f"Only the {MOST_VALUES} most common values of '{name}' are shown.")
        counts[name] = dict(best[:MOST_VALUES])
    return Facets(counts, is_exact=all(one.is_exact for one in found)), tuple(notes)


def _by_key(found: Iterable[Counts]) -> list[tuple[str, int]]:
    """The values that are the same but for capitals and spaces as one, written as most are."""
    written: dict[str, Counts] = {}
    for counts in found:
        for value, count in counts.items():
            forms = written.setdefault(keyword_key(value), {})
            forms[value] = forms.get(value, 0) + count
    total = [
        (min(forms, key=lambda form: (-forms[form], form)), sum(forms.values()))
        for forms in written.values()
    ]
    return sorted(total, key=lambda pair: (-pair[1], pair[0]))
