"""How are filters written: 'kind=lamps|tools', 'price=10..50', 'name="a|b"'?

In: text, or values of Python. Out: `Filter`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from gossamer.errors import UsageError
from gossamer.search.contract import Filter

_VALUE = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*(?=\||\Z)|([^|]*))(\||\Z)')
_MOST = 100
_LIKE_GROUPS = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}")

FilterValue = str | float | Sequence[str | float]
Filters = Mapping[str, FilterValue] | Iterable[tuple[str, FilterValue] | Filter]
"""By field; or pairs, where one field has several filters, of which all have to hold."""


def read_filter(field: str, text: str) -> Filter:
    """Return the filter that was typed: values with '|' between them, of which one has to hold.

    A value that holds a '|' stands in quotes; so does one that looks like a range and is none.
    """
    values: list[str] = []
    quoted: list[str] = []
    place = 0
    while place <= len(text):
        found = _VALUE.match(text, place)
        assert found is not None
        if found[1] is not None:
            quoted.append(found[1].replace('""', '"'))
        elif found[2].strip():
            values.append(found[2].strip())
        place = found.end() if found[3] else len(text) + 1
    return _checked(Filter(field.strip(), tuple(values), tuple(quoted)))


def written_value(value: str) -> str:
    """Return a value as `read_filter` reads it, whatever signs it holds."""
    return value if _is_plain(value) and value[-1:] != "*" else _quoted(value)


def _is_plain(value: str) -> bool:
    """Return True if a value is read as it stands, without quotes."""
    return "|" not in value and value[:1] != '"' and value == value.strip()


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def filters_of(given: Filters) -> tuple[Filter, ...]:
    """Return filters as Python programs write them. A text is read as if it was typed; the members
    of a list are values, of which one has to hold."""
    pairs = given.items() if isinstance(given, Mapping) else given
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise _no_filters(pairs)
    return tuple(
        _checked(pair) if isinstance(pair, Filter) else _filter(*_pair(pair)) for pair in pairs
    )


def written_filter(given: Filter) -> str:
    """Return the values of a filter as `read_filter` reads them."""
    plain = [one if _is_plain(one) else _quoted(one) for one in given.values]
    return "|".join([*plain, *map(_quoted, given.quoted)])


def unambiguous(number: str) -> str:
    """Return a number so that every number format reads it alike: '1.342' as '1.3420', as the point
    may separate thousands."""
    return number + "0" if _LIKE_GROUPS.fullmatch(number) else number


def _pair(given: object) -> tuple[str, FilterValue]:
    if isinstance(given, tuple | list) and len(given) == 2 and isinstance(given[0], str):
        return given[0], given[1]
    raise UsageError(
        f"The search option 'filters' has pairs of a field and a value, not {given!r:.100}."
    )


def _no_filters(given: object) -> UsageError:
    return UsageError(
        "The search option 'filters' is a mapping of fields to values, or a list of pairs "
        f"(field, value), not {type(given).__name__}."
    )


def _filter(field: str, value: FilterValue) -> Filter:
    if isinstance(value, str):
        return read_filter(field, value)
    if isinstance(value, int | float):
        return _checked(Filter(field, (_written(field, value),)))
    if isinstance(value, Iterable) and not isinstance(value, Mapping | bytes):
        return _checked(Filter(field, tuple(_written(field, one) for one in value)))
    raise _cannot_be_compared(field, value)


def _written(field: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return unambiguous(repr(value))
    raise _cannot_be_compared(field, value)


def _cannot_be_compared(field: str, value: object) -> UsageError:
    kind = type(value).__name__
    return UsageError(f"The filter '{field}' takes a text, a number or a list of them, not {kind}.")


def _checked(made: Filter) -> Filter:
    count = len(made.values) + len(made.quoted)
    if not made.field or not any(value.strip() for value in (*made.values, *made.quoted)):
        raise UsageError(f"The filter '{made.field}' has no value.")
    if count > _MOST:
        raise UsageError(f"The filter '{made.field}' has {count} values: {_MOST} are allowed.")
    return made
