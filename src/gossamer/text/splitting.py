"""A piece of text without spaces, taken apart into the words that people will ask for.

What a person may write as one word or as several ('e-mail', 'snake_case', 'camelCase',
'www.example.org') is split, and found whole as well. What is a name with signs in it ('C++',
'AT&T', '3.14', 'U.S.A.') stays one word.
"""

import re
from collections.abc import Callable
from string import ascii_letters
from typing import NamedTuple

from gossamer.text.rubbish import DATA_LENGTH, SUSPICIOUS_LENGTH, is_data, is_rubbish
from gossamer.text.scripts import MARKS

LOWER, CAPITALISED, CAPITALS = 0, 1, 2
"""How a word is written: 'word', 'Word', and 'WORD' (two letters or more) or 'wOrd'."""


class Piece(NamedTuple):
    """A word of a piece of text, at its place in it."""

    text: str
    start: int
    end: int
    main: bool = True  # has a position in the sequence of words
    exact: bool = False  # is not stemmed
    capitals: int = LOWER


_piece = tuple.__new__  # without the names of the arguments, in a third of the time

_LONGEST_COMPOUND = 200  # what is longer is no compound but a text without spaces
_LONGEST_JOINED = 40
_LONGEST_ADDRESS = 100

_CLITICS = frozenset({"s", "ll", "re", "ve", "d", "m"})
_ELIDED = {
    language: frozenset(words.split(","))
    for language, words in {
        "ca": "d,l,m,n,s,t",
        "fr": "c,d,j,l,m,n,s,t,qu,jusqu,lorsqu,puisqu,quoiqu",
        "it": "agl,all,bell,c,d,dagl,dall,degl,dell,gl,l,m,n,negl,nell,quell,quest,s,sant,senz,"
        "sugl,sull,t,un,v",
    }.items()
}
_ELIDED_ANYWHERE = frozenset().union(*_ELIDED.values(), ("o",))

_DEGREES = r"ph\.d|d\.phil|m\.phil|[bm]\.sc|[bm]\.eng|[bm]\.tech|[bm]\.ed|ed\.d|ll\.[bmd]|[bm]\.com"
_DATA = re.compile(f"[A-Za-z0-9+/_=-]{{{DATA_LENGTH},}}")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_LINKS = re.compile("([-_]+)")
_DIGIT = re.compile(r"\d")
_HUMP = re.compile(r"A+(?!a)0*|A?a+0*|0+")
_UNIT = re.compile(r"([0-9]{2,})([^\W\d_]{2,})")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s")
_LAST_LABEL = re.compile(r"\.net(?![\w.])", re.IGNORECASE)


def _rules(word: str, joins: str) -> dict[str, str]:
    letter = r"[^\W\d_]"
    sign = r"[^\s<>\x00-\x20\x7f\ud800-\udfff" + '"]'
    return {
        "address": rf"""
            (?i:https?|ftp)://{sign}{{1,2000}} | (?<![\w.])(?i:www)\.{sign}{{1,2000}} """,
        "mail": r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}",
        "acronym": rf"(?<![\w.])(?:{letter}(?:\.{letter})+|(?i:{_DEGREES}))(?!\w)\.?",
        "plus": rf"(?<!\w)(?:{word}{{1,30}}\+\+(?!{letter})|{letter}{{1,30}}\+(?![\w+]))",
        "name": r"(?<!\w)[A-Za-z]\#(?!\w) | (?<![\w.])\.(?i:net)(?!\w)",
        "and": rf"(?<![\w=&]){letter}{{1,3}}(?:&{letter}{{1,3}}){{1,3}}(?![\w=&;])",
        "slash": rf"(?<![\w/.]){word}{{1,2}}/{word}{{1,2}}(?![\w/])",
        "number": r"""
            (?<![\w.,])[0-9]{1,3}(?:[,'][0-9]{3}){1,8}(?:\.[0-9]+)?(?!\w|,[0-9])
            | (?<![\w.,])[0-9]{1,3}(?:\.[0-9]{3}){1,8},[0-9]+(?!\w|,[0-9])
            | (?<![\w.,])[0-9]+,[0-9]+(?!\w|[,.][0-9])
            | (?<!\w)(?i:[a-z]){0,10}[0-9]+(?:\.[0-9]+)+(?:(?i:[a-z]){1,3}[0-9]{0,3})?(?!\w) """,
        "compound": rf"(?:(?<![\w#@&./])[#@.])?{word}+(?:(?:[-'.]|_+{joins}){word}+)*",
    }


