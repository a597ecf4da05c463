"""Words and phrases that an index should know, from a file that people write.

    # a line of its own, or the rest of one, is a comment
    lighthouse
    lighthouse keeper, 120

Each is suggested while somebody types, and its words are right as they are written there. The
number says how often it is meant, against the documents of the index that hold a word; without one,
once.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from gossamer.config.lists import listed, read_list
from gossamer.errors import SettingsError
from gossamer.lib.hashing import hash64

_LONGEST = 100  # characters
_LARGEST = 10**12
_COUNTED = re.compile(r"(.*?)[,\t]\s*([0-9]+)", re.DOTALL)


class Dictionary:
    def __init__(self, text: str, name: str, words: Callable[[str], Sequence[str]]) -> None:
        """`name` is that of the file, for errors. `words`: how a text becomes words."""
        self.stamp = hash64(text.encode("utf-8", "replace"))
        self.entries: Counter[str] = Counter()
        """As they are written, with their counts."""
        self.words: Counter[str] = Counter()
        """The words of all entries."""
        for number, content in listed(text):
            found = _COUNTED.fullmatch(content)
            entry, count = (found[1].strip(), _count(found[2])) if found else (content, 1)
            own = set(words(entry))
            if not own:
                raise SettingsError(f"{name}, line {number}: there is no word.")
            if len(entry) > _LONGEST:
                raise SettingsError(f"{name}, line {number}: more than {_LONGEST} characters.")
            self.entries[entry] += count
            self.words.update(dict.fromkeys(own, count))

    @classmethod
    def from_file(cls, path: Path, words: Callable[[str], Sequence[str]]) -> "Dictionary":
        return cls(read_list(path), str(path), words)


def _count(digits: str) -> int:
    return max(1, min(int(digits[:20]), _LARGEST))
