"""Passages and whole pages to index, and queries of the kinds that people type.

Real ones first (`real_text`), and where there are not enough, more like them (`text_model`). They
lie in files, one text a line, so that no program need hold them all. The same folder gets the
queries: real ones where GOSSAMER_DATA has them, otherwise words that stand together in a passage.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.real_text import Page, data_folder, pages
from benchmarks.text_model import TextModel
from gossamer.text import stop_words

PASSAGE_WORDS = 300
_PAGE_WORDS = 2_000  # the mean, where the real pages are too short to tell
_SHORTEST_PASSAGE = 60
_COMMON = 100
_GENERATED_PAGES = 1 << 40  # numbers of texts that are pages start here
_PLAIN = re.compile(r"[a-z]{3,}")
_TYPED = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")  # no signs that mean something to a peer


def lines_of(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield line.rstrip("\n")


class Corpus:
    """What a folder with the corpus is filled from. Reading the real text takes some seconds."""

    def __init__(self, data: Path | None = None) -> None:
        self._data = data if data is not None else data_folder()

    @cached_property
    def real_pages(self) -> list[Page]:
        return list(pages(self._data))

    @cached_property
    def model(self) -> TextModel:
        return TextModel(self.real_pages)

    def write_passages(self, path: Path, number: int) -> int:
        """How many of them are real."""
        real = [text for page in self.real_pages for text in passages_of(page)]
        rng = np.random.default_rng(11)
        spread = rng.normal(PASSAGE_WORDS, PASSAGE_WORDS / 5, max(0, number - len(real)))
        lengths = np.maximum(spread, _SHORTEST_PASSAGE).astype(int).tolist()
        return self._write(path, number, real, self.model.texts(0, lengths))

    def write_pages(self, path: Path, number: int) -> int:
        """How many of them are real. The lengths of the others are those of real pages."""
        real = [" ".join(page) for page in self.real_pages]
        lengths = np.array([len(text.split()) for text in real])
        if self._data is None:
            # What ships with the project is shorter than the pages of the web.
            real, lengths = [], (lengths * (_PAGE_WORDS / lengths.mean())).astype(int)
        rng = np.random.default_rng(12)
        drawn = rng.choice(lengths, max(0, number - len(real))).tolist()
        return self._write(path, number, real, self.model.texts(_GENERATED_PAGES, drawn))

    @staticmethod
    def _write(path: Path, number: int, real: Sequence[str], made: Iterator[str]) -> int:
        """Real and generated ones mixed, as an index of the web has no order either."""
        chosen = min(number, len(real))
        order = np.random.default_rng(13).permutation(number)
        with path.open("w", encoding="utf-8") as lines:
            for place in order.tolist():
                lines.write((real[place] if place < chosen else next(made)) + "\n")
        return chosen

    def queries(self, number: int) -> dict[str, list[str]]:
        """By group: so many of one, two and three words, and a third of that of the others."""
        typed = self._typed() if self._data else {}
        groups = {}
        for words, name in ((1, "1 word"), (2, "2 words"), (3, "3 words")):
            of_length = _sample(typed.get(words, []), number, seed=words)
            if missing := number - len(of_length):
                of_length += self._drawn(missing, words)
            groups[name] = of_length
        groups["3 common"] = self._common(number // 3)
        groups["phrases"] = self._phrases(number // 3)
        groups["misspelt"] = self._misspelt(groups["2 words"], number // 3)
        groups["warm"] = self._drawn(30, 4)
        return groups

    def _typed(self) -> dict[int, list[str]]:
        """Queries of people whose words are all in the corpus, by their number of words."""
        assert self._data is not None
        found: dict[int, dict[str, None]] = {}
        for path in sorted(self._data.glob("queries/*.txt")):
            # As people typed them: not all of it is UTF-8.
            for line in path.read_text(encoding="latin-1").splitlines():
                query = line.partition(":")[2].strip().lower()
                words = query.split()
                if _TYPED.fullmatch(query) and all(self.model.counts.get(w, 0) > 1 for w in words):
                    found.setdefault(len(words), {})[query] = None
        return {words: list(queries) for words, queries in found.items()}

    @cached_property
    def _content(self) -> set[str]:
        """Words that people would search for: no stop words, and neither unheard of nor rare."""
        ignored = stop_words("en")
        counts = self.model.counts
        return {
            word
            for word, count in counts.items()
            if count > 2 and _PLAIN.fullmatch(word) and word not in ignored
        }

    def _drawn(self, number: int, words: int) -> list[str]:
        """Words of one stretch of real text, in its order."""
        rng = np.random.default_rng((21, words))
        found: dict[str, None] = {}
        model = self.model
        while len(found) < number:
            begin = int(rng.integers(max(1, len(model.keys) - PASSAGE_WORDS)))
            stretch = model.keys[begin : begin + PASSAGE_WORDS].tolist()
            told = [word for word in (model.words[key] for key in stretch) if word in self._content]
            told = list(dict.fromkeys(told))
            if len(told) >= words:
                chosen = sorted(rng.choice(len(told), words, replace=False).tolist())
                found[" ".join(told[place] for place in chosen)] = None
        return list(found)

    def _common(self, number: int) -> list[str]:
        """Three of the hundred commonest words that are no stop words."""
        counts = self.model.counts
        common = sorted(self._content, key=lambda word: (-counts[word], word))[:_COMMON]
        rng = np.random.default_rng(3)
        picks = (rng.choice(len(common), 3, replace=False) for _ in range(4 * number))
        found = dict.fromkeys(" ".join(common[place] for place in pick) for pick in picks)
        return list(found)[:number]

    def _phrases(self, number: int) -> list[str]:
        """Two words that stand together in real text, with nothing between them."""
        rng = np.random.default_rng(5)
        model = self.model
        found: dict[str, None] = {}
        while len(found) < number:
            place = int(rng.integers(len(model.tokens) - 1))
            first, second = model.tokens[place : place + 2].tolist()
            pair = [model.surfaces[first].lower(), model.surfaces[second].lower()]
            if all(word in self._content for word in pair):
                found[f'"{pair[0]} {pair[1]}"'] = None
        return list(found)

    def _misspelt(self, queries: Sequence[str], number: int) -> list[str]:
        wrong = (misspelt(query) for query in queries)
        counts = self.model.counts
        return [query for query in wrong if not all(w in counts for w in query.split())][:number]


def passages_of(page: Page) -> Iterator[str]:
    """Whole paragraphs together until there are about 300 words; a long one is cut."""
    words: list[str] = []
    for paragraph in page:
        words += paragraph.split()
        while len(words) >= PASSAGE_WORDS:
            size = min(len(words), PASSAGE_WORDS + PASSAGE_WORDS // 5)
            yield " ".join(words[:size])
            words = words[size:]
    if len(words) >= _SHORTEST_PASSAGE:
        yield " ".join(words)


def misspelt(query: str) -> str:
    """Two letters of the longest word change places."""
    words = query.split()
    longest = max(range(len(words)), key=lambda place: len(words[place]))
    word = words[longest]
    middle = len(word) // 2
    words[longest] = word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
    return " ".join(words)


def _sample(queries: Sequence[str], number: int, seed: int) -> list[str]:
    chosen = np.random.default_rng((31, seed)).permutation(len(queries))[:number]
    return [queries[place] for place in chosen.tolist()]


def write_corpus(folder: Path, passages: int, whole_pages: int, queries: int) -> dict[str, int]:
    """`passages.txt`, `pages.txt`, `queries.json`, and `corpus.json`, which tells what they are."""
    corpus = Corpus()
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "passages": passages,
        "real_passages": corpus.write_passages(folder / "passages.txt", passages),
        "pages": whole_pages,
        "real_pages": corpus.write_pages(folder / "pages.txt", whole_pages),
    }
    asked = json.dumps(corpus.queries(queries), indent=1)
    (folder / "queries.json").write_text(asked, encoding="utf-8")
    (folder / "corpus.json").write_text(json.dumps(about), encoding="utf-8")
    return about
