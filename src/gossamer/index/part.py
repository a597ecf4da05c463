"""One immutable piece of the forward store: some documents with their words and values.

Documents have numbers that are never given twice; a part holds those of a range, in their order,
and none of another part's lies between them.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.index.chunks import ChunkTable, Read
from gossamer.index.columns import Columns, ColumnsWriter
from gossamer.index.documents import LONGEST_TEXT, IndexDocument
from gossamer.index.fields import Fields
from gossamer.index.forward import Forward, ForwardWriter
from gossamer.index.titles import own_title
from gossamer.index.wording import WordingWriter
from gossamer.index.written import Written
from gossamer.lib.hashing import hash64
from gossamer.matches import TITLE_COLUMNS
from gossamer.storage.arrays import mapped, save
from gossamer.storage.objects import refusals
from gossamer.text import Analyser, stop_words

ADDRESSES = "addresses.npy"
"""There where documents have addresses that are not their identities."""
_HEADLINE = ("title", "headings")
_WORDED = ("body", "text", "description", "anchor", "site_anchor")
"""Text fields whose words people may mean to type, beside those of the headline."""


class PartWriter:
    def __init__(self, fields: Fields, analyser: Analyser, chunks: ChunkTable) -> None:
        self._analyser = analyser
        self._texts = fields.texts[:-1]
        self._title = fields.title
        self._stops: dict[str, frozenset[str]] = {}
        self._is_headline = [name in _HEADLINE for name in self._texts]
        self._is_worded = [name in (*_HEADLINE, *_WORDED) for name in self._texts]
        self._chunks = chunks
        self._forward = ForwardWriter(fields.texts, chunks.vocabulary)
        self._columns = ColumnsWriter(fields)
        self._wording = WordingWriter()
        self._numbers: list[int] = []
        self._identities: list[int] = []
        self._addresses: list[int] = []
        self.cut = 0  # documents with a text that is longer than what is searched of it
        self._versions: list[int] = []
        self._groups: list[tuple[int, int]] = []  # hashes of text and site
        self._languages: dict[str, int] = {}
        self._language_codes: list[int] = []

    @property
    def words(self) -> int:
        return self._forward.words

    @property
    def first(self) -> int:
        """The number of its first document."""
        return self._numbers[0]

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, number: int, document: IndexDocument) -> Read:
        """Returned are its terms."""
        if self._chunks.is_full:
            self._wording.count(self._chunks.take_words())
            self._chunks.forget()
        counts_all = self._wording.counts_all()
        read, own = self._read(document, self._is_worded if counts_all else self._is_headline)
        self._forward.add(read.terms, read.capitals, read.spans)
        numbers = {**document.numbers, **own}
        self._columns.add(numbers, document.keywords, document.more_numbers)
        title = document.texts.get("title") or document.shown.get("title", "")
        headings = document.texts.get("headings", "")
        headline = f"{title}\n{headings}" if title or headings else ""
        words = self._analyser.words(headline, document.language) if headline else ()
        self._wording.add(title, words, document.language)
        self._numbers.append(number)
        self._identities.append(document.identity)
        self._addresses.append(document.address or document.identity)
        self._versions.append(document.version)
        self._groups.append(_groups(document))
        self.cut += any(len(text) > LONGEST_TEXT for text in document.texts.values())
        known = self._languages
        self._language_codes.append(known.setdefault(document.language, len(known)))
        return read

    def _read(
        self, document: IndexDocument, counted: Sequence[bool]
    ) -> tuple[Read, Mapping[str, float]]:
        """The terms of a document, and which words of its title are its own."""
        texts = [document.texts.get(name, "")[:LONGEST_TEXT] for name in self._texts]
        place = self._title
        if place is None:
            return self._chunks.read(texts, document.language, counted), {}
        # The pieces are read as if they were fields: spaces stand between them.
        pieces = own_title(texts[place], document.title_cut)
        before, behind = texts[:place], texts[place + 1 :]
        counts = [*counted[:place], *[counted[place]] * len(pieces), *counted[place + 1 :]]
        found = self._chunks.read([*before, *pieces, *behind], document.language, counts)
        end = place + len(pieces)
        spans, joined = found.spans[place:end], found.joined[place:end]
        begin, words, _ = spans
        stops = self._stop_terms(document.language)
        telling = sum(term not in stops for term in joined[1].split(" ")) if words else 0
        whole = found._replace(
            spans=[*found.spans[:place], sum(spans), *found.spans[end:]],
            joined=[*found.joined[:place], " ".join(filter(None, joined)), *found.joined[end:]],
        )
        own = zip(TITLE_COLUMNS, map(float, (begin, words, telling)), strict=True)
        return whole, dict(own)

    def _stop_terms(self, language: str) -> frozenset[str]:
        """The terms of the stop words of a language."""
        known = self._stops.get(language)
        if known is None:
            text = " ".join(sorted(stop_words(language)))
            known = frozenset(self._analyser.analyse(text, language).terms)
            self._stops[language] = known
        return known

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._forward.write(folder)
        self._columns.write(folder)
        self._wording.count(self._chunks.take_words())
        self._wording.write(folder)
        self._chunks.written.write(folder)
        save(folder / "numbers.npy", np.array(self._numbers, np.int64))
        save(folder / "identities.npy", np.array(self._identities, np.int64))
        if self._addresses != self._identities:
            save(folder / ADDRESSES, np.array(self._addresses, np.int64))
        save(folder / "versions.npy", np.array(self._versions, np.int64))
        groups = np.array(self._groups, np.int64).reshape(-1, 2)
        save(folder / "groups.npy", np.asfortranarray(groups))
        save(folder / "language-codes.npy", np.array(self._language_codes, np.int16))
        with refusals(f"Cannot write {folder}"):
            (folder / "languages.json").write_bytes(msgspec.json.encode(list(self._languages)))


def _groups(document: IndexDocument) -> tuple[int, int]:
    """Hashes of nearly the same text and of the site of documents; 0 where unknown."""
    site = document.shown.get("site", "")
    return document.shown.get("similarity", 0), hash64(site.encode()) if site else 0


class Part:
    """A finished part, with what a generation says of it: who is gone, and what that changes."""

    def __init__(self, folder: Path, gone: Path | None = None, statics: Path | None = None) -> None:
        self._folder = folder
        self.forward = Forward(folder)
        self.columns = Columns(folder, statics)
        self.numbers: NDArray[np.int64] = mapped(folder / "numbers.npy")
        self.first = int(self.numbers[0])
        self._is_dense = int(self.numbers[-1]) - self.first + 1 == len(self.numbers)
        self.identities: NDArray[np.int64] = mapped(folder / "identities.npy")
        addresses = folder / ADDRESSES
        self.addresses = mapped(addresses) if addresses.exists() else self.identities
        self.versions: NDArray[np.int64] = mapped(folder / "versions.npy")
        self.groups: NDArray[np.int64] = mapped(folder / "groups.npy")
        self.written = Written(folder)
        self.alive: NDArray[np.bool_] | None = None
        if gone is not None:
            self.alive = mapped(gone / "alive.npy")
            self.forward.frequencies = mapped(gone / "frequencies.npy")
            self.forward.occurrences = mapped(gone / "occurrences.npy")

    def __len__(self) -> int:
        return len(self.numbers)

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where documents of this part lie."""
        if self._is_dense:
            return numbers - self.first
        return np.searchsorted(self.numbers, numbers)

    def living(self) -> NDArray[np.int64]:
        """The rows of the documents that are there."""
        if self.alive is None:
            return np.arange(len(self))
        return np.flatnonzero(self.alive)

    def languages(self) -> dict[str, int]:
        """How many living documents there are in each language."""
        names = msgspec.json.decode((self._folder / "languages.json").read_bytes(), type=list[str])
        codes = mapped(self._folder / "language-codes.npy")[self.living()]
        counts = np.bincount(codes, minlength=len(names)).tolist()
        return {name: count for name, count in zip(names, counts, strict=True) if count}

    def write_without(self, rows: NDArray[np.int64], folder: Path) -> None:
        """Write which documents of this part are left without these, and their statistics."""
        folder.mkdir(parents=True)
        alive = np.ones(len(self), bool) if self.alive is None else np.array(self.alive)
        alive[rows] = False
        frequencies, occurrences = self.forward.statistics_without(rows)
        save(folder / "alive.npy", alive)
        save(folder / "frequencies.npy", frequencies)
        save(folder / "occurrences.npy", occurrences)
