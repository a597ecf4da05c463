"""Generated documents of a small vocabulary, whose words are their own stems in every language."""

import random
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

_COMMON = (
    "basalt cobalt falcon harbor lagoon nectar orchid quartz walnut yacht zephyr umbra velvet "
    "sphinx topaz urn vortex zonk"
)
_RARE = (
    "vex kiln fjord glyph plinth quill brook cliff hawk jib kelp lark newt onyx pylon rook sloth "
    "yak zinc zorn brig crypt dusk elk fox grub hymn ink jolt knot loom marsh notch oak prism rust "
    "moth obelisk xenon"
)
COMMON = tuple(_COMMON.split())
RARE = tuple(_RARE.split())
WORDS = (*COMMON, *RARE)
PLURALS = {"gongs": "gong", "drums": "drum", "flints": "flint"}  # in English documents only
ACCENTED = {"zárk": "zark", "mélb": "melb"}
COMPOUNDS = ("zorn-vex", "kiln-brook", "elk-moth", "fox-and-the-hawk", "rook-of-the-oak-brig")
JOINED = ("zornvex", "elkmoth")  # compounds as some write them
STOP_WORDS = ("the", "of", "and")  # in English documents only

LANGUAGES = ("en", "en", "en", "de", "fr")
KINDS = ("lamps", "tools", "Lumen & Latch", "red|blue", "garden-ware")
TAGS = ("brass", "oakwood", "steel", "glass", "tin")
SITES = ("north.test", "south.test", "west.test", "east.test", "")
NUMBERS = (0.0, -0.0, 1.0, 2.0, 5.0, 10.0, 10.5, 39.5, 47.0, 99.99, 1234.5, -3.0, -0.25, 1e6)
DAYS = ("2023-12-31", "2024-01-01", "2024-02-29", "2024-05-31", "2024-06-01", "2025-07-15")
TIMES = ("", "T00:00:00Z", "T12:30:00Z", "T23:59:59Z", "T23:59:59.9999Z")

FIELDS = {
    "title": "text",
    "text": "text",
    "kind": "keyword",
    "tags": "keyword",
    "price": "number",
    "votes": "number",
    "sizes": "number",
    "date": "date",
    "url": "link",
}

_TOKEN = re.compile(r"\w+(?:-\w+)*")


def folded(word: str) -> str:
    """The form in which words are compared: no capitals, no accents, the singular."""
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFD", word.lower())
        if not unicodedata.combining(letter)
    )
    return PLURALS.get(bare, bare)


@dataclass(frozen=True)
class Text:
    """The words of a field, in their order."""

    words: tuple[str, ...]
    joined: frozenset[str] = frozenset()  # compounds as one word

    @classmethod
    def of(cls, text: str) -> "Text":
        words: list[str] = []
        joined = set()
        for token in _TOKEN.findall(text):
            parts = [folded(part) for part in token.split("-")]
            words += parts
            if len(parts) > 1:
                joined.add("".join(parts))
        return cls(tuple(words), frozenset(joined))


@dataclass(frozen=True)
class Document:
    """A document as it is written to a file, and as the oracle reads it."""

    record: dict[str, Any]
    texts: dict[str, Text]
    keywords: dict[str, tuple[str, ...]]
    numbers: dict[str, tuple[float, ...]]
    moments: dict[str, datetime] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return str(self.record["id"])

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Document":
        moments = {}
        if "date" in record:
            moments["date"] = _moment(record["date"])
        keywords = {
            "kind": _values(record, "kind"),
            "tags": _values(record, "tags"),
            "lang": _values(record, "language"),
        }
        if site := record.get("url", "").removeprefix("http://").partition("/")[0]:
            keywords["site"] = (site,)
        return cls(
            record,
            {name: Text.of(record[name]) for name in ("title", "text") if name in record},
            keywords,
            {name: _values(record, name) for name in ("price", "votes", "sizes")},
            moments,
        )


def _values(record: dict[str, Any], name: str) -> tuple[Any, ...]:
    value = record.get(name, [])
    return tuple(value) if isinstance(value, list) else (value,)


def _moment(text: str) -> datetime:
    if len(text) == 10:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    whole, dot, fraction = text.removesuffix("Z").partition(".")
    seconds = float(f"0.{fraction}") if dot else 0.0
    moment = datetime.fromisoformat(whole).replace(tzinfo=UTC)
    return moment + timedelta(microseconds=int(seconds * 1e6))


def generated(seed: int, count: int, longest: int = 40) -> list[Document]:
    rng = random.Random(seed)
    return [Document.of(_record(rng, number, longest)) for number in range(count)]


def _record(rng: random.Random, number: int, longest: int) -> dict[str, Any]:
    language = rng.choice(LANGUAGES)
    record: dict[str, Any] = {
        "id": f"d{number:05}",
        "language": language,
        "text": _text(rng, language, rng.randint(3, longest)),
    }
    if rng.random() < 0.9:
        record["title"] = _text(rng, language, rng.randint(1, 4))
    if rng.random() < 0.9:
        record["kind"] = rng.choice(KINDS)
    if tags := rng.sample(TAGS, rng.choice((0, 1, 1, 2, 3))):
        record["tags"] = tags
    if rng.random() < 0.85:
        record["price"] = rng.choice((*NUMBERS, rng.randint(0, 100), rng.randint(0, 5000) / 100))
    if rng.random() < 0.95:
        record["votes"] = int(1000 * rng.random() ** 8)
    if rng.random() < 0.4:
        record["sizes"] = rng.sample(range(1, 9), rng.randint(1, 3))
    if rng.random() < 0.85:
        record["date"] = rng.choice(DAYS) + rng.choice(TIMES)
    if site := rng.choice(SITES):
        record["url"] = f"http://{site}/{number}"
    return record


def _text(rng: random.Random, language: str, count: int) -> str:
    words = []
    for _ in range(count):
        draw = rng.random()
        if draw < 0.55:
            word = rng.choice(COMMON)
        elif draw < 0.82 or language != "en":
            word = rng.choice(RARE if draw < 0.95 else (*JOINED, *COMPOUNDS[:3], *ACCENTED))
        elif draw < 0.9:
            word = rng.choice(STOP_WORDS)
        elif draw < 0.94:
            word = rng.choice((*PLURALS, *PLURALS.values()))
        else:
            word = rng.choice((*COMPOUNDS, *JOINED, *ACCENTED, *ACCENTED.values()))
        if rng.random() < 0.3:
            word = word.replace("-", " ")
        if rng.random() < 0.1:
            word = word.capitalize()
        words.append(word + rng.choice(("", "", "", "", "", ",", ".")))
    return " ".join(words)
