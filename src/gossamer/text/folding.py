"""Texts that read the same become the same: widths, ligatures, accents.

Two steps. `normalise` brings a piece of text into one form of Unicode, in which it can be taken
apart. `fold` takes the accents off a word, after it was stemmed: stemmers need them.
"""

import re
import unicodedata
from itertools import accumulate

from gossamer.text.scripts import ACCENTS, INVISIBLE, MARKS

# No word has more, and bringing a heap of marks into order takes the square of their number.
_MOST_MARKS = 30
_HEAP = re.compile(f"([{MARKS}]{{{_MOST_MARKS}}})[{MARKS}]+")
_UNSEEN = re.compile(f"[{INVISIBLE}]+")
_ACCENT = re.compile(f"[{ACCENTS}]+")
_CLUSTER = re.compile(f".[{MARKS}{INVISIBLE}\u1160-\u11ff\uff9e\uff9f]*", re.DOTALL)
# Compatibility would turn the signs behind a name into letters of it: 'JavaTM'.
_SIGNS = str.maketrans(dict.fromkeys("™℠©®", " "))
_ONE_FORM = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02bb\u02b9\u2032\u055a\u05f3", "'"),
        **dict.fromkeys("\u2010\u2011\u058a\u05be\ufe63\uff0d", "-"),
        "\u05f4": '"',
    }
)
_LETTERS = {
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ĳ": "ij",
    "ŉ": "n",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ı": "i",
    "ŋ": "n",
    "ŧ": "t",
    "ƒ": "f",
    "ς": "σ",
    "й": "й",
    "ї": "ї",
    "ў": "ў",  # letters of their own, not accented ones
    # Arabic and Persian keyboards, and the ends of words that many do not tell apart.
    "ى": "ي",
    "ی": "ي",
    "ې": "ي",
    "ک": "ك",
    "ة": "ه",
    "ۀ": "ه",
    "ھ": "ه",
    "ٱ": "ا",
    "ँ": "ं",
}


class _Folds(dict[int, str]):
    """What each character becomes; made when it is first seen, so there is an end to its growth."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        digit = unicodedata.decimal(character, None)
        if digit is not None:
            folded = str(digit)
        elif (letters := _LETTERS.get(character)) is not None:
            folded = letters
        else:
            bare = _ACCENT.sub("", unicodedata.normalize("NFD", character))
            folded = unicodedata.normalize("NFC", bare)
        self[code] = folded
        return folded


_folds = _Folds()


def fold(word: str) -> str:
    """A lower-cased word without its accents: 'straße' is 'strasse', 'café' is 'cafe'."""
    return word if word.isascii() else word.translate(_folds)


def normalise(text: str) -> str:
    """One form for widths, ligatures, quotation marks and hyphens; what is unseen is left out."""
    if text.isascii():
        return text
    text = _UNSEEN.sub("", text).translate(_SIGNS)
    if len(text) > _MOST_MARKS:
        text = _HEAP.sub(r"\1", text)
    return unicodedata.normalize("NFKC", text).translate(_ONE_FORM)


def places(text: str, normalised: str) -> list[int] | None:
    """Where each character of `normalised`, and its end, is in `text`; None: at the same places."""
    if len(text) == len(normalised) and not _UNSEEN.search(text):
        return None
    clusters = _CLUSTER.findall(text)
    starts = accumulate(map(len, clusters), initial=0)
    found: list[int] = []
    for cluster, start in zip(clusters, starts, strict=False):
        found.extend([start] * len(normalise(cluster)))
    # Characters that join over clusters are few, and a place beside the word is no great harm.
    del found[len(normalised) :]
    found.extend([len(text)] * (len(normalised) + 1 - len(found)))
    return found
