"""Text to a tree. Nothing is an error: what cannot be read as it was meant is read as plain words.

    word            pages with all words come first, pages with some follow
    +word -word     demanded, excluded; also before a phrase, a field or a group
    NOT word        excluded
    a OR b, a | b   one of them will do; binds closer than standing side by side
    a AND b         both are demanded
    "a b" "a b"~3   next to each other; with up to three words between
    wor*            every word that begins so
    word^2 "a b"^.5 counts more, or less
    ( )             group
    title:word      in a field: a word, a "phrase" or a (group)
                    who names a field demands it; of two sites or languages, one will do
    kind:a|"b c"    any of several values, without a space around '|'
    price:10..50    a range, open at either end if a side is left out; also >10 >=10 <50 <=50
    date:2024-06    all days of a year or of a month; also as the ends of a range
    *               every document, as an empty query does; beside anything else it says nothing

What only excludes finds everything else; brackets that only exclude, beside something that is
looked for, exclude from that. Curly and angle quotes are quotes.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from gossamer.query.dates import date_span
from gossamer.query.nodes import BOOST, Any, Group, Leaf, Node, Phrase, Prefix, Range, Word

MOST_CHARACTERS = 10_000
MOST_WORDS = 64
MOST_PLAIN_WORDS = 400
MOST_DEPTH = 16
MOST_BOOST = 1_000.0
MOST_SLOP = 100

TEXT_FIELDS = frozenset({"title", "url", "site", "lang", "filetype"})
"""Fields that every index of pages has, and that have no ranges."""

_SINGLE_VALUED = frozenset({"site", "lang", "filetype"})
"""A page has one of each: who names two wants either."""

_SAME = str.maketrans(dict.fromkeys("“”„‟«»＂〝〞", '"') | {"（": "(", "）": ")", "：": ":"})
_WORD = re.compile(r'[^\s"()|]+')
_FIELD = re.compile(r"([^\W\d][\w.-]{0,63}):", re.ASCII)
_FIELD_WRITTEN = re.compile(r"([^\W\d][\w.-]+):\w", re.ASCII)  # as if somebody meant one
_BOOST_AT_END = re.compile(BOOST.pattern + r"\Z")
_SLOP = re.compile(r"~([0-9]{1,4})[0-9]*")
# What looks like an operator and is none: '--word', 'word^x', 'word~2', 'w*rd'.
_UNREAD = re.compile(r"^[+-]{2}|.\^|~[0-9]+$|\*", re.DOTALL)
_EVERYTHING = re.compile(r"\*+")
_SPAN = re.compile(r"(.*?)\.\.+(.*)", re.DOTALL)
_BOUND = re.compile(r"([<>]=?)(.+)", re.DOTALL)

_OPERATORS = frozenset({"OR", "AND", "NOT"})
"""Words of letters that are more than words."""

_Sign = Literal["", "+", "-"]
_Operator = Literal["OR", "AND", "|"]


class ParsedQuery(NamedTuple):
    root: Group
    notes: tuple[str, ...]
    """What was read otherwise than it was written, for the person who wrote it."""


def parse(
    text: str,
    fields: Collection[str] = TEXT_FIELDS,
    fault_of: Callable[[Leaf], str] = lambda _: "",
) -> ParsedQuery:
    """Never raises, and takes time that grows with the text's length alone.

    `fields` are those of the index that can be searched; what stands before a colon and is none of
    them is a plain word. `fault_of`: why a field cannot have such a value; '' where it can.
    """
    words = text.split()
    is_short = len(words) <= MOST_WORDS and len(text) <= MOST_CHARACTERS
    if is_short and all(map(str.isalnum, words)) and _OPERATORS.isdisjoint(words):
        return ParsedQuery(Group(should=tuple(map(Word, words))), ())  # as most queries are
    return _Parser(fields, fault_of).parse(text)


def parse_filter(field: str, value: str) -> Leaf:
    """What a field is to be, all of the text: a value, or a range."""
    return _valued(value, field)


def parse_plain(text: str) -> ParsedQuery:
    """The words of a text, whatever signs it holds: questions that nobody wrote for us."""
    words = text[:MOST_CHARACTERS].split()
    notes = []
    if len(text) > MOST_CHARACTERS:
        notes.append(f"Only the first {MOST_CHARACTERS} characters were read.")
    if len(words) > MOST_PLAIN_WORDS:
        notes.append(f"Only the first {MOST_PLAIN_WORDS} words were read.")
    nodes = tuple(Word(word) for word in words[:MOST_PLAIN_WORDS])
    return ParsedQuery(Group(should=nodes), tuple(notes))


class _Operand(NamedTuple):
    sign: _Sign
    node: Node


class _Open:
    """A group whose end has not come yet."""

    def __init__(self, sign: _Sign, field: str, begin: int) -> None:
        self.sign = sign
        self.field = field
        self.begin = begin  # of what stands in it
        self.items: list[_Operand | _Operator] = []
        self.has_not = False  # which excludes what comes next
        self.has_everything = False

    def sign_of_next(self, sign: _Sign) -> _Sign:
        """The sign of what is read now, which has this one before it."""
        if self.has_not:
            self.has_not = False
            return "-"
        return sign


class _Parser:
    def __init__(self, fields: Collection[str], fault_of: Callable[[Leaf], str]) -> None:
        self._fault_of = fault_of
        # Capitals do not matter, unless fields differ in nothing else.
        self._fields = {name.lower(): name for name in fields} | {name: name for name in fields}
        self._notes: dict[str, None] = {}
        self._words = 0

    def _field(self, typed: str) -> str | None:
        return self._fields.get(typed) or self._fields.get(typed.lower())

    def parse(self, text: str) -> ParsedQuery:
        if len(text) > MOST_CHARACTERS:
            self._note(f"Only the first {MOST_CHARACTERS} characters were read.")
        text = self._balanced(text[:MOST_CHARACTERS].translate(_SAME))
        opened = [_Open("", "", 0)]
        place = 0
        while place < len(text):
            place = self._step(text, place, opened)
        self._end_not(opened[0])
        node = self._built(opened[0].items)
        if not isinstance(node, Group):
            node = Group(must=(node,)) if is_filter(node) else Group(should=(node,))
        only_excludes = not (node.must or node.should or is_filter(node))
        if only_excludes and not opened[0].has_everything:
            self._note(
                "The query only excludes, so all other documents were found. To look for a word "
                "that begins with '-', quote it."
            )
        return ParsedQuery(node, tuple(self._notes))

    def _note(self, text: str) -> None:
        self._notes[text] = None

    def _note_senseless(self, text: str, fault: str) -> None:
        self._note(f"'{text}' was read as plain words: {fault}.")

    def _balanced(self, text: str) -> str:
        """The text without the quotes and brackets that have no partner, or are nested too deep."""
        drop: list[int] = []
        opened: list[int] = []
        closing = -1  # of the quote that is open
        for place, character in enumerate(text):
            if place <= closing or character not in '"()':
                continue
            if character == '"':
                after = text[place + 1 : place + 2]
                if text[place - 1 : place].isalnum() and not after.strip():
                    drop.append(place)  # 5": inches
                    continue
                closing = text.find('"', place + 1)
                if closing < 0:
                    closing = place
                    drop.append(place)
                    self._note("An unmatched quote was ignored.")
            elif character == "(":
                opened.append(place)
            elif not opened:
                drop.append(place)
                self._note("An unmatched bracket was ignored.")
            elif len(opened) > MOST_DEPTH:
                drop += (opened.pop(), place)
                self._note(f"Brackets more than {MOST_DEPTH} deep were ignored.")
            else:
                opened.pop()
        if opened:
            self._note("An unmatched bracket was ignored.")
        if not (drop or opened):
            return text
        characters = list(text)
        for place in (*drop, *opened):
            characters[place] = " "
        return "".join(characters)

    def _step(self, text: str, place: int, opened: list[_Open]) -> int:
        """Reads what stands at `place`; where the next thing begins."""
        character = text[place]
        current = opened[-1]
        if character.isspace():
            return place + 1
        if character == "|":
            self._end_not(current)
            current.items.append("|")
            return place + 1
        if character == ")":
            return self._close(text, place + 1, opened)
        sign: _Sign = ""
        if character in "+-":
            after = text[place + 1 : place + 2]
            if after and after not in "+-)|^" and not after.isspace():
                place += 1
                if not _joined(text, place - 2):
                    sign = "+" if character == "+" else "-"
        return self._operand(text, place, sign, opened)

    def _operand(self, text: str, place: int, sign: _Sign, opened: list[_Open]) -> int:
        current = opened[-1]
        begin, field = place, current.field
        found = None if field else _FIELD.match(text, place)
        if found and (name := self._field(found[1])) and found.end() < len(text):
            following = text[found.end()]
            if following == "(" and text[found.end() + 1] != ")":
                field, place = name, found.end()
            elif self._has_value(text, found.end()):
                nodes, end = self._values(text, begin, found.end(), name)
                self._add(current, sign, nodes)
                return end
        if text[place] == "(":
            opened.append(_Open(current.sign_of_next(sign), field, place + 1))
            return place + 1
        if text[place] == '"':
            phrase, end = self._phrase(text, place, field)
            if phrase and field and (fault := self._fault_of(phrase)):
                self._note_senseless(phrase.text, fault)
                phrase = phrase._replace(field="")
            self._add(current, sign, [phrase] if phrase else [])
            return end
        match = _WORD.match(text, place)
        assert match is not None
        word = match[0]
        if not sign and word in _OPERATORS:
            self._operator(word, current)
        elif _EVERYTHING.fullmatch(word):
            if current.sign_of_next(sign) == "-":
                self._note_empties()
            current.has_everything = True  # it says nothing beside anything else
        else:
            self._add(current, sign, [self._leaf(word, field)] if self._room() else [])
        return match.end()

    def _operator(self, word: str, current: _Open) -> None:
        if word == "NOT":
            if current.has_not:
                self._note("'NOT' behind 'NOT' was ignored.")
            current.has_not = True
        else:
            self._end_not(current)
            current.items.append("OR" if word == "OR" else "AND")

    def _end_not(self, current: _Open) -> None:
        """Note that a NOT has nothing to exclude."""
        if current.has_not:
            current.has_not = False
            self._stray("NOT", current.items)

    def _note_empties(self) -> None:
        self._note("'-*' would exclude every document and was ignored.")

    def _add(self, current: _Open, sign: _Sign, nodes: Sequence[Node]) -> None:
        """What was read, one or several choices; nothing where there was no room for it."""
        if current.has_not and sign == "-":
            self._note("'-' behind 'NOT' was ignored.")
        sign = current.sign_of_next(sign)
        if nodes:
            node = nodes[0] if len(nodes) == 1 else Any(tuple(nodes))
            current.items.append(_Operand(sign, node))

    def _values(self, text: str, begin: int, place: int, name: str) -> tuple[list[Leaf], int]:
        """The values of a field that stand at `place`, with '|' between them, and where they end.
        `begin`: where its name begins."""
        found: list[Leaf] = []
        plain: list[Leaf] = []
        faults: list[tuple[str, str]] = []
        while True:
            leaf, end = self._value(text, place, name)
            if leaf and (fault := self._fault_of(leaf)):
                faults.append((text[begin:end], fault))
                is_phrase = isinstance(leaf, Phrase)
                plain.append(leaf._replace(field="") if is_phrase else _worded(text[begin:end], ""))
            elif leaf:
                found.append(leaf)
            is_last = text[end : end + 1] != "|" or not self._has_value(text, end + 1)
            if is_last or self._is_named(text, end + 1):
                break
            begin = place = end + 1
        for own, fault in faults:
            if found:
                self._note(f"'{own}' was ignored: {fault}.")
            else:
                self._note_senseless(own, fault)
        return found or plain, end

    def _has_value(self, text: str, place: int) -> bool:
        """Whether the value of a field stands here."""
        if text[place : place + 1] == '"':
            return True
        match = _WORD.match(text, place)
        return match is not None and _has_content(_BOOST_AT_END.sub("", match[0]))

    def _is_named(self, text: str, place: int) -> bool:
        """Whether the name of a field stands here."""
        found = _FIELD.match(text, place)
        return found is not None and self._field(found[1]) is not None

    def _value(self, text: str, place: int, name: str) -> tuple[Leaf | None, int]:
        if text[place] == '"':
            return self._phrase(text, place, name)
        match = _WORD.match(text, place)
        assert match is not None
        return _valued(match[0], name) if self._room() else None, match.end()

    def _phrase(self, text: str, place: int, field: str) -> tuple[Phrase | None, int]:
        """The phrase at `place`, and where it ends."""
        closing = text.index('"', place + 1)
        words = text[place + 1 : closing].split()
        if not words:
            self._note("Empty quotes were ignored.")
        place = closing + 1
        slop, boost = 0, 1.0
        if found := _SLOP.match(text, place):
            slop, place = min(int(found[1]), MOST_SLOP), found.end()
        if found := BOOST.match(text, place):
            boost, place = min(float(found[1]), MOST_BOOST), found.end()
        kept = [word for word in words if self._room()]
        return Phrase(" ".join(kept), field, slop, boost) if kept else None, place

    def _close(self, text: str, place: int, opened: list[_Open]) -> int:
        closed = opened.pop()
        self._end_not(closed)
        node = self._built(closed.items)
        if not text[closed.begin : place - 1].strip():
            self._note("Empty brackets were ignored.")
        if found := BOOST.match(text, place):
            node = _boosted(node, min(float(found[1]), MOST_BOOST))
            place = found.end()
        if not (isinstance(node, Group) and not any(node)):
            opened[-1].items.append(_Operand(closed.sign, node))
        elif closed.has_everything:
            if closed.sign == "-":
                self._note_empties()
            opened[-1].has_everything = True
        return place

    def _room(self) -> bool:
        """Whether one more word may come, which is counted."""
        if self._words >= MOST_WORDS:
            self._note(f"Only the first {MOST_WORDS} words were read.")
            return False
        self._words += 1
        return True

    def _leaf(self, word: str, field: str) -> Leaf:
        if not field and (found := _FIELD.match(word)):
            if self._field(found[1]) is not None:
                self._note(f"'{word}' has no value and was read as a plain word.")
            elif _FIELD_WRITTEN.match(word):
                self._note(f"'{found[1]}' is no field here: '{word}' was read as plain words.")
        elif field and _has_content(_BOOST_AT_END.sub("", word)):
            leaf = _valued(word, field)
            fault = self._fault_of(leaf)
            if not fault:
                return leaf
            self._note_senseless(word, fault)
        leaf = _worded(word, "")
        if not _has_content(word) or (isinstance(leaf, Word) and _UNREAD.search(leaf.text)):
            self._note(f"'{word}' was read as a plain word.")
        return leaf

    def _built(self, items: list[_Operand | _Operator]) -> Node:
        """The tree of what stands in one pair of brackets."""
        operands, demanded = self._joined_by_or(items)
        must: list[Node] = []
        should: list[Node] = []
        must_not: list[Node] = []
        single: dict[str, list[Node]] = {}
        for number, one in enumerate(operands):
            node = one.node
            if one.sign == "-":
                must_not += _excluded(node)
            elif one.sign == "+" or number in demanded:
                must += _parts_if_only(node, "must")
            elif field := _single_valued(node):
                single.setdefault(field, []).extend(_choices(node))
            elif isinstance(node, Group) and not (node.must or node.should):
                must_not += node.must_not
            elif is_filter(node):
                must += _parts_if_only(node, "must")
            else:
                should += _parts_if_only(node, "should")
        must += [Any(tuple(nodes)) if len(nodes) > 1 else nodes[0] for nodes in single.values()]
        if not must_not:
            if len(should) == 1 and not must:
                return should[0]
            # Who names a field demands it anyway; any other '+' has to outlive its brackets.
            if len(must) == 1 and not should and is_filter(must[0]):
                return must[0]
        return Group(tuple(must), tuple(should), tuple(must_not))

    def _joined_by_or(
        self, items: list[_Operand | _Operator]
    ) -> tuple[list[_Operand], frozenset[int]]:
        """The operands with alternatives made one, and the numbers of those beside an AND."""
        result: list[_Operand] = []
        demanded: set[int] = set()
        waiting: _Operator | None = None
        for item in items:
            if isinstance(item, str):
                if waiting and item != "|":
                    self._note(f"'{item}' behind '{waiting}' was ignored.")
                elif waiting or not result:
                    self._stray(item, result)
                else:
                    waiting = item
                continue
            if waiting == "AND":
                demanded |= {len(result) - 1, len(result)}
                result.append(item)
            elif waiting and not (item.sign or result[-1].sign):
                choices = (*_choices(result[-1].node), *_choices(item.node))
                result[-1] = _Operand("", Any(choices))
            else:
                if waiting:
                    signs = item.sign + result[-1].sign
                    beside = "an exclusion" if "-" in signs else "'+'"
                    self._note(f"OR beside {beside} was ignored.")
                result.append(item)
            waiting = None
        if waiting:
            self._stray(waiting, result)
        return result, frozenset(demanded)

    def _stray(self, operator: str, result: list[_Operand] | list[_Operand | _Operator]) -> None:
        if operator == "|":
            self._note("A '|' has nothing beside it and was ignored.")
            return
        self._note(f"'{operator}' has nothing beside it and was read as a plain word.")
        if self._room():
            result.append(_Operand("", Word(operator.lower())))


def _joined(text: str, before: int) -> bool:
    """Whether a sign follows on a quote or a bracket without a space: '"a"-b' excludes nothing."""
    return before >= 0 and text[before] in '")'


def _has_content(text: str) -> bool:
    """Whether more than punctuation is in it: a letter, a digit, or a sign such as an emoji."""
    return any(character.isalnum() or character >= "\u2190" for character in text)


def _valued(value: str, field: str) -> Leaf:
    if field in TEXT_FIELDS:
        return _worded(value, field)
    bare = _BOOST_AT_END.sub("", value)
    if "^" in bare:
        return _worded(value, field)
    if found := _BOUND.fullmatch(bare):
        included = found[1].endswith("=")
        if found[1].startswith(">"):
            return Range(field, found[2], None, include_low=included)
        return Range(field, None, found[2], include_high=included)
    if found := _SPAN.fullmatch(bare):
        low, high = found[1] or None, found[2] or None
        if low or high:
            return Range(field, low, high)
    if field == "date" and date_span(bare):
        return Range(field, bare, bare)
    return _worded(value, field)


def _worded(text: str, field: str) -> Leaf:
    boost = 1.0
    caret = text.rfind("^")
    if caret > 0 and (found := BOOST.fullmatch(text, caret)):
        boost, text = min(float(found[1]), MOST_BOOST), text[:caret]
    if text.endswith("*") and text.count("*") == 1 and _has_content(text):
        return Prefix(text[:-1], field, boost)
    if not field and text in _OPERATORS:
        text = text.lower()
    return Word(text, field, boost)


def is_filter(node: Node) -> bool:
    """Whether all of it names fields: a condition that narrows what a query finds."""
    if isinstance(node, Any):
        return all(map(is_filter, node.choices))
    if isinstance(node, Group):
        return all(is_filter(part) for parts in node for part in parts)
    return node.field != ""


def _choices(node: Node) -> tuple[Node, ...]:
    return node.choices if isinstance(node, Any) else (node,)


def _single_valued(node: Node) -> str:
    """The field of which a node names one value or several, if a page has one of it; else ''."""
    fields = {"" if isinstance(one, Group | Any | Range) else one.field for one in _choices(node)}
    field = fields.pop()
    return field if not fields and field in _SINGLE_VALUED else ""


def _parts_if_only(node: Node, part: Literal["must", "should"]) -> tuple[Node, ...]:
    """Brackets around what would mean the same without them are no level of the tree."""
    if isinstance(node, Group):
        parts: tuple[Node, ...] = node.must if part == "must" else node.should
        if len(parts) == len(node.must) + len(node.should) + len(node.must_not):
            return parts
    return (node,)


def _excluded(node: Node) -> list[Node]:
    """To exclude a choice is to exclude each of its members."""
    if isinstance(node, Any):
        return [part for choice in node.choices for part in _excluded(choice)]
    if (
        isinstance(node, Group)
        and not any(map(_narrows, node.should))
        and node.should
        and not (node.must or node.must_not)
    ):
        return [part for choice in node.should for part in _excluded(choice)]
    return [node]


def _narrows(node: Node) -> bool:
    """Whether a part of a group has to be there, so that the others need not."""
    return isinstance(node, Group | Phrase)


def _boosted(node: Node, factor: float) -> Node:
    if isinstance(node, Any):
        return Any(tuple(_boosted(part, factor) for part in node.choices))
    if isinstance(node, Group):
        must = tuple(_boosted(part, factor) for part in node.must)
        return Group(must, tuple(_boosted(part, factor) for part in node.should), node.must_not)
    if isinstance(node, Range):
        return node
    return node._replace(boost=min(round(node.boost * factor, 4), MOST_BOOST))
