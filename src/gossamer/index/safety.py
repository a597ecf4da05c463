"""Which documents are not for everybody's eyes: by their own rating, or by a list that people keep.

    # a line of its own, or the rest of one, is a comment
    adult.example          a host, with all beneath it
    some words             a word or a phrase

A document is marked by a word of the list where it says what the document is: in its title, its
description, or its address. What its text talks about does not count: a page on health is no page
of that kind.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gossamer.config.lists import listed, read_list
from gossamer.errors import SettingsError
from gossamer.lib.hashing import hash64

FIELD = "safety"
"""The keyword field that holds the mark."""
ADULT = "adult"

_HOST = re.compile(r"(?:\*?\.)?([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)\.?")
_MOST_WORDS = 8  # of one phrase

Words = Callable[[str], Sequence[str]]


class SafetyList:
    """Hosts by the million and words by the thousand."""

    def __init__(self, text: str, name: str, words: Words) -> None:
        """`name` is that of the file, for errors. `words`: how a text becomes words."""
        self.stamp = hash64(text.encode("utf-8", "replace"))
        self._words_of = words
        hosts: list[int] = []
        self._phrases: set[tuple[str, ...]] = set()
        for number, content in listed(text):
            if found := _HOST.fullmatch(content):
                hosts.append(_hashed(found[1]))
                continue
            phrase = tuple(words(content))
            if not phrase:
                raise SettingsError(f"{name}, line {number}: there is neither a host nor a word.")
            if len(phrase) > _MOST_WORDS:
                raise SettingsError(f"{name}, line {number}: more than {_MOST_WORDS} words.")
            self._phrases.add(phrase)
        self._hosts = np.unique(np.array(hosts, np.int64))
        self._lengths = sorted({len(phrase) for phrase in self._phrases})

    @classmethod
    def from_file(cls, path: Path, words: Words) -> "SafetyList":
        return cls(read_list(path), str(path), words)

    def lists(self, host: str, texts: Sequence[str]) -> bool:
        """Whether a host, or a word of what a document says of itself, stands in the list."""
        return self._lists_host(host) or any(map(self._lists_words, texts))

    def _lists_host(self, host: str) -> bool:
        if not len(self._hosts):
            return False
        labels = host.partition(":")[0].split(".")
        names = [".".join(labels[place:]) for place in range(len(labels) - 1)]
        wanted = np.array([_hashed(name) for name in names], np.int64)
        return bool(np.isin(wanted, self._hosts, kind="sort").any())

    def _lists_words(self, text: str) -> bool:
        if not self._phrases or not text:
            return False
        words = tuple(self._words_of(text))
        return any(
            words[place : place + length] in self._phrases
            for length in self._lengths
            for place in range(len(words) - length + 1)
        )


def _hashed(host: str) -> int:
    return hash64(host.lower().encode("utf-8", "replace"))
