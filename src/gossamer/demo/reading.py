"""What do the texts under content/ say?

A file holds many entries. Each begins with a line `# Title`, then fields (`name: value`), a blank
line, and a text in Markdown. Shop and universities are JSON, an object a line.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

_FIELD = re.compile(r"(\w+):\s*(.*)")
_ANSWER = re.compile(r"answer by (?P<author>\S+), (?P<date>[\d-]+), votes (?P<votes>-?\d+)")


@dataclass(frozen=True)
class Article:
    """Of the encyclopedia."""

    title: str
    topic: str
    categories: tuple[str, ...]
    body: str


@dataclass(frozen=True)
class Story:
    """Of the newspaper."""

    title: str
    slug: str
    section: str
    date: date
    author: str
    tags: tuple[str, ...]
    body: str


@dataclass(frozen=True)
class Post:
    author: str
    date: date
    votes: int
    body: str


@dataclass(frozen=True)
class Thread:
    """Of the forum: the first post is the question."""

    title: str
    slug: str
    board: str
    posts: tuple[Post, ...]


@dataclass(frozen=True)
class Review:
    author: str
    date: date
    stars: int
    text: str


@dataclass(frozen=True)
class Product:
    """Of the shop. The price is in euros."""

    slug: str
    name: str
    brand: str
    category: str
    price: float
    rating: float
    votes: int
    stock: int
    colour: str
    weight_grams: int
    released: date
    summary: str
    description: str
    features: tuple[str, ...]
    related: tuple[str, ...]
    reviews: tuple[Review, ...]


@dataclass(frozen=True)
class University:
    slug: str
    name: str
    native_name: str
    city: str
    country: str
    continent: str
    founded: int
    kind: str
    known_for: str
    notable: tuple[str, ...]


@dataclass(frozen=True)
class Leaflet:
    """A page that stands alone: about, contact, rules, an article in another language."""

    title: str
    path: str
    fields: dict[str, str]
    body: str


class _Entry(NamedTuple):
    title: str
    fields: dict[str, str]
    body: str


def read_articles() -> list[Article]:
    return [
        Article(entry.title, topic, _listed(entry.fields["categories"]), entry.body)
        for topic, entry in _entries("encyclopedia")
    ]


def read_redirects() -> dict[str, str]:
    """Other names of articles, and their titles."""
    redirects: dict[str, str] = _object("encyclopedia", "redirects.json")
    return redirects


def read_stories() -> list[Story]:
    return [
        Story(
            entry.title,
            entry.fields["slug"],
            section,
            date.fromisoformat(entry.fields["date"]),
            entry.fields["author"],
            _listed(entry.fields["tags"]),
            entry.body,
        )
        for section, entry in _entries("news")
    ]


def read_threads() -> list[Thread]:
    return [
        Thread(entry.title, entry.fields["slug"], board, tuple(_posts(entry)))
        for board, entry in _entries("forum")
    ]


def read_products() -> list[Product]:
    return [_product(fields) for fields in _objects("shop", "products.jsonl")]


def read_subjects() -> dict[str, list[str]]:
    """By the title of an article: the slugs of the products that have to do with it."""
    subjects: dict[str, list[str]] = _object("shop", "subjects.json")
    return subjects


def read_drawings() -> dict[str, dict[str, str]]:
    """What pictures of products are made of: shapes as SVG, colours, and which is whose."""
    drawings: dict[str, dict[str, str]] = _object("shop", "drawings.json")
    return drawings


def read_universities() -> list[University]:
    return [
        University(**{**fields, "notable": tuple(fields["notable"])})
        for fields in _objects("universities", "universities.jsonl")
    ]


def read_leaflets(site: str) -> list[Leaflet]:
    return [
        Leaflet(entry.title, entry.fields["path"], entry.fields, entry.body)
        for name, entry in _entries("leaflets")
        if name == site
    ]


def _content() -> Traversable:
    return files("gossamer.demo") / "content"


def _entries(folder: str) -> Iterator[tuple[str, _Entry]]:
    """Every entry of the folder's files, with the name of its file."""
    for file in sorted((_content() / folder).iterdir(), key=lambda file: file.name):
        name, _, ending = file.name.rpartition(".")
        if ending == "md":
            for title, lines in _parted(file.read_text(encoding="utf-8"), "# "):
                yield name, _entry(title, lines)


def _parted(text: str, mark: str) -> Iterator[tuple[str, list[str]]]:
    """The text in parts that a line with the mark opens; what stands before the first has no title.

    Such a line within a code block is code.
    """
    title, lines, in_code = "", list[str](), False
    for line in text.splitlines():
        in_code ^= line.startswith("```")
        if line.startswith(mark) and not in_code:
            if title or lines:
                yield title, lines
            title, lines = line.removeprefix(mark).strip(), []
        else:
            lines.append(line)
    yield title, lines


def _entry(title: str, lines: list[str]) -> _Entry:
    fields: dict[str, str] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            break
        fields[field[1]] = field[2].strip()
    return _Entry(title, fields, "\n".join(lines[len(fields) :]).strip("\n"))


def _posts(thread: _Entry) -> Iterator[Post]:
    for heading, lines in _parted(thread.body, "## "):
        answer = _ANSWER.fullmatch(heading)
        fields = thread.fields if answer is None else answer.groupdict()
        yield Post(
            fields["author"],
            date.fromisoformat(fields["date"]),
            int(fields["votes"]),
            "\n".join(lines).strip("\n"),
        )


def _objects(folder: str, name: str) -> Iterator[dict[str, Any]]:
    with (_content() / folder / name).open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _object(folder: str, name: str) -> Any:
    return json.loads((_content() / folder / name).read_text(encoding="utf-8"))


def _product(fields: dict[str, Any]) -> Product:
    reviews = [
        Review(
            review["author"], date.fromisoformat(review["date"]), review["stars"], review["text"]
        )
        for review in fields["reviews"]
    ]
    return Product(
        **{
            **fields,
            "released": date.fromisoformat(fields["released"]),
            "features": tuple(fields["features"]),
            "related": tuple(fields["related"]),
            "reviews": tuple(reviews),
        }
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
