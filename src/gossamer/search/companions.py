"""What lies beside a generation of an index for those who type: corrections and suggestions.

Both are arrays in files, mapped when they are first asked for.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from gossamer.errors import FormatError
from gossamer.index.wording import Wording
from gossamer.query.dictionary import Dictionary
from gossamer.query.spelling import SpellingIndex
from gossamer.query.suggest import SuggestionIndex
from gossamer.search.titles import own_titles
from gossamer.storage.arrays import mapped, save
from gossamer.storage.versioned import rebuild_advice

_SPELLING = "spelling"
_SUGGESTIONS = "suggestions"


def write_companions(
    folder: Path,
    wording: Wording,
    spelling_grams: int = 2,
    dictionary: Dictionary | None = None,
    past_queries: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """`folder`: of the generation that is being made. `dictionary`: what is known beside it.
    `past_queries`: what was asked before, and how often."""
    words, titles = Counter(wording.words), own_titles(Counter(wording.titles))
    if dictionary is not None:
        words += dictionary.words
        titles += dictionary.entries
    spelling = SpellingIndex.build(words, q=spelling_grams)
    _write(folder / _SPELLING, spelling.to_arrays())
    entries = [(title, 2.0 + np.log1p(count)) for title, count in sorted(titles.items())]
    entries += [(text, 2.0 + np.log1p(count)) for text, count in sorted(past_queries.items())]
    entries += [
        (phrase, float(np.log1p(count))) for phrase, count in sorted(wording.phrases.items())
    ]
    _write(folder / _SUGGESTIONS, SuggestionIndex.build(entries).to_arrays())


def open_spelling(folder: Path) -> SpellingIndex:
    return SpellingIndex.from_arrays(_read(folder / _SPELLING))


def open_suggestions(folder: Path) -> SuggestionIndex:
    return SuggestionIndex.from_arrays(_read(folder / _SUGGESTIONS))


def _write(
    folder: Path, arrays: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]
) -> None:
    folder.mkdir(parents=True)
    for name, array in arrays.items():
        save(folder / f"{name}.npy", array)


def _read(folder: Path) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    found = {path.stem: mapped(path) for path in sorted(folder.glob("*.npy"))}
    if not found:
        raise FormatError(f"{folder} is missing. {rebuild_advice()}")
    return found
