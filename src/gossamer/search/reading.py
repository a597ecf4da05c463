"""What was typed, read once: for whoever asks the shards, and for every shard in this process."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gossamer.errors import UsageError
from gossamer.index.fields import Fields, FieldType
from gossamer.query.dates import HOW_TO_WRITE, date_span
from gossamer.query.nodes import Any as Choice
from gossamer.query.nodes import Group, Leaf, Node, Phrase, Prefix, Range, Word, leaves
from gossamer.query.parser import parse, parse_filter, parse_plain
from gossamer.search.contract import Filter, SearchRequest
from gossamer.search.filters import read_filter

_OTHER_NAMES = {"year": "date", "type": "filetype", "language": "lang"}
"""What people call fields, where an index has no field of that name."""
_ONLY_SHOWN = (FieldType.LINK, FieldType.IMAGE)


class Read(NamedTuple):
    root: Group
    filters: tuple[Node, ...]
    notes: tuple[str, ...]


def read(request: SearchRequest, fields: Fields) -> Read:
    return _read(request.query, request.plain, request.filters, fields)


@lru_cache(maxsize=256)
def _read(query: str, is_plain: bool, filters: tuple[Filter, ...], fields: Fields) -> Read:
    names = [field.name for field in fields.all if field.type not in _ONLY_SHOWN]
    names += [name for name in _OTHER_NAMES if field_named(name, fields) not in (None, name)]

    def fault_of(leaf: Leaf) -> str:
        return _fault(leaf, fields)

    parsed = parse_plain(query) if is_plain else parse(query, names, fault_of)
    root = _with_own_names(parsed.root, fields)
    assert isinstance(root, Group)
    return Read(root, tuple(condition_of(one, fields) for one in filters), parsed.notes)


def _fault(leaf: Leaf, fields: Fields) -> str:
    """Why a field cannot have such a value, or values between such bounds; '' where it can."""
    name = field_named(leaf.field, fields) or ""
    type_of = fields.type_of(name)
    if type_of not in (FieldType.NUMBER, FieldType.DATE):
        return f"'{leaf.field}' has no ranges" if isinstance(leaf, Range) else ""
    for bound in (leaf.low, leaf.high) if isinstance(leaf, Range) else (leaf.text,):
        if bound is None:
            continue
        if type_of is FieldType.DATE and date_span(bound) is None:
            return f"'{bound}' is not a date ({HOW_TO_WRITE})"
        if type_of is FieldType.NUMBER and fields.number(name, bound) is None:
            return f"'{bound}' is not a number"
    return ""


def condition_of(given: Filter, fields: Fields) -> Node:
    """Unlike a query, a filter is no guess: what it cannot mean is refused."""
    own = field_named(given.field, fields)
    if own is None or fields.type_of(own) in _ONLY_SHOWN:
        known = ", ".join(field.name for field in fields.all if field.type not in _ONLY_SHOWN)
        raise UsageError(f"There is no field '{given.field}' to filter by, only: {known}.")
    type_of = fields.type_of(own)
    read = _keyword if type_of is FieldType.KEYWORD else parse_filter
    choices: list[Leaf] = [read(own, value) for value in given.values]
    exact = Phrase if type_of is FieldType.TEXT else Word
    choices += [exact(value, own) for value in given.quoted]
    for value, leaf in zip((*given.values, *given.quoted), choices, strict=True):
        if fault := _fault(leaf, fields):
            raise UsageError(
                f"'{value}' is not a valid value or range for '{given.field}': {fault}."
            )
    return choices[0] if len(choices) == 1 else Choice(tuple(choices))


def _keyword(field: str, value: str) -> Leaf:
    return Prefix(value[:-1], field) if value[1:].endswith("*") else Word(value, field)


def check_filter(name: str, value: str, fields: Fields) -> None:
    """Raise `UsageError` unless an index with these fields can be filtered so."""
    condition_of(read_filter(name, value), fields)


def field_named(name: str, fields: Fields) -> str | None:
    """The field of an index that a person means by a name."""
    for own in (name, _OTHER_NAMES.get(name, "")):
        if (known := fields.named(own)) is not None:
            return known
    return None


def _with_own_names(node: Node, fields: Fields) -> Node:
    if isinstance(node, Group):
        return Group(*(tuple(_with_own_names(one, fields) for one in part) for part in node))
    if isinstance(node, Choice):
        return Choice(tuple(_with_own_names(one, fields) for one in node.choices))
    own = field_named(node.field, fields) if node.field in _OTHER_NAMES else None
    return node._replace(field=own) if own else node


def typed_words(root: Group, fields: Fields) -> list[str]:
    """The words that were typed to be found in texts, without those in quotes."""
    return [leaf.text for leaf in leaves(root) if isinstance(leaf, Word) and _is_text(leaf, fields)]


def all_words(query: Read, fields: Fields) -> list[str]:
    """All words that were typed to be found in texts, or not to be."""
    found: list[str] = []
    for node in (query.root, *query.filters):
        for leaf in _leaves(node):
            if isinstance(leaf, Word | Phrase) and _is_text(leaf, fields):
                found += [leaf.text] if isinstance(leaf, Word) else leaf.text.split()
    return found


def _is_text(leaf: Leaf, fields: Fields) -> bool:
    return not leaf.field or fields.type_of(leaf.field) is FieldType.TEXT


def prefixes(query: Read, fields: Fields) -> list[Prefix]:
    """The beginnings of words that were typed."""
    return [
        leaf
        for node in (query.root, *query.filters)
        for leaf in _leaves(node)
        if isinstance(leaf, Prefix) and _is_text(leaf, fields)
    ]


def _leaves(node: Node) -> Iterator[Leaf]:
    """All of them, also what must not be there."""
    if isinstance(node, Group):
        for part in (*node.must, *node.should, *node.must_not):
            yield from _leaves(part)
    elif isinstance(node, Choice):
        for part in node.choices:
            yield from _leaves(part)
    else:
        yield node
