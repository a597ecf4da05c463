"""Parts of the forward store made one, without the documents that are gone.

Every update adds a part, and deleted documents stay in theirs: a thousand small updates would make
a thousand parts to look into, and words of deleted documents would be proposed for ever. So a
writer merges parts in the same generation change in which it adds one.

Only neighbours are merged, as documents keep their numbers and no two parts may overlap. Words get
new numbers, by frequency. At most `MOST_WORDS` are in memory.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.index.columns import INNER, ColumnsWriter
from gossamer.index.fields import Fields, FieldType
from gossamer.index.forward import Forward, ForwardWriter
from gossamer.index.generations import PartEntry
from gossamer.index.part import ADDRESSES, Part
from gossamer.index.vocabulary import GrowingVocabulary
from gossamer.index.wording import Wording, read_wording, write_wording
from gossamer.index.written import write_joined
from gossamer.storage.arrays import mapped, save
from gossamer.storage.objects import refusals
from gossamer.text import Analyser

MOST_WORDS = 40_000_000
"""Of a merged part: as many as of one that is written at once."""
_TIER = 8
"""So many neighbours of about the same size become one."""
_FACTOR = 4.0  # 'about the same size': none has more words than so many times another
_MOST_GONE = 0.3
"""A part in which a larger share of the documents is gone is rewritten."""


def due(entries: Sequence[PartEntry]) -> list[tuple[int, int]]:
    """The runs of neighbours that are to be merged, as [first, end) of their places. A run of one
    is rewritten without what is gone."""
    found: list[tuple[int, int]] = []
    place = 0
    while place < len(entries):
        end = _run(entries, place)
        if end - place >= _TIER:
            found.append((place, end))
            place = end
        elif entries[place].gone > _MOST_GONE * entries[place].documents:
            found.append((place, place + 1))
            place += 1
        else:
            place += 1
    return found


def _run(entries: Sequence[PartEntry], first: int) -> int:
    """The end of the neighbours of like size that fit together."""
    smallest = largest = max(1, entries[first].words)
    total = entries[first].words
    end = first + 1
    while end < len(entries):
        words = max(1, entries[end].words)
        smallest, largest = min(smallest, words), max(largest, words)
        total += words
        if largest > _FACTOR * smallest or total > MOST_WORDS:
            break
        end += 1
    return end


def merged(
    parts: Sequence[tuple[Part, Path]],
    number: int,
    target: Callable[[PartEntry], Path],
    fields: Fields,
    analyser: Analyser,
) -> PartEntry:
    """Write one part with the living documents of several neighbours, each with its folder.
    `target`: the folder of the new one, whose `number` is given."""
    rows = [part.living() for part, _ in parts]
    vocabulary = GrowingVocabulary()
    forward = ForwardWriter(fields.texts, vocabulary)
    for (part, _), living in zip(parts, rows, strict=True):
        _add_words(forward, vocabulary, part.forward, living)

    def joined(arrays: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        return np.concatenate([one[which] for one, which in zip(arrays, rows, strict=True)])

    numbers = joined([part.numbers for part, _ in parts])
    entry = PartEntry(number, len(numbers), first=int(numbers[0]), words=forward.words)
    folder = target(entry)
    folder.mkdir(parents=True)
    forward.write(folder)
    _write_columns(folder, fields, parts, rows)
    save(folder / "numbers.npy", numbers)
    save(folder / "identities.npy", joined([part.identities for part, _ in parts]))
    if any(part.addresses is not part.identities for part, _ in parts):
        save(folder / ADDRESSES, joined([part.addresses for part, _ in parts]))
    save(folder / "versions.npy", joined([part.versions for part, _ in parts]))
    groups = [part.groups[living] for (part, _), living in zip(parts, rows, strict=True)]
    save(folder / "groups.npy", np.asfortranarray(np.concatenate(groups)))
    languages = _write_languages(folder, parts, rows)
    write_joined(folder, [source for _, source in parts])
    write_wording(folder, _wording(parts, rows, vocabulary, languages, analyser))
    return entry


def _add_words(
    writer: ForwardWriter,
    vocabulary: GrowingVocabulary,
    forward: Forward,
    rows: NDArray[np.int64],
) -> None:
    """The documents of these rows, their words under the numbers of the new vocabulary."""
    number_of = np.full(len(forward.vocabulary), -1, np.int64)
    held = np.flatnonzero(forward.frequencies)  # of living documents
    words = forward.vocabulary.words()
    number_of[held] = [vocabulary[words[term]] for term in held.tolist()]
    for row in rows.tolist():
        terms = number_of[forward.terms(row)].astype(np.int32)
        writer.add(terms, forward.capitals(row), forward.spans[row].tolist())


def _write_columns(
    folder: Path,
    fields: Fields,
    parts: Sequence[tuple[Part, Path]],
    rows: Sequence[NDArray[np.int64]],
) -> None:
    writer = ColumnsWriter(fields)
    numeric = (*fields.of_type(FieldType.NUMBER, FieldType.DATE), *INNER)
    keyed = fields.of_type(FieldType.KEYWORD)
    for (part, _), living in zip(parts, rows, strict=True):
        numbers = {name: part.columns.numbers(name) for name in numeric}
        keywords = {name: part.columns.keywords(name) for name in keyed}
        more = {name: part.columns.more_numbers(name) for name in numeric}
        several = {name: column for name, column in more.items() if column is not None}
        for row in living.tolist():
            writer.add(
                {
                    name: float(column[row])
                    for name, column in numbers.items()
                    if column is not None
                },
                {name: column.of(row) for name, column in keywords.items() if column is not None},
                {name: column.of(row) for name, column in several.items()},
            )
    writer.write(folder)


def _write_languages(
    folder: Path, parts: Sequence[tuple[Part, Path]], rows: Sequence[NDArray[np.int64]]
) -> list[str]:
    known: dict[str, int] = {}
    codes = []
    for (_, source), living in zip(parts, rows, strict=True):
        names = msgspec.json.decode((source / "languages.json").read_bytes(), type=list[str])
        code_of = np.array([known.setdefault(name, len(known)) for name in names], np.int16)
        codes.append(code_of[mapped(source / "language-codes.npy")[living]])
    save(folder / "language-codes.npy", np.concatenate(codes))
    with refusals(f"Cannot write {folder}"):
        (folder / "languages.json").write_bytes(msgspec.json.encode(list(known)))
    return list(known)


def _wording(
    parts: Sequence[tuple[Part, Path]],
    rows: Sequence[NDArray[np.int64]],
    vocabulary: GrowingVocabulary,
    languages: Sequence[str],
    analyser: Analyser,
) -> Wording:
    """As far as it is that of living documents: words whose terms still stand in one, phrases of
    such words, titles of such documents."""
    words: dict[str, int] = {}
    phrases: dict[str, int] = {}
    titles: list[str] = []
    for (part, folder), living in zip(parts, rows, strict=True):
        found = read_wording(folder)
        share = len(living) / len(part)
        for counts, total in ((found.words, words), (found.phrases, phrases)):
            for text, count in counts.items():
                total[text] = total.get(text, 0) + max(1, round(count * share))
        titles += [found.titles[row] for row in living.tolist()]
    if any(len(living) < len(part) for (part, _), living in zip(parts, rows, strict=True)):

        def lives(word: str) -> bool:
            return any(
                term in vocabulary
                for language in languages
                for analysis in (analyser.analyse(word, language),)
                for term in (*analysis.terms, *analysis.extras)
            )

        words = {word: count for word, count in words.items() if lives(word)}
        phrases = {
            text: count
            for text, count in phrases.items()
            if all(word in words or lives(word) for word in text.split(" "))
        }
    return Wording(words, phrases, titles)