def _grammar(rules: dict[str, str]) -> re.Pattern[str]:
    return re.compile(
        "|".join(f"(?P<{name}>{pattern})" for name, pattern in rules.items()), re.VERBOSE
    )


_ASCII_RULES = _rules("[A-Za-z0-9]", "")
_ASCII = _grammar(_ASCII_RULES)
# Most texts with a special sign are names of programmers, with a dot: 'java.util.List'.
_DOTTED_ASCII = _grammar(
    {
        name: pattern
        for name, pattern in _ASCII_RULES.items()
        if name in ("address", "acronym", "name", "number", "compound")
    }
)
# Quotation marks within Hebrew words are signs of an acronym.
_HEBREW_JOIN = '(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])'
_ANY = _grammar(_rules(rf"(?:[^\W_]|[{MARKS}])", f"|{_HEBREW_JOIN}"))
# All rules but that of compounds need one of these signs, which few texts have.
_SPECIAL = re.compile("[@/+#&.]|[0-9][,']")
_UNDOTTED = re.compile("[@/+#&]")
_PLAIN_ASCII = re.compile("[A-Za-z0-9]+(?:(?:[-']|_+)[A-Za-z0-9]+)*")
_PLAIN_ANY = re.compile(
    rf"(?:[^\W_]|[{MARKS}])+(?:(?:[-']|_+|{_HEBREW_JOIN})(?:[^\W_]|[{MARKS}])+)*"
)
_WORD = re.compile(rf"(?:[^\W_]|[{MARKS}])+")
_ACRONYM = re.compile(rf"(?:[^\W\d_](?:\.[^\W\d_])+|{_DEGREES})\.?", re.IGNORECASE)


def acronym(word: str) -> str:
    """An abbreviation without its dots: 'USA' of 'U.S.A.', 'PhD' of 'Ph.D.'; '' of other words."""
    return word.replace(".", "") if _ACRONYM.fullmatch(word) else ""


def capitals_of(word: str) -> int:
    """How a word is written."""
    if word == word.lower():
        return LOWER
    rest = word[1:]
    return CAPITALISED if rest == rest.lower() else CAPITALS


