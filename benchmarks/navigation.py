"""How often the page that somebody means is found first, with links and without.

    GOSSAMER_DATA=FOLDER python -m benchmarks.navigation [--queries 200] [--keep FOLDER]

The encyclopedia in `web/*.tar.xz` of the data folder is served on loopback and crawled. Of it
two indexes are made: one that knows nothing of links, one with anchors and ranks; and two that have
one of these. Known items, drawn by a fixed seed, a third of each kind:

    titles      the title of an article without what tells it from others, '(planet)'
    anchors     what links call an article, other than its title. A seventh of all articles lend
                their links for that, and are served with these links empty: no query is looked for
                in the anchor that it was taken from
    redirects   former names and spellings that lead to an article. They stand in tool tips of the
                alphabetical lists alone, which nobody indexes

Articles that ask not to be indexed are no items, nor are titles that several have.
Where links by one name lead to several articles, most of them decide which is meant. Last line: a
JSON object with the mean reciprocal rank of the right page (among the first 100), with and without.
Exit code 1 where it is not higher with links. Without data it says so, and proves nothing.
"""

import argparse
import json
import random
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from posixpath import normpath
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urljoin

from benchmarks.real_text import data_folder
from gossamer.app import crawl
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.app.ranks import Ranking
from gossamer.config import RankSettings, crawl_settings, index_settings
from gossamer.search.contract import SearchRequest

HOST = "schools.example"
START = "wp/index/subject.htm"
_SEED = 20
_LENT = 7  # one article of so many lends its links
_DEEP = 100
_LINK = re.compile(r'(<a\s[^>]*?href="([^"#]+)[^"]*"[^>]*>)(.*?)(</a>)', re.DOTALL)
_TIP = re.compile(r'title="([^"]*)"')
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_NOINDEX = re.compile(r'<meta[^>]*content="[^"]*noindex', re.IGNORECASE)
_TAGS = re.compile(r"<[^>]*>")
_TELLING_APART = re.compile(r"\s*\(.*\)")
_ARTICLE = re.compile(r"wp/[^/]/[^/]+\.htm")

Pages = dict[str, bytes]


class Item(NamedTuple):
    kind: str
    query: str
    path: str  # of the page that is meant


def read_pages(archive: Path) -> Pages:
    found = {}
    with tarfile.open(archive) as members:
        for member in members:
            name = normpath(member.name)
            if member.isfile() and name.endswith(".htm"):
                stream = members.extractfile(member)
                assert stream is not None
                found[name] = stream.read()
    return found


