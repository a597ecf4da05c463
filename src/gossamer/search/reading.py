"""What was typed, read once: for whoever asks the shards, and for every shard in this process."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gossamer.index.fields import Fields, FieldType
from gossamer.query.nodes import Any as Choice
from gossamer.query.nodes import Group, Leaf, Node, Prefix
from gossamer.query.parser import parse, parse_plain
from gossamer.search.contract import SearchRequest


class Read(NamedTuple):
    root: Group
    filters: tuple[Node, ...]
    notes: tuple[str, ...]


def read(request: SearchRequest, fields: Fields) -> Read:
    return _read(request.query, request.plain, tuple(request.filters.items()), fields)


@lru_cache(maxsize=256)
def _read(query: str, is_plain: bool, filters: tuple[tuple[str, str], ...], fields: Fields) -> Read:
    names = [field.name for field in fields.all]
    parsed = parse_plain(query) if is_plain else parse(query, names)
    demanded = tuple(
        node for name, value in filters for node in parse(f"{name}:{value}", names).root.must
    )
    return Read(parsed.root, demanded, parsed.notes)


def prefixes(query: Read, fields: Fields) -> list[Prefix]:
    """The beginnings of words that were typed."""
    return [
        leaf
        for node in (query.root, *query.filters)
        for leaf in _leaves(node)
        if isinstance(leaf, Prefix)
        and (not leaf.field or fields.type_of(leaf.field) is FieldType.TEXT)
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
