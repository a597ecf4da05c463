"""Which documents match? Every document is looked at, one by one, by the rules of the guide.

A group matches if all that it requires holds, nothing that it excludes holds, and, if it requires
no word, at least one of its plain words holds (all of them with `all_words`). Field conditions are
required, and never make the words beside them optional. Where nothing is looked for, everything
matches that is not excluded; a group inside another that only excludes, excludes from that one.
"""

from calendar import monthrange
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial

from tests.oracle.documents import STOP_WORDS, Document, Text, folded
from tests.oracle.queries import (
    And,
    Condition,
    Filter,
    Group,
    Node,
    Or,
    Phrase,
    Prefix,
    Query,
    Range,
    Values,
    Word,
    words_of,
)

ALIASES = {"language": "lang", "year": "date"}


def matching(query: Query, documents: Iterable[Document]) -> set[str]:
    """The ids of the documents that match."""
    rules = _Rules(
        stop_words=frozenset(_ignored(query.root)),
        all_words=query.all_words,
    )
    return {
        document.id
        for document in documents
        if all(passes(one, document) for one in query.filters)
        and rules.group_holds(query.root, document)
    }


def _ignored(root: Group) -> Iterable[str]:
    """The stop words, if the query has any other word."""
    if any(folded(word.text) not in STOP_WORDS for word in words_of(root)) or _has_phrase(root):
        return STOP_WORDS
    return ()


def _has_phrase(node: Node) -> bool:
    if isinstance(node, Group):
        return any(_has_phrase(part) for sign, part in node.signed if sign != "-")
    if isinstance(node, Or):
        return any(map(_has_phrase, node.choices))
    if isinstance(node, And):
        return any(map(_has_phrase, node.sides))
    return isinstance(node, Phrase)


# Groups


@dataclass
class _Parts:
    required: list[Node] = field(default_factory=list)
    conditions: list[Callable[[Document], bool]] = field(default_factory=list)
    plain: list[Node] = field(default_factory=list)
    excluded: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class _Rules:
    stop_words: frozenset[str]
    all_words: bool

    def group_holds(self, group: Group, document: Document) -> bool:
        parts = self._parts(group)
        if not all(condition(document) for condition in parts.conditions):
            return False
        if any(self.holds(node, document) for node in parts.excluded):
            return False
        if not all(self.holds(node, document) for node in parts.required):
            return False
        if not parts.plain or (parts.required and not self.all_words):
            return True
        found = [self.holds(node, document) for node in parts.plain]
        return all(found) if self.all_words else any(found)

    def _parts(self, group: Group) -> _Parts:
        """What a group requires and excludes, with that of the groups inside that have no sign."""
        parts = _Parts()
        languages = []
        for sign, node in group.signed:
            inner = node
            while isinstance(inner, Group) and len(inner.items) == 1 and not inner.items[0][0]:
                inner = inner.items[0][1]
            if sign == "-":
                parts.excluded.append(inner)
            elif isinstance(inner, (Condition, Values)) and _name(inner.field) == "lang":
                languages.append(inner)
            elif isinstance(inner, (Condition, Range, Values)):
                parts.conditions.append(partial(_condition, inner))
            elif sign == "+" and _is_condition(inner):
                parts.conditions.append(partial(self.holds, inner))
            elif isinstance(inner, And) and not sign:
                self._add(parts, Group(tuple(("+", side) for side in inner.sides)))
            elif sign == "+" or isinstance(inner, Phrase):
                parts.required.append(inner)
            elif isinstance(inner, Group):
                self._add(parts, inner)
            elif not (isinstance(inner, Word) and folded(inner.text) in self.stop_words):
                parts.plain.append(inner)
        if languages:
            parts.conditions.append(
                lambda document: any(_condition(one, document) for one in languages)
            )
        return parts

    def _add(self, parts: _Parts, group: Group) -> None:
        inside = self._parts(group)
        if inside.conditions and not inside.required:
            parts.conditions += inside.conditions
            if inside.excluded and inside.plain:
                parts.plain.append(group)  # beside its conditions, it holds by itself or not
            elif inside.excluded:
                parts.conditions.append(partial(self.holds, group))
            else:
                parts.plain += inside.plain
        elif inside.required:
            parts.required += inside.required
            parts.conditions += inside.conditions
            parts.excluded += inside.excluded
            parts.plain += inside.plain
        elif inside.excluded and inside.plain:
            parts.plain.append(group)  # it holds by itself, or it does not
        elif inside.excluded:
            parts.excluded += inside.excluded
        else:
            parts.plain += inside.plain

    def holds(self, node: Node, document: Document) -> bool:
        if isinstance(node, Group):
            return self.group_holds(node, document)
        if isinstance(node, Or):
            return any(self.holds(choice, document) for choice in node.choices)
        if isinstance(node, And):
            return all(self.holds(side, document) for side in node.sides)
        if isinstance(node, (Condition, Range, Values)):
            return _condition(node, document)
        return any(_in_text(node, text) for text in document.texts.values())


