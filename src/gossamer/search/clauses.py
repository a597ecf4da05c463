"""Which clauses of a query are required, which narrow it, which are optional or excluded?

In: the tree of a query, or of one of its groups. Out: its clauses.

A document matches if it fulfils everything that is required, every condition, no exclusion, and,
if nothing is required, at least one optional clause. So a condition only ever narrows, and words
beside a `+word` are optional, however many they are.
"""

from typing import NamedTuple

from gossamer.query.nodes import Group, Node, Phrase
from gossamer.query.parser import is_filter


class Clauses(NamedTuple):
    required: tuple[Node, ...] = ()  # '+word', both sides of AND, phrases
    conditions: tuple[Node, ...] = ()  # on fields
    optional: tuple[Node, ...] = ()
    excluded: tuple[Node, ...] = ()


NO_CLAUSES = Clauses()


def clauses_of(group: Group) -> Clauses:
    """Return the clauses of a group.

    What a nested group requires holds for the whole query, and so does what it excludes beside
    that. Its conditions hold for the whole query as well; the rest of a group that requires nothing
    is one optional clause. Groups under OR or behind '-' are left to themselves.
    """
    required: list[Node] = []
    conditions: list[Node] = []
    optional: list[Node] = []
    excluded: list[Node] = list(group.must_not)
    for node in group.must:
        (conditions if is_filter(node) else required).append(node)
    for node in group.should:
        if isinstance(node, Phrase):
            required.append(node)
        elif not isinstance(node, Group):
            optional.append(node)
        elif (inner := clauses_of(node)).required:
            required += inner.required
            conditions += inner.conditions
            optional += inner.optional
            excluded += inner.excluded
        elif not inner.conditions:
            optional.append(node)
        else:
            conditions += inner.conditions
            if not inner.excluded:
                optional += inner.optional
            elif inner.optional:
                optional.append(Group(should=inner.optional, must_not=inner.excluded))
            else:
                conditions.append(Group(must_not=inner.excluded))
    return Clauses(tuple(required), tuple(conditions), tuple(optional), tuple(excluded))
