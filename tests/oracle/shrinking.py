"""The smallest query that still fails says most about a fault."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.oracle.queries import And, Condition, Group, Node, Or, Phrase, Query, Values, Word

_FEWEST = 2  # choices of an OR, sides of an AND


def smallest(query: Query, fails: Callable[[Query], bool]) -> Query:
    """A query without anything that the failure does not need."""
    for smaller in _smaller(query):
        if len(str(smaller)) < len(str(query)) and fails(smaller):
            return smallest(smaller, fails)
    return query


def _smaller(query: Query) -> Iterator[Query]:
    for place in range(len(query.filters)):
        yield replace(query, filters=query.filters[:place] + query.filters[place + 1 :])
    if query.all_words:
        yield replace(query, all_words=False)
    for root in _of_group(query.root):
        if root.items:
            yield replace(query, root=replace(root, is_nested=False))


def _of_group(group: Group) -> Iterator[Group]:
    items = group.items
    if group.start:
        yield replace(group, start="")
    if len(items) == 1 and isinstance(items[0][1], Group) and not items[0][0]:
        yield replace(items[0][1], is_nested=group.is_nested)
    for place in range(len(items)):
        left = items[:place] + items[place + 1 :]
        if left:
            yield replace(group, items=left, operator=" ")
    for place, (sign, node) in enumerate(items):
        if sign == "+":
            yield replace(group, items=(*items[:place], ("", node), *items[place + 1 :]))
        for smaller in _of_node(node):
            if isinstance(smaller, (And, Or)) and (sign or len(items) > 1):
                smaller = Group((("", smaller),))
            yield replace(group, items=(*items[:place], (sign, smaller), *items[place + 1 :]))


def _of_node(node: Node) -> Iterator[Node]:
    if isinstance(node, Group):
        if len(node.items) == 1 and not node.items[0][0]:
            yield node.items[0][1]
        yield from _of_group(node)
    elif isinstance(node, (Or, And)):
        nodes = node.choices if isinstance(node, Or) else node.sides
        make: Callable[[tuple[Node, ...]], Node] = Or if isinstance(node, Or) else And
        for place, inner in enumerate(nodes):
            if len(nodes) > _FEWEST:
                yield make(nodes[:place] + nodes[place + 1 :])
            if not isinstance(node, Or) or not isinstance(inner, Condition):
                yield inner
            for smaller in _of_node(inner):
                if not isinstance(smaller, (And, Or)):
                    yield make((*nodes[:place], smaller, *nodes[place + 1 :]))
    elif isinstance(node, Values):
        yield from node.choices
    elif isinstance(node, Word) and node.boost:
        yield Word(node.text)
    elif isinstance(node, Phrase) and node.slop:
        yield Phrase(node.text)
