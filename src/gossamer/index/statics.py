"""Columns of documents that change without them: ranks by links.

Such columns belong to a generation and not to a part. When nothing but ranks has changed, the next
generation has the parts and the finder of the last one, and new columns.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.index.part import Part
from gossamer.storage.arrays import save


class Statics(NamedTuple):
    names: tuple[str, ...]
    identities: NDArray[np.int64]
    values: NDArray[np.float64]  # a row for each document, a column for each name; NaN: unknown

    @classmethod
    def of(
        cls, names: Iterable[str], identities: Iterable[int], values: NDArray[np.float64]
    ) -> "Statics":
        known = np.fromiter(identities, np.int64)
        order = np.argsort(known)
        return cls(tuple(names), known[order], values[order])

    def write(self, part: Part, folder: Path) -> None:
        """The columns of one part."""
        folder.mkdir(parents=True, exist_ok=True)
        rows = np.full((len(part), len(self.names)), np.nan)
        if len(self.identities):
            places = np.searchsorted(self.identities, part.identities)
            places = np.minimum(places, len(self.identities) - 1)
            is_known = self.identities[places] == part.identities
            rows[is_known] = self.values[places[is_known]]
        for place, name in enumerate(self.names):
            save(folder / f"number-{name}.npy", rows[:, place])


class StaticSource(NamedTuple):
    """Where they come from."""

    stamp: str  # another one for other values
    read: Callable[[], Statics | None]  # asked for after the versions of the documents


NO_STATICS = StaticSource("", lambda: None)