def known_items(pages: Pages, count: int) -> tuple[list[Item], Pages]:
    """The items, and the pages as they are to be served."""
    rng = random.Random(_SEED)
    texts = {path: body.decode("utf-8", "replace") for path, body in pages.items()}
    articles = {
        path: unescape(found[1]).strip()
        for path, text in sorted(texts.items())
        if _ARTICLE.fullmatch(path) and (found := _TITLE.search(text))
    }
    lent = frozenset(rng.sample(sorted(articles), len(articles) // _LENT))
    # Nobody can find what asks not to be indexed.
    articles = {path: title for path, title in articles.items() if not _NOINDEX.search(texts[path])}
    anchors: dict[str, Counter[str]] = defaultdict(Counter)
    former: dict[str, Counter[str]] = defaultdict(Counter)
    for path, text in texts.items():
        for opening, href, inner, _ in _LINK.findall(text):
            target = normpath(unquote(urljoin(path, unescape(href))))
            if target not in articles:
                continue
            name = " ".join(unescape(_TAGS.sub("", inner)).split())
            if path in lent and _is_name(name) and not _same(name, articles[target]):
                anchors[name.lower()][target] += 1
            tip = _TIP.search(opening)
            for one in _former_names(unescape(tip[1]) if tip else ""):
                if _is_name(one) and not _same(one, articles[target]):
                    former[one.lower()][target] += 1
    titles: dict[str, Counter[str]] = defaultdict(Counter)
    for path, title in articles.items():
        titles[_TELLING_APART.sub("", title)][path] += 1
    telling = [name for name, known in titles.items() if _is_name(name) and len(known) == 1]
    drawn = [
        Item("titles", name, next(iter(titles[name])))
        for name in _sample(rng, telling, count - 2 * (count // 3))
    ]
    for kind, names in (("anchors", anchors), ("redirects", former)):
        drawn += [
            Item(kind, name, names[name].most_common(1)[0][0])
            for name in _sample(rng, list(names), count // 3)
        ]
    served = {
        path: _LINK.sub(r"\1\4\3", texts[path]).encode() if path in lent else body
        for path, body in pages.items()
    }
    return drawn, served


def _sample(rng: random.Random, names: list[str], count: int) -> list[str]:
    return rng.sample(sorted(names), min(count, len(names)))


def _former_names(tip: str) -> list[str]:
    found = re.fullmatch(r"from (?:\d+ )?redirects?: (.*)", tip)
    return [name.replace("_", " ") for name in found[1].split(" ")] if found else []


def _is_name(text: str) -> bool:
    return 3 <= len(text) <= 60 and any(letter.isalpha() for letter in text)


def _same(one: str, other: str) -> bool:
    def folded(text: str) -> str:
        return re.sub(r"\W+", "", text.lower())

    return folded(one) == folded(other)


@contextmanager
def served(pages: Pages) -> Iterator[int]:
    """The port at which the pages are."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            body = pages.get(unquote(self.path.partition("?")[0]).lstrip("/"))
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


def crawled(home: Home, pages: Pages) -> str:
    with served(pages) as port:
        settings = crawl_settings(
            {},
            {
                "seeds": (f"http://{HOST}/{START}",),
                "name": "schools",
                "resolve": {HOST: f"127.0.0.1:{port}"},
                "allow_private": True,
                "delay_seconds": 0,
                "connections_per_host": 4,
                "obey_robots": False,
                "keep_raw": False,
            },
        )
        return crawl(home, settings, mode="new", on_progress=lambda _: None).run


def reciprocal(indexes: Indexes, index: str, item: Item, profile: str = "") -> float:
    request = SearchRequest(item.query, limit=_DEEP, group=False, plain=True, profile=profile)
    wanted = f"http://{HOST}/{item.path}"
    for place, hit in enumerate(indexes.search(index, request).hits, 1):
        if unquote(hit.url) == wanted or hit.url == quote(wanted, safe=":/%"):
            return 1 / place
    return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.navigation", description=__doc__)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument(
        "--keep", type=Path, help="make the home here, or use the one that is there"
    )
    parser.add_argument("--profile", action="append", dest="profiles", metavar="NAME")
    arguments = parser.parse_args()
    data = data_folder()
    archives = sorted(data.glob("web/*.tar.xz")) if data else []
    if not archives:
        print("GOSSAMER_DATA names no folder with web/*.tar.xz: nothing is measured.")
        print(json.dumps({"bench": "navigation", "skipped": True}))
        return
    items, pages = known_items(read_pages(archives[0]), arguments.queries)
    with TemporaryDirectory() as folder:
        sys.exit(measured(arguments.keep or Path(folder), items, pages, arguments.profiles or [""]))


def measured(folder: Path, items: list[Item], pages: Pages, profiles: list[str]) -> int:
    home = Home(folder)
    home.make()
    indexes = Indexes(home)
    if not indexes.names():
        make_indexes(home, indexes, pages)
    kinds = list(dict.fromkeys(item.kind for item in items))
    print(f"{'index':<24}" + "".join(f"{kind:>12}" for kind in (*kinds, "all")))
    means: dict[str, float] = {}
    by_kind: dict[str, dict[str, float]] = {}
    for profile in profiles:
        for name in ("without", "anchors", "ranks", "with"):
            found = [reciprocal(indexes, name, item, profile) for item in items]
            means.setdefault(name, sum(found) / len(found))
            parts = {
                kind: _mean(
                    [one for one, item in zip(found, items, strict=True) if item.kind == kind]
                )
                for kind in kinds
            }
            by_kind.setdefault(name, parts)
            cells = [*parts.values(), sum(found) / len(found)]
            label = f"{name} {Path(profile).stem}"
            print(f"{label:<24}" + "".join(f"{cell:>12.4f}" for cell in cells), flush=True)
    indexes.close()
    result = {
        "bench": "navigation",
        "queries": len(items),
        "mrr_without": round(means["without"], 4),
        "mrr_with": round(means["with"], 4),
        "mrr_anchors_alone": round(means["anchors"], 4),
        "mrr_ranks_alone": round(means["ranks"], 4),
        "by_kind": {
            kind: {name: round(by_kind[name][kind], 4) for name in ("without", "with")}
            for kind in kinds
        },
    }
    print(json.dumps(result))
    return 0 if means["with"] > means["without"] else 1


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def make_indexes(home: Home, indexes: Indexes, pages: Pages) -> None:
    run = crawled(home, pages)
    plain, full = index_settings({}, {"anchors": False}), index_settings({}, {})
    indexes.build("without", (run,), None, plain)
    indexes.build("anchors", (run,), None, full)
    ranked = Ranking(home).rank((run,), RankSettings())
    print(f"{ranked.crawled:,} pages, {ranked.edges:,} links, {ranked.iterations} iterations")
    indexes.build("ranks", (run,), None, plain)
    indexes.build("with", (run,), None, full)


if __name__ == "__main__":
    main()
