"""A profile says how documents are scored: a formula over features, in a file of a few lines.

The shipped ones lie in `profiles/`; a person copies one, changes it, and names the file.
"""

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from gossamer.errors import SettingsError
from gossamer.matches import Floats
from gossamer.rank import relevance  # noqa: F401 - its features register themselves
from gossamer.rank.evidence import Breakdown, Evidence
from gossamer.rank.features import FEATURES
from gossamer.rank.formula import Formula

DEFAULT = "default"
_KNOWN = {
    "description": str,
    "score": str,
    "all_words_required": bool,
    "feedback": bool,
    "pairs": bool,
    "k": float,
    "b": float,
    "slashes": float,
    "field_weights": dict,
}
_STATIC = frozenset(
    {
        *("page_rank", "host_rank", "domain_rank", "combined_rank", "in_degree", "in_hosts"),
        *("farm", "doc_rank", "slash_bonus", "url_length", "boost"),
    }
)
"""Features that do not depend on the query."""


class Profile(NamedTuple):
    name: str
    description: str
    score: Formula
    all_words_required: bool = False
    feedback: bool = False  # the words of the best documents join the query
    pairs: bool = False  # neighbouring words count as terms of their own
    k: float | None = None
    b: float | None = None
    slashes: float | None = None
    field_weights: Mapping[str, float] = {}

    @property
    def said(self) -> dict[str, Any]:
        """All that its file says, which may be edited between two queries."""
        return {**self._asdict(), "score": self.score.text}

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(name for name in self.score.names if name in FEATURES)

    @property
    def is_static(self) -> bool:
        """Whether something else than the words of the query can decide the order."""
        return any(name in _STATIC or name not in FEATURES for name in self.score.names)

    def breakdowns(
        self, evidence: Evidence, known: Mapping[str, Breakdown] = MappingProxyType({})
    ) -> dict[str, Breakdown]:
        """Every name of the formula: features, and variables of the documents. `known`: those that
        have been computed before."""
        return {
            name: known[name]
            if name in known
            else FEATURES[name].compute(evidence)
            if name in FEATURES
            else Breakdown(evidence.variable(name))
            for name in self.score.names
        }

    def scores(
        self, evidence: Evidence, known: Mapping[str, Breakdown] = MappingProxyType({})
    ) -> Floats:
        return self.evaluated(self.breakdowns(evidence, known), evidence.size)

    def evaluated(self, known: Mapping[str, Breakdown], size: int) -> Floats:
        """The scores of `size` candidates. `known`: every name of the formula."""
        return self._evaluated({name: found.total for name, found in known.items()}, size)

    def static_scores(self, evidence: Evidence) -> Floats:
        """The order that documents would have if all words spoke for all of them alike."""
        one = np.ones(evidence.size)
        values = {
            name: FEATURES[name].compute(evidence).total
            if name in _STATIC
            else one
            if name in FEATURES
            else evidence.variable(name)
            for name in self.score.names
        }
        return self._evaluated(values, evidence.size)

    def _evaluated(self, values: Mapping[str, Floats], size: int) -> Floats:
        found = self.score.evaluate(values)
        return found if found.shape == (size,) else np.full(size, found)


@cache
def shipped_names() -> tuple[str, ...]:
    folder = resources.files("gossamer.rank") / "profiles"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def is_file(name: str) -> bool:
    """Whether a profile is named by the path of its file."""
    return name.endswith(".toml")


def load_profile(name: str, folder: Path | None = None) -> Profile:
    """A profile by its name, or by the path of its file. `folder` holds a person's own."""
    if is_file(name):
        return _own(Path(name))
    if folder is not None and (own := folder / f"{name}.toml").exists():
        return _own(own)
    return _shipped(name)


def _own(path: Path) -> Profile:
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise SettingsError(f"The profile {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:  # a name with characters that no name has
        raise SettingsError(f"The profile {path} cannot be read: {error}.") from None
    return _read_at(path, stamp)


@lru_cache(maxsize=64)
def _read_at(path: Path, _stamp: int) -> Profile:
    """Read again when the file has changed."""
    return _read(path.stem, path.read_bytes, str(path))


@cache
def _shipped(name: str) -> Profile:
    if name not in shipped_names():
        raise SettingsError(
            f"There is no profile '{name}', only: {', '.join(shipped_names())}. A profile of your "
            "own is a file: give its path, ending in '.toml'."
        )
    entry = resources.files("gossamer.rank") / "profiles" / f"{name}.toml"
    return _read(name, entry.read_bytes, f"{name}.toml")


def _read(name: str, read: Any, path: str) -> Profile:
    try:
        values = tomllib.loads(read().decode("utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"The profile {path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: this is not TOML: {error}.") from None
    for key, value in values.items():
        wanted = _KNOWN.get(key)
        if wanted is None:
            raise SettingsError(f"{path}: unknown setting '{key}', only: {', '.join(_KNOWN)}.")
        if wanted is float and isinstance(value, int) and not isinstance(value, bool):
            values[key] = float(value)
        elif not isinstance(value, wanted):
            raise SettingsError(f"{path}: setting '{key}' must be of type {wanted.__name__}.")
        numbers = value.values() if wanted is dict else [value] if wanted is float else ()
        if not all(isinstance(one, int | float) and isfinite(one) for one in numbers):
            raise SettingsError(f"{path}: setting '{key}' must hold nothing but finite numbers.")
        if any(not 0 <= one <= (1 if key == "b" else one) for one in numbers):
            allowed = "0 to 1" if key == "b" else "0 or more"
            raise SettingsError(f"{path}: setting '{key}' must be {allowed}.")
    if "score" not in values:
        raise SettingsError(f"{path}: setting 'score' is missing: a formula over features.")
    values["score"] = Formula.parse(" ".join(values["score"].split()))
    values.setdefault("description", "")
    return Profile(name, **values)
