"""Values of documents, a column a field: numbers and dates as they are, keywords by number.

A document may have several keywords in one field. What is missing is NaN, or no keyword. Of several
numbers in one field, the smallest stands in the column; the others lie beside it, by row.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import FormatError
from gossamer.index.fields import Fields, FieldType, keyword_key
from gossamer.matches import PROSE_COLUMN, TITLE_COLUMNS
from gossamer.storage.arrays import mapped, save
from gossamer.storage.objects import refusals
from gossamer.storage.versioned import rebuild_advice

_NONE: Mapping[str, tuple[float, ...]] = MappingProxyType({})

INNER = ("crawled", "url_length", "url_slashes", *TITLE_COLUMNS, PROSE_COLUMN)
"""Numbers that every document may have beside those of its fields: when it was fetched, how long
and how deep its address is, which words of its title are its own, how much running text it has."""


class ColumnsWriter:
    def __init__(self, fields: Fields) -> None:
        self._numbers: dict[str, list[float]] = {
            name: [] for name in (*fields.of_type(FieldType.NUMBER, FieldType.DATE), *INNER)
        }
        self._more: dict[str, list[tuple[int, float]]] = {}  # (row, value)
        self._rows = 0
        self._keywords: dict[str, dict[str, int]] = {
            name: {} for name in fields.of_type(FieldType.KEYWORD)
        }
        self._codes: dict[str, list[int]] = {name: [] for name in self._keywords}
        self._ends: dict[str, list[int]] = {name: [] for name in self._keywords}

    def add(
        self,
        numbers: Mapping[str, float],
        keywords: Mapping[str, tuple[str, ...]],
        more_numbers: Mapping[str, tuple[float, ...]] = _NONE,
    ) -> None:
        """`more_numbers`: those beside the smallest, which stands in `numbers`."""
        for name, values in more_numbers.items():
            if name in self._numbers:
                self._more.setdefault(name, []).extend((self._rows, value) for value in values)
        self._rows += 1
        for name, column in self._numbers.items():
            column.append(numbers.get(name, np.nan))
        for name, known in self._keywords.items():
            codes = self._codes[name]
            # A document has each keyword once, however it is written.
            different = {keyword_key(keyword): keyword for keyword in keywords.get(name, ())}
            for keyword in different.values():
                codes.append(known.setdefault(keyword, len(known)))
            self._ends[name].append(len(codes))

    def write(self, folder: Path) -> None:
        for name, column in self._numbers.items():
            save(folder / f"number-{name}.npy", np.array(column, np.float64))
        for name, more in self._more.items():
            save(folder / f"more-rows-{name}.npy", np.array([row for row, _ in more], np.int64))
            save(folder / f"more-values-{name}.npy", np.array([value for _, value in more]))
        for name, known in self._keywords.items():
            save(folder / f"codes-{name}.npy", np.array(self._codes[name], np.int32))
            save(folder / f"ends-{name}.npy", np.array(self._ends[name], np.int64))
            with refusals(f"Cannot write {folder}"):
                (folder / f"keywords-{name}.json").write_bytes(msgspec.json.encode(list(known)))


class MoreNumbers(NamedTuple):
    """The values beside the smallest, of the documents that have several."""

    rows: NDArray[np.int64]  # ascending
    values: NDArray[np.float64]  # ascending within a row

    def of(self, row: int) -> tuple[float, ...]:
        begin, end = np.searchsorted(self.rows, (row, row + 1))
        return tuple(self.values[begin:end].tolist())


class KeywordColumn:
    def __init__(self, folder: Path, name: str) -> None:
        self.codes = mapped(folder / f"codes-{name}.npy")
        self.ends = mapped(folder / f"ends-{name}.npy")
        path = folder / f"keywords-{name}.json"
        try:
            self.keywords = msgspec.json.decode(path.read_bytes(), type=list[str])
        except (OSError, msgspec.DecodeError) as error:
            raise FormatError(f"{path} is damaged ({error}). {rebuild_advice()}") from None

    def of(self, row: int) -> tuple[str, ...]:
        begin = int(self.ends[row - 1]) if row else 0
        codes = self.codes[begin : int(self.ends[row])].tolist()
        return tuple(self.keywords[code] for code in codes)

    def counts(self, rows: NDArray[np.int64]) -> dict[str, int]:
        """How many of these documents have each keyword."""
        begins = np.where(rows > 0, self.ends[rows - 1], 0)
        lengths = self.ends[rows] - begins
        total = int(lengths.sum())
        offsets = np.repeat(begins - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        codes = self.codes[offsets + np.arange(total)]
        numbers = np.bincount(codes, minlength=len(self.keywords))
        return {self.keywords[code]: int(numbers[code]) for code in np.flatnonzero(numbers)}


class Columns:
    """The columns of a finished part, opened when they are first asked for."""

    def __init__(self, folder: Path, statics: Path | None = None) -> None:
        """`statics`: where a generation keeps columns of its own for the part."""
        self._folder = folder
        self._statics = statics
        self._opened: dict[str, Any] = {}

    def numbers(self, name: str) -> NDArray[np.float64] | None:
        """None where the part has no such column."""
        file_name = f"number-{name}.npy"
        if file_name not in self._opened:
            path = self._folder / file_name
            if self._statics is not None and (self._statics / file_name).exists():
                path = self._statics / file_name
            self._opened[file_name] = mapped(path) if path.exists() else None
        found: NDArray[np.float64] | None = self._opened[file_name]
        return found

    def more_numbers(self, name: str) -> MoreNumbers | None:
        """None where no document has several values."""
        file_name = f"more-values-{name}.npy"
        if file_name not in self._opened:
            path = self._folder / file_name
            self._opened[file_name] = (
                MoreNumbers(mapped(self._folder / f"more-rows-{name}.npy"), mapped(path))
                if path.exists()
                else None
            )
        found: MoreNumbers | None = self._opened[file_name]
        return found

    def keywords(self, name: str) -> KeywordColumn | None:
        file_name = f"keywords-{name}.json"
        if file_name not in self._opened:
            exists = (self._folder / file_name).exists()
            self._opened[file_name] = KeywordColumn(self._folder, name) if exists else None
        found: KeywordColumn | None = self._opened[file_name]
        return found
