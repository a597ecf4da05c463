"""The words of an index as people write them: for corrections and for suggestions.

Terms of an index are folded and stemmed, and nobody types them. So the words and the phrases of
titles and headings are counted as they stand, a document each time, while a part is written.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from gossamer.errors import FormatError
from gossamer.storage.objects import refusals
from gossamer.storage.versioned import rebuild_advice
from gossamer.text import is_stop_word

_FILE = "wording.json"
_ALL_COUNTED = 5_000
_THEN_EVERY = 8
"""All words of the first documents are counted, and of every so manieth after that: how frequent a
word is need not be known to the last document."""
_MOST_WORDS = 1_000_000
_MOST_PHRASES = 300_000
_LEAST_PHRASE = 3
_LONGEST_TITLE = 100  # characters


class Wording(NamedTuple):
    words: dict[str, int]  # in how many documents
    phrases: dict[str, int]
    titles: list[str]  # of a part: one for each document, '' where it has none


class WordingWriter:
    def __init__(self) -> None:
        self._words: Counter[str] = Counter()
        self._phrases: Counter[str] = Counter()
        self._titles: list[str] = []
        self._documents = 0

    def counts_all(self) -> bool:
        """Whether all words of the next document are to be counted, or those of its headline."""
        return self._documents < _ALL_COUNTED or self._documents % _THEN_EVERY == 0

    def count(self, words: Mapping[str, int]) -> None:
        """Words, and in how many documents more each of them was seen."""
        self._words.update(words)
        if len(self._words) > 2 * _MOST_WORDS:
            self._words = Counter(dict(self._words.most_common(_MOST_WORDS)))

    def add(self, title: str, headline: Sequence[str], language: str) -> None:
        """`headline`: the words of title and headings, whose neighbours may be phrases."""
        self._documents += 1
        self._titles.append(title[:_LONGEST_TITLE])
        if len(headline) < 2:
            return
        self._phrases.update(
            {
                f"{one} {other}"
                for one, other in pairwise(headline)
                # Nobody types 'university of' and means it.
                if not (is_stop_word(one, language) or is_stop_word(other, language))
            }
        )
        if len(self._phrases) > 2 * _MOST_PHRASES:
            self._phrases = Counter(dict(self._phrases.most_common(_MOST_PHRASES)))

    def write(self, folder: Path) -> None:
        phrases = {text: count for text, count in self._phrases.items() if count > 1}
        write_wording(folder, Wording(dict(self._words), phrases, self._titles))


def write_wording(folder: Path, wording: Wording) -> None:
    with refusals(f"Cannot write {folder}"):
        (folder / _FILE).write_bytes(msgspec.json.encode(wording))


def read_wording(folder: Path) -> Wording:
    """Of one part."""
    try:
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=Wording)
    except (OSError, msgspec.DecodeError) as error:
        raise FormatError(f"{folder / _FILE} is damaged ({error}). {rebuild_advice()}") from None


def wording_of(folders: Iterable[Path]) -> Wording:
    """Of several parts together."""
    words: Counter[str] = Counter()
    phrases: Counter[str] = Counter()
    titles: list[str] = []
    for folder in folders:
        found = read_wording(folder)
        words.update(found.words)
        phrases.update(found.phrases)
        titles += filter(None, found.titles)
    frequent = {text: count for text, count in phrases.items() if count >= _LEAST_PHRASE}
    return Wording(dict(words), frequent, titles)
