"""A query as a tree, and the tree as text.

The leaves hold what was typed: no case is folded, nothing is stemmed. A leaf's `field` is '' where
the person named none. A `Group` matches what has all of `must`, none of `must_not` and, if it
demands nothing, at least one of `should`; what has all of `should` comes first. `Any` is one clause
that any of its choices fulfils.
"""

import re
from typing import NamedTuple, TypeAlias


class Word(NamedTuple):
    text: str
    field: str = ""
    boost: float = 1.0


class Prefix(NamedTuple):
    """Every word that begins with `text`."""

    text: str
    field: str = ""
    boost: float = 1.0


class Phrase(NamedTuple):
    """The words of `text` next to each other; `slop` words may stand between them."""

    text: str
    field: str = ""
    slop: int = 0
    boost: float = 1.0


class Range(NamedTuple):
    """From `low` to `high` as they were typed, `None` where it is open. See `dates.date_span`."""

    field: str
    low: str | None
    high: str | None
    include_low: bool = True
    include_high: bool = True


class Any(NamedTuple):
    choices: tuple["Node", ...]


class Group(NamedTuple):
    must: tuple["Node", ...] = ()
    should: tuple["Node", ...] = ()
    must_not: tuple["Node", ...] = ()


Leaf: TypeAlias = Word | Prefix | Phrase | Range
Node: TypeAlias = Leaf | Any | Group

BOOST = re.compile(r"\^([0-9]{1,4}(?:\.[0-9]{1,4})?)")
"""What makes a word or a phrase count more or less."""

_BOOST_AT_END = re.compile(BOOST.pattern + r"\Z")


def leaves(node: Node) -> list[Leaf]:
    """Every leaf of a tree that is looked for; what is excluded is left out."""
    if isinstance(node, Group):
        return [leaf for part in (*node.must, *node.should) for leaf in leaves(part)]
    if isinstance(node, Any):
        return [leaf for part in node.choices for leaf in leaves(part)]
    return [node]


def to_text(node: Node) -> str:
    """The query that is parsed as this tree."""
    if isinstance(node, Group):
        parts = [_signed("+", part) for part in node.must]
        parts += [_bracketed(part) for part in node.should]
        parts += [_signed("-", part) for part in node.must_not]
        return " ".join(parts)
    if isinstance(node, Any):
        return " OR ".join(_bracketed(part) for part in node.choices)
    return _leaf_text(node)


def _bracketed(node: Node) -> str:
    return f"({to_text(node)})" if isinstance(node, Group) else to_text(node)


def _signed(sign: str, node: Node) -> str:
    text = to_text(node)
    # Two signs in a row are a word of their own ('--verbose'), and so is a sign alone.
    plain = not isinstance(node, Group | Any) and text[0] not in "+-^"
    return sign + text if plain else f"{sign}({text})"


def _leaf_text(leaf: Leaf) -> str:
    field = f"{leaf.field}:" if leaf.field else ""
    if isinstance(leaf, Range):
        return field + _range_text(leaf)
    if isinstance(leaf, Phrase):
        slop = f"~{leaf.slop}" if leaf.slop else ""
        return f'{field}"{leaf.text}"{slop}{_boost_text(leaf.boost)}'
    if isinstance(leaf, Prefix):
        return f"{field}{leaf.text}*{_boost_text(leaf.boost)}"
    always = _BOOST_AT_END.search(leaf.text) is not None
    return field + leaf.text + _boost_text(leaf.boost, always=always)


def _boost_text(boost: float, *, always: bool = False) -> str:
    if boost == 1.0 and not always:
        return ""
    return "^" + f"{boost:.4f}".rstrip("0").rstrip(".")


def _range_text(node: Range) -> str:
    if node.low is not None and node.high is not None:
        return f"{node.low}..{node.high}"
    if node.low is not None:
        return (">=" if node.include_low else ">") + node.low
    return ("<=" if node.include_high else "<") + (node.high or "")
