"""Other words for the same thing, from a file that people write.

    # a line of its own, or the rest of one, is a comment
    car, automobile, motor car
    nyc => new york city
    usa, us => united states

Words with commas between them are equal, each stands for the others. An arrow goes one way: who
looks for what is left of it also finds what is right of it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from gossamer.config.lists import listed, read_list
from gossamer.errors import SettingsError

MOST_WORDS = 8
"""Of one phrase of the file."""

MOST_TOGETHER = 100
"""Words and phrases on one line."""


class Synonym(NamedTuple):
    """The words from `start` to before `end` of a query may be any of `others` as well."""

    start: int
    end: int
    others: tuple[tuple[str, ...], ...]


def _split(text: str) -> Sequence[str]:
    return text.casefold().split()


def _as_written(word: str) -> Sequence[str]:
    return (word,)


class Synonyms:
    """Other words for words and phrases, in all their forms."""

    def __init__(
        self,
        text: str,
        name: str,
        words: Callable[[str], Sequence[str]] = _split,
        stems: Callable[[str], Sequence[str]] = _as_written,
    ) -> None:
        """`name` is that of the file, for errors. Raises `SettingsError` with name and line.
        `words`: how a text becomes words, the same for the file and for queries. `stems`: what the
        forms of one word have in common, in each of some languages."""
        self._stems = stems
        self._phrases: set[tuple[str, ...]] = set()
        found: dict[tuple[int, tuple[str, ...]], dict[tuple[str, ...], None]] = {}
        for number, content in listed(text):
            try:
                for left, right in _pairs(content, words):
                    if left != right:
                        self._phrases.add(left)
                        for key in self._keys(left):
                            found.setdefault(key, {})[right] = None
            except ValueError as error:
                raise SettingsError(f"{name}, line {number}: {error}") from None
        self._others = found
        self._longest = max(map(len, self._phrases), default=0)

    @classmethod
    def from_file(
        cls,
        path: Path,
        words: Callable[[str], Sequence[str]] = _split,
        stems: Callable[[str], Sequence[str]] = _as_written,
    ) -> "Synonyms":
        return cls(read_list(path), str(path), words, stems)

    def __len__(self) -> int:
        """How many words and phrases have others."""
        return len(self._phrases)

    def of(self, phrase: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the synonyms of one word or phrase, in any of its forms."""
        found: dict[tuple[str, ...], None] = {}
        for key in self._keys(phrase):
            found.update(self._others.get(key, {}))
        found.pop(tuple(phrase), None)
        return tuple(found)

    def _keys(self, phrase: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
        """A phrase in its stems, for each language."""
        return list(enumerate(zip(*map(self._stems, phrase), strict=True)))

    def lookup(self, words: Sequence[str]) -> list[Synonym]:
        """All words and phrases of a query that have others; the longest at each place."""
        result: list[Synonym] = []
        for start in range(len(words)):
            for end in range(min(start + self._longest, len(words)), start, -1):
                if others := self.of(words[start:end]):
                    result.append(Synonym(start, end, others))
                    break
        return result


def changed_at(path: str) -> int:
    """When a file of synonyms was written, as a number; 0 where there is none. People edit it while
    others search."""
    try:
        return Path(path).stat().st_mtime_ns if path else 0
    except OSError:
        return 0


_Pair = tuple[tuple[str, ...], tuple[str, ...]]


def _pairs(content: str, words: Callable[[str], Sequence[str]]) -> list[_Pair]:
    """What stands for what, in one line. Raises `ValueError` with what is wrong."""
    sides = content.split("=>")
    if len(sides) > 2:
        raise ValueError("there is more than one '=>'")
    phrases = [[_phrase(part, words) for part in side.split(",")] for side in sides]
    if sum(map(len, phrases)) > MOST_TOGETHER:
        raise ValueError(f"there are more than {MOST_TOGETHER} words and phrases")
    if len(phrases) == 2:
        return [(left, right) for left in phrases[0] for right in phrases[1]]
    if len(phrases[0]) == 1:
        raise ValueError("one word alone: write 'a, b' or 'a => b'")
    return [(left, right) for left in phrases[0] for right in phrases[0]]


def _phrase(text: str, words: Callable[[str], Sequence[str]]) -> tuple[str, ...]:
    phrase = tuple(words(text))
    if not phrase:
        raise ValueError("a word is missing beside a ',' or '=>'")
    if len(phrase) > MOST_WORDS:
        raise ValueError(f"'{text.strip()[:60]}' has more than {MOST_WORDS} words")
    return phrase
