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

    @property
    def narrow(self) -> bool:
        """Return True if a document can fail them without an exclusion or a missing word."""
        return bool(self.required or self.conditions)


NO_CLAUSES = Clauses()


def clauses_of(group: Group) -> Clauses:
    """Return the clauses of a group.

    What a nested group requires, or sets as a condition, holds for the whole query, and so does
    what it excludes beside that. A nested group with neither is one optional clause. Groups under
    OR or behind '-' are left to themselves.
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
        elif isinstance(node, Group) and (inner := clauses_of(node)).narrow:
            required += inner.required
            conditions += inner.conditions
            optional += inner.optional
            excluded += inner.excluded
        else:
            optional.append(node)
    return Clauses(tuple(required), tuple(conditions), tuple(optional), tuple(excluded))
