"""Generated queries: trees, and how each is written in the query language."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracle.documents import (
    ACCENTED,
    COMMON,
    COMPOUNDS,
    DAYS,
    JOINED,
    KINDS,
    NUMBERS,
    PLURALS,
    RARE,
    STOP_WORDS,
    TAGS,
    WORDS,
)

# Leaves


@dataclass(frozen=True)
class Word:
    text: str  # a compound has '-' between its parts
    boost: str = ""

    def __str__(self) -> str:
        return self.text + self.boost


@dataclass(frozen=True)
class Prefix:
    text: str

    def __str__(self) -> str:
        return f"{self.text}*"


@dataclass(frozen=True)
class Phrase:
    text: str
    slop: int = 0

    def __str__(self) -> str:
        return f'"{self.text}"' + (f"~{self.slop}" if self.slop else "")


@dataclass(frozen=True)
class Condition:
    """`field:value`. The value of a text field is a word or a phrase, of another field a text."""

    field: str
    value: Word | Phrase | str

    def __str__(self) -> str:
        value = self.value
        if isinstance(value, str) and not value.replace(".", "").replace("-", "").isalnum():
            value = f'"{value}"'
        return f"{self.field}:{value}"


@dataclass(frozen=True)
class Range:
    """Of numbers or dates. Both ends count unless `sign` says otherwise."""

    field: str
    low: str = ""
    high: str = ""
    sign: str = ""  # '>', '>=', '<', '<=': with one end

    def __str__(self) -> str:
        if self.sign:
            return f"{self.field}:{self.sign}{self.low or self.high}"
        if self.low == self.high:
            return f"{self.field}:{self.low}"
        return f"{self.field}:{self.low}..{self.high}"


@dataclass(frozen=True)
class Values:
    """Several values of one field, of which any will do: `kind:lamps|tools`."""

    choices: tuple[Condition | Range, ...]

    @property
    def field(self) -> str:
        return self.choices[0].field

    def __str__(self) -> str:
        values = (str(one).removeprefix(f"{one.field}:") for one in self.choices)
        return f"{self.field}:{'|'.join(values)}"


Leaf = Word | Prefix | Phrase | Condition | Range | Values

# Branches


@dataclass(frozen=True)
class Or:
    choices: "tuple[Node, ...]"
    sign: str = " OR "

    def __str__(self) -> str:
        # Without spaces, what follows a condition would be another value of its field.
        fields = any(isinstance(one, Condition | Range | Values) for one in self.choices)
        sign = " | " if fields and self.sign == "|" else self.sign
        return sign.join(map(str, self.choices))


@dataclass(frozen=True)
class And:
    sides: "tuple[Node, ...]"

    def __str__(self) -> str:
        return " AND ".join(map(str, self.sides))


@dataclass(frozen=True)
class Group:
    """Nodes one after the other, each with '+', '-', 'NOT ' or nothing before it. `* ` may stand
    before them, which says nothing; between two of them, of which one has a sign, an operator."""

    items: "tuple[tuple[str, Node], ...]"
    is_nested: bool = True
    operator: str = " "  # ' OR ' is ignored; ' AND ' requires what is not excluded
    start: str = ""

    def __str__(self) -> str:
        inside = self.start + self.operator.join(f"{sign}{node}" for sign, node in self.items)
        return f"({inside})" if self.is_nested else inside

    @property
    def signed(self) -> "list[tuple[str, Node]]":
        """The nodes, each with what its sign and the operator make of it: '+', '-' or nothing."""
        usual = "+" if self.operator == " AND " else ""
        return [("-" if sign == "NOT " else sign or usual, node) for sign, node in self.items]


Node = Leaf | Or | And | Group


@dataclass(frozen=True)
class Filter:
    """What `--filter` takes: any of the values, or a range."""

    field: str
    values: tuple[str, ...] = ()
    range: Range | None = None

    @property
    def value(self) -> str:
        if self.range is not None:
            return str(self.range).partition(":")[2]
        return "|".join(f'"{one}"' if "|" in one else one for one in self.values)


@dataclass(frozen=True)
class Query:
    root: Group
    filters: tuple[Filter, ...] = ()
    all_words: bool = False

    @property
    def text(self) -> str:
        return str(self.root)

    def __str__(self) -> str:
        filters = "".join(f" --filter '{one.field}={one.value}'" for one in self.filters)
        return repr(self.text) + filters + (" --all-words" if self.all_words else "")


def words_of(node: Node) -> list[Word]:
    """The words and prefixes that a tree looks for; what it excludes and conditions are none."""
    if isinstance(node, Word):
        return [node]
    if isinstance(node, Prefix):
        return [Word(node.text)]
    if isinstance(node, Or):
        return [word for choice in node.choices for word in words_of(choice)]
    if isinstance(node, And):
        return [word for side in node.sides for word in words_of(side)]
    if isinstance(node, Group):
        return [word for sign, part in node.signed if sign != "-" for word in words_of(part)]
    return []


def conditions_of(node: Node) -> list[Condition | Values]:
    if isinstance(node, Condition | Values):
        return [node]
    inside: Sequence[Node] = ()
    if isinstance(node, Or):
        inside = node.choices
    elif isinstance(node, And):
        inside = node.sides
    elif isinstance(node, Group):
        inside = [part for _, part in node.items]
    return [condition for part in inside for condition in conditions_of(part)]


def _in_brackets(node: Node) -> Node:
    return Group((("", node),)) if isinstance(node, (And, Or)) else node


class Generator:
    """Draws queries; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def queries(self, count: int) -> list[Query]:
        return [self.query() for _ in range(count)]

    def query(self) -> Query:
        rng = self._rng
        filters = tuple(self.filter() for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 3))))
        draw = rng.random()
        if draw < 0.03:
            return Query(Group((), is_nested=False), filters)
        if draw < 0.06:
            words = rng.sample(STOP_WORDS, rng.randint(1, 2))
            items: list[tuple[str, Node]] = [("", Word(word)) for word in words]
            if rng.random() < 0.3:
                items.append(("", self._condition()))
            return Query(Group(tuple(items), is_nested=False), filters)
        root = self._root()
        return Query(root, filters, all_words=rng.random() < 0.1 and is_simple(root))

    def filter(self) -> Filter:
        rng = self._rng
        draw = rng.random()
        if draw < 0.3:
            node = self._range()
            return Filter(node.field, range=node)
        name, values = rng.choice(
            (("kind", KINDS), ("tags", TAGS), ("tags", TAGS), ("lang", ("en", "de", "fr")))
        )
        count = 1 if draw < 0.75 else rng.randint(2, 3)
        return Filter(name, tuple(rng.sample(values, count)))

    def _root(self) -> Group:
        """The language of a document is asked for once: several in one group mean either, and
        what they mean in different groups is not written down."""
        while True:
            root = self._group(depth=0)
            if len([one for one in conditions_of(root) if one.field.startswith("lang")]) < 2:
                return root

    def _of_two(self, depth: int) -> Group:
        """Two nodes with an operator between them, one of them with a sign."""
        rng = self._rng
        signs = rng.choice((("", "NOT "), ("", "-"), ("+", ""), ("NOT ", ""), ("", "+")))
        operator = rng.choice((" OR ", " | ", " AND ") if "NOT " not in signs else (" AND ", " "))
        items = tuple((sign, _in_brackets(self._node(depth + 1))) for sign in signs)
        return Group(items, is_nested=depth > 0, operator=operator)

    def _group(self, depth: int) -> Group:
        rng = self._rng
        if rng.random() < 0.06:
            return self._of_two(depth)
        items: list[tuple[str, Node]] = []
        for _ in range(rng.choice((1, 1, 2, 2, 2, 3, 3, 4) if depth == 0 else (2, 2, 3))):
            draw = rng.random()
            items.append(("" if draw < 0.7 else "+" if draw < 0.84 else "-", self._node(depth)))
        only_excludes = all(sign == "-" for sign, _ in items)
        start = "* " if only_excludes and rng.random() < 0.2 else ""
        if rng.random() < 0.1:
            items = [("NOT " if sign == "-" else sign, node) for sign, node in items]
        if rng.random() < 0.06 and depth == 0:
            items.append(("", Word(rng.choice(STOP_WORDS))))
        if len(items) > 1 or items[0][0]:  # AND and OR bind their neighbours
            items = [(sign, _in_brackets(node)) for sign, node in items]
        return Group(tuple(items), is_nested=depth > 0, start=start)

    def _node(self, depth: int) -> Node:
        rng = self._rng
        draw = rng.random()
        if draw < 0.08:
            choices = self._some(depth)
            return Or(choices, rng.choice((" OR ", "|", " | ")))
        if draw < 0.12:
            return And(self._some(depth))
        if draw < 0.24 and depth < 3:
            return self._group(depth + 1)
        return self._leaf()

    def _some(self, depth: int) -> tuple[Node, ...]:
        rng = self._rng
        some: list[Node] = [
            self._group(depth + 1) if depth < 2 and rng.random() < 0.15 else self._leaf()
            for _ in range(rng.choice((1, 1, 2)))
        ]
        some.insert(rng.randrange(2), self._word())  # it is no choice of conditions alone
        return tuple(some)

    def _leaf(self) -> Leaf:
        draw = self._rng.random()
        if draw < 0.68:
            return self._word()
        if draw < 0.8:
            return self._phrase()
        if draw < 0.84:
            return Prefix(self._rng.choice(WORDS)[: self._rng.randint(2, 4)])
        if draw < 0.9:
            return self._condition()
        if draw < 0.93:
            return self._values()
        return self._range()

    def _word(self) -> Word:
        rng = self._rng
        draw = rng.random()
        if draw < 0.35:
            text = rng.choice(COMMON)
        elif draw < 0.8:
            text = rng.choice(RARE)
        elif draw < 0.92:
            text = rng.choice((*COMPOUNDS, *JOINED))
        else:
            text = rng.choice((*PLURALS, *PLURALS.values(), *ACCENTED, *ACCENTED.values()))
        if rng.random() < 0.05:
            text = text.capitalize()
        return Word(text, rng.choice(("^2", "^0.5")) if rng.random() < 0.05 else "")

    def _phrase(self) -> Phrase:
        rng = self._rng
        common = (*COMMON, *COMMON, *RARE)
        words = [rng.choice(common) for _ in range(rng.choice((2, 2, 2, 3)))]
        draw = rng.random()
        if draw < 0.15:
            return Phrase(rng.choice(COMPOUNDS).replace("-", " "))
        if draw < 0.25:
            return Phrase(f"{words[0]} {rng.choice(STOP_WORDS)}", rng.choice((0, 2)))
        return Phrase(" ".join(words), rng.choice((0, 0, 1, 2, 3, 8)))

    def _condition(self) -> Condition:
        rng = self._rng
        name = rng.choice(("title", "title", "text", "kind", "tags", "lang", "language"))
        if name in ("title", "text"):
            return Condition(name, self._phrase() if rng.random() < 0.2 else Word(self._plain()))
        values: Sequence[str] = ("en", "de", "fr")
        if name in ("kind", "tags"):
            values = KINDS if name == "kind" else TAGS
        value = rng.choice(values)
        return Condition(name, value.lower() if rng.random() < 0.2 else value)

    def _values(self) -> Values:
        """Two or three conditions on one field."""
        while True:
            make = self._condition if self._rng.random() < 0.7 else self._range
            found = [make() for _ in range(12)]
            own = tuple(one for one in found if one.field == found[0].field)[:3]
            if len(own) > 1:
                return Values(own)

    def _plain(self) -> str:
        return self._rng.choice((*COMMON, *RARE))

    def _range(self) -> Range:
        rng = self._rng
        name = rng.choice(("price", "price", "votes", "sizes", "date", "date", "year"))
        if name == "year":
            return Range(name, "2024", "2024")
        if name == "date":
            texts = sorted(rng.choice(DAYS)[: rng.choice((4, 7, 10))] for _ in range(2))
        elif name == "sizes":
            texts = [f"{number}" for number in sorted(rng.sample(range(9), 2))]
        else:
            texts = [f"{number:g}" for number in sorted(rng.choices(NUMBERS, k=2))]
            texts = ["1000000" if text == "1e+06" else text for text in texts]
        low, high = texts
        draw = rng.random()
        if draw < 0.4:
            return Range(name, low, high)
        if draw < 0.55:
            return Range(name, low, low)
        if draw < 0.7:
            return Range(name, low) if draw < 0.62 else Range(name, "", high)
        sign = rng.choice((">", ">=", "<", "<="))
        return Range(name, low, "", sign) if ">" in sign else Range(name, "", high, sign)


def is_simple(group: Group) -> bool:
    """Without groups: what 'all words' means inside them is not written down."""
    return not any(isinstance(node, (Or, And, Group)) for _, node in group.items)
