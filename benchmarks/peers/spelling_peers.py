"""Corrections by symspellpy and pyspellchecker: run by the benchmark with the peers' interpreter.

    python spelling_peers.py vocabulary > vocabulary.json
    python spelling_peers.py correct < {"vocabulary": ..., "words": ...} > corrections.json

The vocabulary is symspellpy's own, with its frequencies. Out: for each peer the corrections (""
for none), the CPU-seconds of all of them, and the version.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import symspellpy
from spellchecker import SpellChecker
from symspellpy import SymSpell, Verbosity

_DICTIONARY = "frequency_dictionary_en_82_765.txt"


def vocabulary() -> dict[str, int]:
    path = Path(symspellpy.__file__).parent / _DICTIONARY
    lines = (line.split() for line in path.read_text(encoding="utf-8-sig").splitlines())
    return {word: int(frequency) for word, frequency in lines}


def _symspell(words: dict[str, int], distance: int) -> Callable[[str], str]:
    speller = SymSpell(max_dictionary_edit_distance=distance)
    for word, frequency in words.items():
        speller.create_dictionary_entry(word, frequency)

    def correct(word: str) -> str:
        found = speller.lookup(word, Verbosity.TOP, max_edit_distance=distance)
        return str(found[0].term) if found else ""

    return correct


def _pyspellchecker(words: dict[str, int]) -> Callable[[str], str]:
    speller = SpellChecker(language=None)
    speller.word_frequency.load_json(words)
    return lambda word: str(speller.correction(word) or "")


def main() -> None:
    if sys.argv[1] == "vocabulary":
        json.dump(vocabulary(), sys.stdout)
        return
    asked = json.load(sys.stdin)
    peers = {
        "symspellpy": _symspell(asked["vocabulary"], 2),  # its own choice of distance
        "symspellpy_3": _symspell(asked["vocabulary"], 3),
        "pyspellchecker": _pyspellchecker(asked["vocabulary"]),
    }
    answer = {}
    for name, correct in peers.items():
        begin = time.process_time()
        corrections = [correct(word) for word in asked["words"]]
        seconds = time.process_time() - begin
        answer[name] = {
            "corrections": corrections,
            "seconds": seconds,
            "version": version(name.removesuffix("_3")),
        }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
