"""Addresses as people read them: `/wiki/Übersicht` for `/wiki/%C3%9Cbersicht`.

For display only: a link, a command to type and the output for programs keep the escapes. Only
letters, their marks and digits are decoded, and only where they cannot make an address look like
another one. What stays escaped:

- controls, spaces, punctuation and symbols, which may look like `/`, `?`, `#` or the end of it
- invisible characters, and everything that is written from right to left: it would turn the
  order of the parts round
- words that mix scripts that look alike (a Cyrillic `а` in a Latin word), and words of nothing but
  letters that look like Latin ones
- what is no valid UTF-8, or is not in its composed form (NFC)
"""

import re
import unicodedata

_ESCAPED = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_SPACE = "%20"
_MOST_MARKS = 2
_FORWARD = frozenset({"L", "NSM", "EN"})
"""Bidirectional classes that keep the order of an address."""

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_LIKE_SIGNS = frozenset("\u01c0\u01c1\u01c2\u01c3\u02d0\u3033\u3035\u30ce\u4e3f\u2f03\u31d3\u0c64")
"""Letters that look like a slash, a bar, a colon or an exclamation mark."""

_LIKE_LATIN = frozenset(
    "асԁеһіјӏорԛѕԝхуѵүґАВСЕНІЈКМОРЅТХУԚԜ"  # Cyrillic
    "αγικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"  # Greek
    "օսոցհքՕՍԼ"  # Armenian
)
_CONFUSABLE_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
_WORD = re.compile(r"[^\W\d_]+")


def readable(address: str) -> str:
    """Return an address, or a part of one, with the escapes of letters undone where that is
    safe. The host is left as it is: its letters are spelled in another way."""
    if "%" not in address:
        return address
    decoded = _ESCAPED.sub(_decoded, address)
    return decoded if decoded.isascii() else _WORD.sub(_unless_confusable, decoded)


def readable_step(step: str) -> str:
    """The same for one step of a path that stands by itself: it may have spaces."""
    return readable(step).replace(_SPACE, " ").strip()


def _decoded(escapes: re.Match[str]) -> str:
    try:
        text = bytes.fromhex(escapes[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return escapes[0]
    if not unicodedata.is_normalized("NFC", text):
        return escapes[0]
    shown, marks, is_after_letter = [], 0, False
    for character in text:
        is_mark = unicodedata.category(character)[0] == "M"
        marks = marks + 1 if is_mark else 0
        is_safe = _is_safe(character) and (
            not is_mark or (is_after_letter and marks <= _MOST_MARKS)
        )
        is_after_letter = is_safe
        shown.append(character if is_safe else _escaped(character))
    return "".join(shown)


def _is_safe(character: str) -> bool:
    category = unicodedata.category(character)
    return (
        (category[0] == "L" or category in ("Mn", "Mc", "Nd"))
        and unicodedata.bidirectional(character) in _FORWARD
        and not _INVISIBLE.match(character)
        and character not in _LIKE_SIGNS
        and unicodedata.normalize("NFKC", character) == character
    )


def _unless_confusable(word: re.Match[str]) -> str:
    text = word[0]
    if text.isascii():
        return text
    scripts = {
        unicodedata.name(character, "").partition(" ")[0] for character in text
    }.intersection(_CONFUSABLE_SCRIPTS)
    letters = [character for character in text if unicodedata.category(character)[0] == "L"]
    if len(scripts) > 1 or all(letter in _LIKE_LATIN for letter in letters):
        return "".join(map(_escaped, text))
    return text


def _escaped(text: str) -> str:
    return "".join(
        character if character.isascii() else "".join(f"%{byte:02X}" for byte in character.encode())
        for character in text
    )
