"""What a document says, in its own best sentences.

A term weighs as much as it tells of the document: its idf in the index, times its saturated
frequency in the text. A sentence is worth the mean weight of its terms; what one sentence has said
counts less in the next. The best ones are shown in the order in which they stand.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.matches import Floats
from gossamer.text import Analyser

SENTENCES = 4  # and half of the text at most
CHARACTERS = 600  # of all of them together, unless the first alone is longer
READ_CHARACTERS = 200_000
"""Of a text: what comes later is seldom what it is about, and takes as long to read."""
_LONGEST = 400  # characters of one sentence: what has no end is cut
_SATURATION = 1.5  # so often a term stands there to get half of what it can
_FEW = 8.0  # terms: a shorter sentence is held back, it says little even where it says it well
_SAID = 0.3  # what is left of a term's weight when a sentence has said it
_LEAST_TERMS = 3
_AT_ONCE = 200  # terms that a reader is asked for: it counts them in a byte
_END = re.compile(r"(?<=[.!?…])['\"”’)\]]*\s+|(?<=[。！？])|\n+")
# A full stop behind these ends no sentence: initials, 'U.S.', 'e.g.', titles.
_NO_END = re.compile(
    r"(?:^|[\s(\"“])"
    r"(?:\w|(?:\w\.)+\w|[DM]rs?|Prof|Ste?|Jr|Sr|vs|No|Fig|cf|ca|approx|bzw|Nr|Abb)\.$"
)


class _Sentence(NamedTuple):
    place: int
    text: str
    terms: list[str]


def summary_of(
    stored: Mapping[str, Any],
    reader: IndexReader,
    analyser: Analyser,
    is_stop: Callable[[str], bool],
) -> tuple[str, ...]:
    """Of what is stored of a document; none where it does not want to be quoted."""
    if stored.get("nosnippet"):
        return ()

    def idf(terms: Sequence[str]) -> Floats:
        counts = [
            reader.statistics([[term] for term in terms[begin : begin + _AT_ONCE]])
            for begin in range(0, len(terms), _AT_ONCE)
        ]
        frequencies = np.concatenate([one.document_frequencies for one in counts])
        return np.log1p((reader.documents - frequencies + 0.5) / (frequencies + 0.5))

    text = stored.get("text", "")[:READ_CHARACTERS]
    return summary(text, stored.get("language", ""), analyser, idf, is_stop)


def summary(
    text: str,
    language: str,
    analyser: Analyser,
    idf: Callable[[Sequence[str]], Floats],
    is_stop: Callable[[str], bool],
) -> tuple[str, ...]:
    """`idf`: of terms, in the index. `is_stop`: whether a term says nothing by itself."""
    found = [
        _Sentence(place, sentence, analyser.analyse(sentence, language).terms)
        for place, sentence in enumerate(sentences(text))
    ]
    counts = Counter(term for one in found for term in one.terms)
    telling = [term for term in counts if not is_stop(term)]
    if not telling:
        return ()
    weights = {
        term: float(weight) * counts[term] / (counts[term] + _SATURATION)
        for term, weight in zip(telling, idf(telling), strict=True)
    }
    different = list({one.text: one for one in reversed(found)}.values())
    open_ones = [one for one in different if len(one.terms) >= _LEAST_TERMS] or different
    chosen: list[_Sentence] = []
    most = min(SENTENCES, (len(found) + 1) // 2)
    while open_ones and len(chosen) < most:
        best = max(open_ones, key=lambda one: (_worth(one, weights), -one.place))
        room = CHARACTERS - sum(len(one.text) for one in chosen)
        if not _worth(best, weights) or (chosen and len(best.text) > room):
            break
        chosen.append(best)
        open_ones.remove(best)
        for term in set(best.terms).intersection(weights):
            weights[term] *= _SAID
    chosen.sort()
    return tuple(one.text for one in chosen)


def _worth(sentence: _Sentence, weights: dict[str, float]) -> float:
    total = sum(weights.get(term, 0.0) for term in dict.fromkeys(sentence.terms))
    return total / (_FEW + len(sentence.terms))


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line; a line of the text ends one, too."""
    found: list[str] = []
    begin = 0
    for end in _END.finditer(text):
        piece = text[begin : end.start()]
        following = text[end.end() : end.end() + 1]
        if "\n" not in end[0] and end[0] and (following.islower() or _NO_END.search(piece)):
            continue
        _add(found, text[begin : end.end()])
        begin = end.end()
    _add(found, text[begin:])
    return found


def _add(found: list[str], piece: str) -> None:
    sentence = " ".join(piece.split())
    if len(sentence) > _LONGEST:
        space = sentence.rfind(" ", _LONGEST // 2, _LONGEST)
        sentence = sentence[: space if space > 0 else _LONGEST] + " …"
    if sentence:
        found.append(sentence)
