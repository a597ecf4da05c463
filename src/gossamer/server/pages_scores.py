"""A score opened into its parts, as bars: the terms of the formula, and the words behind each."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gossamer.rank.features import FEATURES
from gossamer.rank.formula import FormulaPart

_MOST_WORDS = 8
_BESIDE = {
    "text": "the words of the query in the document",
    "pairs": "words of the query side by side",
    "feedback": "words that the best documents share",
    "named": "the query is the address of this page or the name of its site",
    "query_weight": "how much the query weighs in all",
}


class Bar(NamedTuple):
    label: str
    detail: str
    value: float
    share: float  # of the longest bar beside it, 0 to 100
    parts: tuple["Bar", ...] = ()


def bars(explain: Mapping[str, Any]) -> list[Bar]:
    """The terms that add up to the score, the largest first, each with the words behind it."""
    features = explain["features"]
    terms = list(_terms(explain["parts"], 1.0))
    largest = max((abs(value) for _, value in terms), default=0.0)
    made = [
        Bar(
            _label(part, features),
            part.text,
            value,
            _share(value, largest),
            tuple(_words(part, features)),
        )
        for part, value in terms
        if value
    ]
    return sorted(made, key=lambda bar: -abs(bar.value))


def _terms(part: FormulaPart, sign: float) -> Iterator[tuple[FormulaPart, float]]:
    """A sum is told by its text: what it is made of, and a sign between."""
    if len(part.parts) == 2:
        first, second = part.parts
        is_whole = part.text.startswith(first.text) and part.text.endswith(second.text)
        between = part.text[len(first.text) : len(part.text) - len(second.text)].strip()
        if is_whole and between in ("+", "-"):
            yield from _terms(first, sign)
            yield from _terms(second, sign if between == "+" else -sign)
            return
    yield part, sign * part.value


def _names(part: FormulaPart) -> list[str]:
    if not part.parts:
        return [part.text]
    return list(dict.fromkeys(name for below in part.parts for name in _names(below)))


def _label(part: FormulaPart, features: Mapping[str, Any]) -> str:
    names = [name for name in _names(part) if name in features]
    spoken = [name for name in names if features[name]["value"] and name != "query_weight"]
    return "; ".join(_meaning(name) for name in spoken or names) or part.text


def _meaning(name: str) -> str:
    if name in _BESIDE:
        return _BESIDE[name]
    known = FEATURES.get(name)
    return known.meaning if known else f"the field '{name}'"


def _words(part: FormulaPart, features: Mapping[str, Any]) -> list[Bar]:
    found = [
        word
        for name in _names(part)
        for word in features.get(name, {}).get("words", ())
        if word["value"]
    ]
    found.sort(key=lambda word: -abs(word["value"]))
    largest = abs(found[0]["value"]) if found else 0.0
    return [
        Bar(
            word["word"],
            _fields(word.get("fields", {})),
            word["value"],
            _share(word["value"], largest),
        )
        for word in found[:_MOST_WORDS]
    ]


def _fields(values: Mapping[str, float]) -> str:
    """Where a word counts, most first."""
    return ", ".join(sorted(values, key=lambda name: -abs(values[name])))


def _share(value: float, largest: float) -> float:
    return round(100 * abs(value) / largest, 1) if largest else 0.0
