"""Real pages as paragraphs: what the corpus of `make bench-search` is made of.

With GOSSAMER_DATA the pages of its web archives (`web/*.tar.xz`) and the documentation of the
Debian packages that are installed; without it what the project itself is shipped with. Pages of
one subject stand next to each other.
"""

import json
import os
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

Page = list[str]
"""Its paragraphs, headings among them."""

_HERE = Path(__file__).parent.parent
_ARTICLES = _HERE / "src" / "gossamer" / "demo" / "content" / "encyclopedia"
_PASSAGES = _HERE / "evaluation" / "docs.jsonl"
_DOCUMENTATION = Path("/usr/share/doc")

_FEWEST_WORDS = 50
_BLOCKS = "h1, h2, h3, p, li, dd"
_MARKUP = re.compile(r"\[\[(?:[^]|]*\|)?([^]]*)\]\]|\*+|^#+ *|^- ", re.MULTILINE)
_SUBJECT = re.compile(rb'index/subject\.([^"]+)\.htm')


def data_folder() -> Path | None:
    named = os.environ.get("GOSSAMER_DATA")
    return Path(named) if named else None


def pages(data: Path | None) -> Iterator[Page]:
    """Those with fewer than 50 words are left out."""
    found = _shipped() if data is None else _published(data)
    return (page for page in found if sum(len(text.split()) for text in page) >= _FEWEST_WORDS)


def _published(data: Path) -> Iterator[Page]:
    archives = sorted(data.glob("web/*.tar.xz"))
    if not archives:
        raise FileNotFoundError(f"no web/*.tar.xz in {data}, which GOSSAMER_DATA names")
    for archive in archives:
        yield from _of_archive(archive)
    for path in sorted(_DOCUMENTATION.rglob("*.htm*")):
        if path.suffix in {".htm", ".html"} and path.is_file():
            yield _of_html(path.read_bytes())


def _of_archive(archive: Path) -> Iterator[Page]:
    found: list[tuple[bytes, str, bytes]] = []
    with tarfile.open(archive) as members:
        for member in members:
            if member.isfile() and member.name.endswith((".htm", ".html")):
                stream = members.extractfile(member)
                assert stream is not None
                html = stream.read()
                subject = _SUBJECT.search(html)
                found.append((subject[1] if subject else b"", member.name, html))
    for _, _, html in sorted(found):
        yield _of_html(html)


def _of_html(html: bytes) -> Page:
    tree = LexborHTMLParser(html)
    # Of nested ones the innermost, lest a text be read twice.
    nodes = (node for node in tree.css(_BLOCKS) if len(node.css(_BLOCKS)) <= 1)
    texts = (" ".join(node.text().split()) for node in nodes)
    return [text for text in texts if text]


def _shipped() -> Iterator[Page]:
    for path in sorted(_ARTICLES.glob("*.md")):
        for article in re.split(r"^(?=# )", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            lines = _MARKUP.sub(r"\1", article).splitlines()
            yield [line for line in lines if line and not line.startswith("categories:")]
    # Passages of one topic together, as articles of one subject are.
    with _PASSAGES.open(encoding="utf-8") as lines_of_json:
        documents = [json.loads(line) for line in lines_of_json]
    for document in sorted(documents, key=lambda one: (one["topic"], one["id"])):
        yield [document["title"], document["text"]]