class Splitter:
    """Takes texts of one language apart."""

    def __init__(self, language: str, longest_word: int) -> None:
        self._elided = _ELIDED.get(language, frozenset())
        self._suffixes_follow = language in ("tr", "az")  # names take theirs after an apostrophe
        self._longest = longest_word
        self._suspicious = min(SUSPICIOUS_LENGTH, longest_word + 1)
        self._rules: dict[str | None, Callable[[list[Piece], str, int], None]] = {
            "address": self._address,
            "mail": self._mail,
            "acronym": self._acronym,
            "plus": self._plus,
            "name": self._name,
            "and": self._and,
            "slash": self._slash,
            "number": self._number,
            "compound": self._compound,
        }

    def split(self, text: str, offset: int = 0) -> list[Piece]:
        """The words of a normalised text that begins at `offset` of something, in their order.

        Those without a position come after those that they belong to.
        """
        found: list[Piece] = []
        if len(text) >= DATA_LENGTH:
            text = _DATA.sub(_without_data, text)
        if not _SPECIAL.search(text):
            for match in (_PLAIN_ASCII if text.isascii() else _PLAIN_ANY).finditer(text):
                rule = self._hyphenated if len(match.group()) <= _LONGEST_COMPOUND else self._words
                rule(found, match.group(), offset + match.start())
            return found
        if not text.isascii():
            grammar = _ANY
        else:
            grammar = _ASCII if _UNDOTTED.search(text) else _DOTTED_ASCII
        for match in grammar.finditer(text):
            self._rules[match.lastgroup](found, match.group(), offset + match.start())
        return found

    def _compound(self, found: list[Piece], text: str, start: int) -> None:
        end = start + len(text)
        if len(text) > _LONGEST_COMPOUND:
            self._words(found, text, start)
            return
        sign = text[0] if text[0] in "#@." else ""
        labels = text[len(sign) :].split(".")
        place = start + len(sign)
        for label in labels:
            self._hyphenated(found, label, place)
            place += len(label) + 1
        if len(text) > _LONGEST_ADDRESS or (sign == "." and not labels[0].islower()):
            return
        # 'end.The next' is a space left out, 'node.js' and 'example.org' are names.
        if sign or (1 < len(labels) < 6 and not any(map(_begins_sentence, labels[1:]))):
            found.append(Piece(text, start, end, main=False, exact=True))
        if last := _LAST_LABEL.search(text, 1):  # ASP.NET, VB.NET
            found.append(Piece(last.group(), start + last.start(), end, main=False, exact=True))

    def _hyphenated(self, found: list[Piece], text: str, start: int) -> None:
        if text.isalnum():
            self._word(found, text, start)
            return
        parts = _LINKS.split(text)
        if len(parts) == 1:
            self._apostrophes(found, text, start)
            return
        place = start
        for number, part in enumerate(parts):
            if part.isalnum():
                self._word(found, part, place)
            elif number % 2 == 0:
                self._apostrophes(found, part, place)
            place += len(part)
        words = parts[::2]
        few = len(words) < 4 or all(map(str.isdigit, words))
        if few and place - start <= _LONGEST_JOINED:
            self._one(found, "".join(words).replace("'", ""), start, place, main=False)

    def _apostrophes(self, found: list[Piece], text: str, start: int) -> None:
        if '"' in text:
            text = text.replace('"', "'")
        first, apostrophe, rest = text.partition("'")
        if not apostrophe:
            self._word(found, text, start)
            return
        end = start + len(text)
        lower = first.lower()
        behind = start + len(first) + 1
        if self._suffixes_follow or (rest.lower() in _CLITICS and not first.isdigit()):
            self._word(found, first, start)
        elif "'" in rest and lower not in self._elided:
            self._words(found, text, start)
            self._one(found, text.replace("'", ""), start, end, main=False)
        elif lower in self._elided:
            self._apostrophes(found, rest, behind)
            if rest[0].isupper():
                self._one(found, text.replace("'", ""), start, end, main=False)
        else:
            self._one(found, first + rest, start, end)
            if lower in _ELIDED_ANYWHERE and len(rest) > 2:
                self._one(found, rest, behind, end, main=False)

    def _word(self, found: list[Piece], text: str, start: int) -> None:
        """A word of letters and digits, which may still be several."""
        end = start + len(text)
        if not text[1:].islower() and capitals_of(text) == CAPITALS and not text.isupper():
            if _PLURAL_ACRONYM.fullmatch(text):
                self._one(found, text[:-1], start, end - 1)
                self._one(found, text, start, end, main=False)
                return
            humps = _humps(text)
            if len(humps) > 1:
                self._camel(found, text, start, humps)
                return
        self._one(found, text, start, end)
        if (
            "0" <= text[0] <= "9"
            and len(text) <= _LONGEST_JOINED
            and (unit := _UNIT.fullmatch(text))
        ):
            number = start + unit.end(1)
            self._one(found, unit.group(1), start, number, main=False)
            self._one(found, unit.group(2), number, end, main=False)

    def _camel(
        self, found: list[Piece], text: str, start: int, humps: list[tuple[int, int]]
    ) -> None:
        length = len(text)
        if length >= 13 and len(humps) * 2.5 > length:
            return  # letters at random
        parts = [text[first:last] for first, last in humps]
        shortest = min(map(len, parts))
        # Two humps are a name that many write without the second capital (YouTube, JavaScript):
        # it must be the same word for a phrase as theirs. The names of programmers (camelCase,
        # XMLHttpRequest) are read as the words that they are made of.
        is_name = len(parts) == 2 and not (parts[0].islower() and len(parts[0]) > 2)
        is_name = is_name or (shortest < 3 and length <= 8)
        if is_name:
            self._one(found, text, start, start + length)
        if not is_name or shortest > 2:  # not 'Mc' and 'Donald', nor 'e' and 'Bay'
            for (first, last), part in zip(humps, parts, strict=True):
                self._one(found, part, start + first, start + last, main=not is_name)
        if not is_name:
            self._one(found, text, start, start + length, main=False)

    def _one(
        self, found: list[Piece], text: str, start: int, end: int, *, main: bool = True
    ) -> None:
        if len(text) < self._suspicious or not is_rubbish(text.lower(), self._longest):
            exact = not text.isalpha() and _DIGIT.search(text) is not None
            capitals = capitals_of(text) if main else LOWER
            found.append(_piece(Piece, (text, start, end, main, exact, capitals)))

    def _words(self, found: list[Piece], text: str, start: int) -> None:
        for match in _WORD.finditer(text):
            self._word(found, match.group(), start + match.start())

    def _address(self, found: list[Piece], text: str, start: int) -> None:
        text = text.rstrip(".,;:!?)]}'\"*")
        _, separator, body = text.partition("://")
        if not separator:
            body = text
        if body[:4].lower() == "www.":
            body = body[4:]
        begin = start + len(text) - len(body)
        self._words(found, _PERCENT.sub("   ", body), begin)
        page = body.partition("#")[0].partition("?")[0]
        found += [
            Piece(whole, begin, begin + len(whole), main=False, exact=True)
            for whole in dict.fromkeys((page.partition("/")[0], page.rstrip("/")))
            if len(whole) <= _LONGEST_ADDRESS and _WORD.search(whole)
        ]

    def _mail(self, found: list[Piece], text: str, start: int) -> None:
        self._words(found, text, start)
        if len(text) <= _LONGEST_ADDRESS and _WORD.search(text):
            found.append(Piece(text, start, start + len(text), main=False, exact=True))

    def _acronym(self, found: list[Piece], text: str, start: int) -> None:
        self._one(found, text.replace(".", ""), start, start + len(text))

    def _plus(self, found: list[Piece], text: str, start: int) -> None:
        end = start + len(text)
        base = text.rstrip("+")
        if text.endswith("++"):
            found.append(Piece(text, start, end, exact=True, capitals=capitals_of(text)))
            if len(base) > 2:
                self._one(found, base, start, start + len(base), main=False)
            return
        self._word(found, base, start)
        found.append(Piece(text, start, end, main=False, exact=True))

    def _name(self, found: list[Piece], text: str, start: int) -> None:
        end = start + len(text)
        found.append(Piece(text, start, end, exact=True, capitals=capitals_of(text.strip(".#"))))
        if text[0] == ".":
            self._one(found, text[1:], start + 1, end, main=False)

    def _and(self, found: list[Piece], text: str, start: int) -> None:
        end = start + len(text)
        found.append(Piece(text, start, end, exact=True, capitals=capitals_of(text)))
        self._one(found, text.replace("&", ""), start, end, main=False)

    def _slash(self, found: list[Piece], text: str, start: int) -> None:
        self._words(found, text, start)
        found.append(Piece(text, start, start + len(text), main=False, exact=True))

    def _number(self, found: list[Piece], text: str, start: int) -> None:
        end = start + len(text)
        if len(text) > _LONGEST_JOINED:
            self._words(found, text, start)
            return
        plain = _plain_number(text)
        found.append(Piece(plain, start, end, exact=True, capitals=capitals_of(text)))
        if plain[0].isalpha():  # 'v2.0'
            number = plain.lstrip(ascii_letters)
            found.append(Piece(number, end - len(number), end, main=False, exact=True))
        elif re.fullmatch(r"[0-9]{1,3}\.[0-9]{3}", plain):  # '1.000' is one in some countries
            found.append(Piece(plain.replace(".", ""), start, end, main=False, exact=True))


def _plain_number(text: str) -> str:
    """Thousands together, and a point before the fraction."""
    text = text.replace("'", "")
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", text):
        return text.replace(",", "")
    if "," in text:
        return text.replace(".", "").replace(",", ".")
    groups = text.split(".")
    thousands = len(groups) > 2 and all(len(group) == 3 for group in groups[1:])
    if thousands and groups[0].isdigit() and len(groups[0]) < 4 and not _is_address(groups):
        return "".join(groups)
    return text


def _is_address(groups: list[str]) -> bool:
    return len(groups) == 4 and all(int(group) < 256 and group != "000" for group in groups)


def _humps(text: str) -> list[tuple[int, int]]:
    shape = "".join(["A" if sign.isupper() else "0" if sign.isdigit() else "a" for sign in text])
    return [match.span() for match in _HUMP.finditer(shape)]


def _begins_sentence(label: str) -> bool:
    return label[:1].isupper() and label[1:2].islower()


def _without_data(match: re.Match[str]) -> str:
    run = match.group()
    return " " * len(run) if is_data(run) else run
