"""Texts with the statistics of real ones: Zipf's law, a vocabulary that never ends, topics.

Frequent words are English ones. A document has a topic, from whose words a third of it is taken, so
that words come in bursts as they do in real texts. Document `n` depends on nothing but `n`.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.vocabulary import ADJECTIVES, ADVERBS, TOPICS, VERBS_BASE, VERBS_PAST
from gossamer.text import stop_words

_WORDS = 300_000
_TOPICS = 400
_TOPIC_WORDS = 300
_TOPIC_SHARE = 0.33
_EXPONENT = 1.05
_SYLLABLES = [c + v for c in "bcdfghklmnprstvwz" for v in ("a", "e", "i", "o", "u", "ea", "ou")]


class Corpus:
    """Makes documents, and queries of words that stand in them."""

    def __init__(self, mean_words: int = 300) -> None:
        self._mean_words = mean_words
        rng = np.random.default_rng(1)
        self.stop_words = sorted(stop_words("en"))
        known = [*self.stop_words, *ADJECTIVES, *ADVERBS, *VERBS_BASE, *VERBS_PAST]
        known += [noun for topic in TOPICS for noun in (*topic.nouns, *topic.plurals)]
        words = dict.fromkeys(known)
        while len(words) < _WORDS:
            size = int(rng.integers(2, 5))
            words[
                "".join(rng.choice(_SYLLABLES, size)) + str(rng.choice(["", "n", "s", "ing"]))
            ] = None
        self.words = np.array(list(words), object)
        weights = 1 / (np.arange(len(words)) + 2.7) ** _EXPONENT
        self._cumulated = np.cumsum(weights / weights.sum())
        self._topics = rng.integers(len(self.stop_words), 60_000, (_TOPICS, _TOPIC_WORDS))

    def _numbers(self, number: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        rng = np.random.default_rng(number + 17)
        length = max(20, int(rng.normal(self._mean_words, self._mean_words / 5)))
        numbers = np.searchsorted(self._cumulated, rng.random(length))
        topical = rng.random(length) < _TOPIC_SHARE
        skewed = (_TOPIC_WORDS * rng.random(int(topical.sum())) ** 2).astype(np.int64)
        numbers[topical] = self._topics[number % _TOPICS][skewed]
        return np.minimum(numbers, len(self.words) - 1)

    def text(self, number: int) -> str:
        words = self.words[self._numbers(number)].tolist()
        # Sentences of a dozen words, each with a capital.
        for start in range(0, len(words), 12):
            words[start] = words[start].capitalize()
            words[min(start + 11, len(words) - 1)] += "."
        return " ".join(words)

    def texts(self, documents: int) -> Iterator[str]:
        return map(self.text, range(documents))

    def queries(self, count: int, words: int, documents: int) -> list[str]:
        """Words of one document each, as frequent as they are, less the stop words."""
        rng = np.random.default_rng(words)
        first = len(self.stop_words)
        found: dict[str, None] = {}
        while len(found) < count:
            numbers = self._numbers(int(rng.integers(documents)))
            told = np.unique(numbers[numbers >= first])
            if len(told) >= words:
                found[" ".join(self.words[rng.choice(told, words, replace=False)].tolist())] = None
        return list(found)

    def common_queries(self, count: int) -> list[str]:
        """Three of the hundred commonest words that are no stop words."""
        rng = np.random.default_rng(3)
        first = len(self.stop_words)
        picks = (rng.choice(100, 3, replace=False) + first for _ in range(4 * count))
        return list(dict.fromkeys(" ".join(self.words[pick].tolist()) for pick in picks))[:count]

    def phrases(self, count: int, documents: int) -> list[str]:
        """Two words that stand together somewhere."""
        rng = np.random.default_rng(5)
        found: dict[str, None] = {}
        while len(found) < count:
            numbers = self._numbers(int(rng.integers(documents)))
            place = int(rng.integers(len(numbers) - 12) // 12 * 12 + 4)
            found['"' + " ".join(self.words[numbers[place : place + 2]].tolist()) + '"'] = None
        return list(found)


def misspelt(query: str) -> str:
    """Two letters of the longest word change places."""
    words = query.split()
    longest = max(range(len(words)), key=lambda place: len(words[place]))
    word = words[longest]
    middle = len(word) // 2
    words[longest] = word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
    return " ".join(words)
