"""More text like the text that there is: the same words, together as they were, and new rare ones.

A generated text is a walk through the real one. It copies word after word, and at about every third
word goes on from another place with the same word, not far away: so the frequencies of words, pairs
of words, punctuation, capitals and what a passage is about stay those of real text, while what is
copied at a stretch is three words long. Words seen only once stand for all those that a longer text
would bring (Good and Turing): each is replaced by a word made of the halves of two such words,
drawn from a long tail, so that the vocabulary grows with the text as Heaps' law says. The same real
text makes the same texts.
"""

import re
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.real_text import Page

Numbers = NDArray[np.int64]

_JUMPS = 0.3  # of the words, go on elsewhere
_JUMP_SCALE = 8.0  # occurrences of the word between here and there
_TOPIC_WORDS = 12_000  # a walk stays so close to its start
_COINED = 3_000_000  # words that can be made
_BATCH = 2_000  # walks at a time
_CORE = re.compile(r"\w(?:.*\w)?", re.DOTALL)


def key_of(token: str) -> str:
    """The word in a piece of text between spaces, in lower case; empty for a dash."""
    found = _CORE.search(token)
    return found[0].lower() if found else ""


class TextModel:
    def __init__(self, pages: Sequence[Page]) -> None:
        numbers: dict[str, int] = {}
        self.tokens: Numbers = np.array(
            [numbers.setdefault(token, len(numbers)) for token in _tokens_of(pages)], np.int64
        )
        self.surfaces = list(numbers)
        keys: dict[str, int] = {}
        key_of_surface = [keys.setdefault(key_of(text), len(keys)) for text in self.surfaces]
        self.words = list(keys)
        self.keys: Numbers = np.array(key_of_surface, np.int64)[self.tokens]
        counts = np.bincount(self.keys, minlength=len(keys))
        self.counts = dict(zip(self.words, counts.tolist(), strict=True))
        # All places sorted by word: the same word elsewhere is a neighbour.
        self._places: Numbers = np.argsort(self.keys, kind="stable")
        self._rank: Numbers = np.empty_like(self._places)
        self._rank[self._places] = np.arange(len(self._places))
        self._end: Numbers = np.cumsum(counts)
        self._begin: Numbers = self._end - counts
        self._rare: NDArray[np.bool_] = (counts == 1)[self.keys]
        rare = {key for key in np.flatnonzero(counts == 1).tolist() if self.words[key].isalpha()}
        self._parts = [
            _CORE.search(self.surfaces[token])[0]  # type: ignore[index]
            for token, key in zip(self.tokens.tolist(), self.keys.tolist(), strict=True)
            if key in rare
        ]
        self._head = max(100, len(self._parts) // 4)

    def texts(self, first: int, lengths: Sequence[int]) -> Iterator[str]:
        """The texts `first`, `first` + 1, ... with so many words each."""
        for begin in range(0, len(lengths), _BATCH):
            some = np.array(lengths[begin : begin + _BATCH])
            walks = self._walks(first + begin, some)
            for row, length in enumerate(some.tolist()):
                yield self._text(first + begin + row, walks[row, :length])

    def _walks(self, seed: int, lengths: Numbers) -> Numbers:
        rng = np.random.default_rng((7, seed))
        place: Numbers = rng.integers(len(self.tokens), size=len(lengths))
        home = place.copy()
        walks = np.empty((len(lengths), int(lengths.max())), np.int64)
        for step in range(walks.shape[1]):
            walks[:, step] = place
            key = self.keys[place]
            offset = np.rint(rng.laplace(0.0, _JUMP_SCALE, len(place))).astype(np.int64)
            rank = np.clip(self._rank[place] + offset, self._begin[key], self._end[key] - 1)
            there = self._places[rank]
            jumps = rng.random(len(place)) < _JUMPS
            jumps &= np.abs(there - home) < _TOPIC_WORDS
            place = np.where(jumps, there, place) + 1
            place[place >= len(self.tokens)] = 0
        return walks

    def _text(self, number: int, walk: Numbers) -> str:
        surfaces = self.surfaces
        words = [surfaces[token] for token in self.tokens[walk].tolist()]
        for place in np.flatnonzero(self._rare[walk]).tolist():
            key = int(self.keys[walk[place]])
            if self.words[key].isalpha():
                words[place] = _CORE.sub(self._coined(number, key), words[place])
        text = " ".join(words)
        return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")

    def _coined(self, number: int, key: int) -> str:
        """A new word; the same one wherever the walk meets the old one again."""
        share = zlib.crc32(b"%d %d" % (number, key)) / 2**32
        rank = int(self._head * ((_COINED / self._head + 1) ** share - 1))
        front = self._parts[zlib.crc32(b"front %d" % rank) % len(self._parts)]
        back = self._parts[zlib.crc32(b"back %d" % rank) % len(self._parts)]
        return front[: (len(front) + 1) // 2] + back[len(back) // 2 :].lower()


def _tokens_of(pages: Sequence[Page]) -> Iterator[str]:
    return (token for page in pages for paragraph in page for token in paragraph.split())