def _is_condition(node: Node) -> bool:
    """Return True if a group names nothing but fields."""
    if isinstance(node, Group):
        return all(_is_condition(part) for _, part in node.items)
    if isinstance(node, And):
        return all(map(_is_condition, node.sides))
    return isinstance(node, (Condition, Range, Values))


# Words


def _in_text(node: Word | Prefix | Phrase, text: Text) -> bool:
    if isinstance(node, Prefix):
        return any(word.startswith(folded(node.text)) for word in (*text.words, *text.joined))
    parts = [folded(part) for part in node.text.replace("-", " ").split()]
    if isinstance(node, Phrase):
        return _follow(parts, text.words, node.slop)
    joined = "".join(parts)
    return joined in text.joined or joined in text.words or _follow(parts, text.words, 0)


def _follow(parts: Sequence[str], words: Sequence[str], slop: int) -> bool:
    """Whether the parts stand in their order, with at most `slop` other words between in all."""
    return any(
        _last_place(parts, words, start) - start + 1 - len(parts) <= slop
        for start, word in enumerate(words)
        if word == parts[0]
    )


def _last_place(parts: Sequence[str], words: Sequence[str], start: int) -> int:
    """Where the parts end that begin at `start`, each at its next place; far away if nowhere."""
    place = start
    for part in parts[1:]:
        if part not in words[place + 1 :]:
            return 1 << 30
        place = words.index(part, place + 1)
    return place


# Conditions and filters


def _name(name: str) -> str:
    return ALIASES.get(name, name)


def _condition(node: Condition | Range | Values, document: Document) -> bool:
    if isinstance(node, Values):
        return any(_condition(one, document) for one in node.choices)
    if isinstance(node, Range):
        return _in_range(node, document)
    name = _name(node.field)
    if isinstance(node.value, str):
        wanted = node.value.casefold()
        return any(value.casefold() == wanted for value in document.keywords.get(name, ()))
    if name == "text":  # the text of a document cannot be searched alone
        return any(_in_text(node.value, text) for text in document.texts.values())
    return name in document.texts and _in_text(node.value, document.texts[name])


def _in_range(node: Range, document: Document) -> bool:
    name = _name(node.field)
    if name == "date":
        moment = document.moments.get(name)
        if moment is None:
            return False
        first, after = _span(node.low) if node.low else (None, None)
        last_first, last_after = _span(node.high) if node.high else (None, None)
        low = after if node.sign == ">" else first
        high = last_first if node.sign == "<" else last_after
        return (low is None or moment >= low) and (high is None or moment < high)
    return any(_has_number(node, number) for number in document.numbers.get(name, ()))


def _has_number(node: Range, number: float) -> bool:
    if node.low and (number < float(node.low) or (node.sign == ">" and number == float(node.low))):
        return False
    return not (
        node.high
        and (number > float(node.high) or (node.sign == "<" and number == float(node.high)))
    )


def _span(text: str) -> tuple[datetime, datetime]:
    """The first moment of a year, month or day, and the first moment after it."""
    year, month, day = (int(part) for part in (text + "-0-0").split("-")[:3])
    first = datetime(year, month or 1, day or 1, tzinfo=UTC)
    days = 1 if day else monthrange(year, month)[1] if month else 365 + monthrange(year, 2)[1] - 28
    return first, first + timedelta(days=days)


def passes(one: Filter, document: Document) -> bool:
    if one.range is not None:
        return _in_range(one.range, document)
    return any(_condition(Condition(one.field, value), document) for value in one.values)


# Facets and sorting


def facet(name: str, documents: Iterable[Document]) -> dict[str, int]:
    """How many documents have each value of a keyword; of 'year', how many are of each year."""
    counts: Counter[str] = Counter()
    for document in documents:
        if name == "year":
            counts.update(f"{moment.year}" for moment in document.moments.values())
        else:
            counts.update(set(document.keywords.get(_name(name), ())))
    return dict(counts)


def sort_key(document: Document, name: str) -> float | None:
    """The value that a document is sorted by; None where it has none."""
    if name == "date":
        moment = document.moments.get(name)
        return moment.timestamp() if moment else None
    numbers = document.numbers[name]
    return numbers[0] if numbers else None


def with_filter(query: Query, *filters: Filter) -> Query:
    return replace(query, filters=(*query.filters, *filters))
