"""Which characters make words, and which scripts write them without spaces.

Written as contents of regular expressions' character classes. `\\w` alone will not do: it leaves
out the vowel signs of the Indic scripts, which are marks, and would tear Hindi words apart.
"""

import unicodedata
from collections.abc import Iterable

HAN = (
    "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    + ("\U00020000-\U0003fffd")
)
KANA = (
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    + ("\U0001b000-\U0001b16f")
)
CJK = HAN + KANA + "\u3105-\u312f\u31a0-\u31bf"
HANGUL = "\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\ud7b0-\ud7fb"
THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
LAO = "\u0e81-\u0ebd\u0ec0-\u0ecf\u0edc-\u0edf"
MYANMAR = "\u1000-\u103f\u1050-\u108f\u109a-\u109f\uaa60-\uaa7f"
KHMER = "\u1780-\u17b3\u17b6-\u17d3\u17d7\u17dc\u17dd"
TAI = "\u1950-\u1974\u1980-\u19c9\u1a20-\u1a7c"
YI = "\ua000-\ua48c"

SPACELESS = (CJK, HANGUL, THAI, LAO, MYANMAR, KHMER, TAI, YI)
"""Scripts of which characters are taken in groups. Hangul has spaces, but its particles stick to
the words: groups of syllables find the word with and without them."""

ACCENTS = (
    "\u0300-\u036f\u0483-\u0487"  # Latin, Greek, Cyrillic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    # Arabic
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc"  # the dots under letters of Indic scripts
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
)
"""Marks, and the stretching of Arabic words, that people may leave out."""

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    "\u206a-\u206f\ufe00-\ufe0f\ufeff\U000e0001-\U000e01ef"
)
"""Soft hyphens, joiners, directions and choices of glyphs: they are in words, but not of them."""

_WHERE_MARKS_ARE = (
    range(0x0300, 0x2100),
    range(0x2CEF, 0x2E00),
    range(0x302A, 0x3100),
    range(0xA66F, 0xAC00),
    range(0xFB1E, 0xFB1F),
    range(0xFE20, 0xFE30),
    range(0x101FD, 0x10380),
    range(0x10A00, 0x12000),
    range(0x13440, 0x13456),
    range(0x1611E, 0x16130),
    range(0x16AF0, 0x17000),
    range(0x1BC9D, 0x1BC9F),
    range(0x1CF00, 0x1CF47),
    range(0x1D165, 0x1D245),
    range(0x1DA00, 0x1DAB0),
    range(0x1E000, 0x1E950),
    range(0xE0100, 0xE01F0),
)


def _marks(ranges: Iterable[range]) -> str:
    """All combining marks, as the contents of a character class."""
    runs: list[list[int]] = []
    for codes in ranges:
        for code in codes:
            if unicodedata.category(chr(code))[0] != "M":
                continue
            if runs and runs[-1][1] == code - 1:
                runs[-1][1] = code
            else:
                runs.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in runs)


MARKS = _marks(_WHERE_MARKS_ARE)
