"""Pages of runs as documents of an index.

Of pages with the same text, or that name the same canonical address, one stands for all. Which of
them that is follows from all pages together, so the light columns of all runs are read first, and
the texts only of those pages that the index does not hold yet in this form.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from gossamer.index import safety
from gossamer.index.anchors import Anchors
from gossamer.index.documents import LONGEST_TEXT, IndexDocument
from gossamer.index.repeated import RepeatedLines
from gossamer.index.titles import NO_AFFIXES, NO_CUT, Affixes, Cut, affixes, cuts
from gossamer.lib.hashing import hash64
from gossamer.matches import PROSE_COLUMN
from gossamer.media_types import FILE_TYPES
from gossamer.records import Directives, Outcome, PieceClass
from gossamer.urls import host_of, site_of

_LIGHT = ["url", "key", "outcome", "location", "content_hash", "canonical", "directives"]
_LIGHT += ["fetched_at", "site", "title"]
_WHOLE = [
    *_LIGHT,
    *("host", "depth", "media_type", "body_bytes", "description", "language"),
    *("text", "classes", "main", "last_modified", "listed_modified", "similarity_hash", "fields"),
]
_LINKS = ["source", "target", "target_key", "anchor", "nofollow", "boilerplate"]
_LINES = ["url", "site", "text"]
_MOST_HOPS = 20  # of redirects, from an address to its page
_HEADINGS = frozenset(
    {
        PieceClass.HEADING_1.value,
        PieceClass.HEADING_2.value,
        PieceClass.HEADING_3.value,
        PieceClass.HEADING_LOW.value,
    }
)
_NO_PROSE = _HEADINGS | {PieceClass.TITLE.value}
_LONG_LINE = 80  # characters: running text, whatever it ends with
_SENTENCE = 20  # the same, where it ends as sentences do
_SENTENCE_ENDS = frozenset('.!?…;"”’»)。！？；」』）؟۔।')
_MOST_ALIASES = 20
_FILE_TYPES = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    **FILE_TYPES,
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.oasis.opendocument.text": "odt",
}


class PageTables(Protocol):
    """Interface of the page store of a run."""

    def page_tables(
        self, url_prefix: str = "", columns: Sequence[str] | None = None
    ) -> Iterator[Any]: ...

    def link_tables(
        self, source_prefix: str = "", columns: Sequence[str] | None = None
    ) -> Iterator[Any]: ...


class _Page(Struct, gc=False):
    """The columns that decide whether a page is in the index, and which pages it stands for."""

    url: str
    content_hash: int
    canonical: str
    fetched_at: float
    run: int
    site: str = ""
    affixes: Affixes = NO_AFFIXES  # of its title: they may name the site
    title_cut: Cut = NO_CUT


class _Visited(NamedTuple):
    """All addresses of the runs, whether there is a page or not."""

    keys: list[dict[int, str]]  # of each run: the address with a key
    redirects: dict[str, str]
    urls: set[str]


class PageSource:
    """The pages of some runs. The newest form of an address counts."""

    def __init__(
        self,
        stores: Sequence[PageTables],
        unsafe: safety.SafetyList | None = None,
        *,
        anchors: bool = True,
        uncrawled: bool = False,
        is_forgotten: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`unsafe`: what is marked, beside the pages that rate themselves. `anchors`: what links
        say counts; `uncrawled`: also of pages that nobody has fetched, unless they are to be
        forgotten."""
        self.name = "runs"
        self._with_anchors = anchors or uncrawled
        self._with_uncrawled = uncrawled
        self._is_forgotten = is_forgotten
        self._unsafe = unsafe
        self._stores = stores
        self._chosen: dict[str, _Page] = {}
        self._aliases: dict[str, list[str]] = {}
        self._uncrawled: list[str] = []
        self._anchors = Anchors()
        self._repeated = RepeatedLines({})

    def versions(self) -> Mapping[int, int]:
        visited = _Visited([{} for _ in self._stores], {}, set())
        pages = self._newest(visited)
        self._chosen, self._aliases = _grouped(pages)
        chosen = self._chosen.values()
        found_cuts = cuts((page.site, page.affixes) for page in chosen)
        for page, cut in zip(chosen, found_cuts, strict=True):
            page.title_cut = cut
        self._anchors, self._uncrawled = Anchors(), []
        if self._with_anchors:
            self._read_anchors(visited)
        found = {hash64(url.encode()): self._version(page) for url, page in self._chosen.items()}
        for url in self._uncrawled:
            found.setdefault(hash64(url.encode()), self._link_version(url))
        return found

    def _read_anchors(self, visited: "_Visited") -> None:
        leader = {alias: url for url, many in self._aliases.items() for alias in many}
        for run, store in enumerate(self._stores):
            of_key = visited.keys[run]

            def standing(key: int, target: str, of_key: dict[int, str] = of_key) -> str | None:
                """The document that a link leads to, past redirects and to whoever stands for the
                page."""
                url = of_key.get(key, target)
                for _ in range(_MOST_HOPS):
                    following = visited.redirects.get(url)
                    if following is None or following == url:
                        break
                    url = following
                url = leader.get(url, url)
                if url in self._chosen:
                    return url
                is_new = self._with_uncrawled and url not in visited.urls
                return url if is_new and url.startswith("http") else None

            for table in store.link_tables(columns=_LINKS):
                self._anchors.add(table, standing)
        if self._with_uncrawled:
            self._uncrawled = [
                url
                for url in self._anchors.pages()
                if url not in self._chosen and not self._is_forgotten(url)
            ]

    def _newest(self, visited: "_Visited") -> dict[str, _Page]:
        pages: dict[str, _Page] = {}
        shared: dict[Any, Any] = {}  # the same parts of titles come again on every page of a site
        for run, store in enumerate(self._stores):
            for table in store.page_tables(columns=_LIGHT):
                for row in table.to_pylist():
                    visited.urls.add(row["url"])
                    visited.keys[run][row["key"]] = row["url"]
                    if row["outcome"] == Outcome.REDIRECT:
                        visited.redirects[row["url"]] = row["location"]
                    else:
                        visited.redirects.pop(row["url"], None)
                    if row["outcome"] != Outcome.OK or row["directives"] & Directives.NOINDEX:
                        pages.pop(row["url"], None)  # it was one in an earlier run
                        continue
                    pages[row["url"]] = _Page(
                        row["url"],
                        row["content_hash"],
                        row["canonical"],
                        row["fetched_at"].timestamp(),
                        run,
                        shared.setdefault(row["site"], row["site"]),
                        _once(affixes(row["title"]), shared),
                    )
        return pages

    def _version(self, page: _Page) -> int:
        parts = (
            page.content_hash,
            page.fetched_at,
            self._aliases.get(page.url, ()),
            self._anchors.of(page.url),
            self._anchors.own(page.url),
            page.title_cut,
            *((self._unsafe.stamp,) if self._unsafe else ()),
        )
        return hash64(msgspec.json.encode(parts))

    def _link_version(self, url: str) -> int:
        parts = ("links", self._anchors.of(url), self._anchors.own(url))
        return hash64(msgspec.json.encode(parts))

    def groups(self) -> Iterator[tuple[int, list[str]]]:
        """The identity of each document, and the addresses that it stands for, its own first. For
        after `versions`."""
        for url in self._chosen:
            yield hash64(url.encode()), [url, *self._aliases.get(url, ())]
        for url in self._uncrawled:
            yield hash64(url.encode()), [url]

    def _read_repeated(self) -> RepeatedLines:
        """The lines that stand on many pages of a site."""
        found = RepeatedLines(Counter(page.site for page in self._chosen.values()))
        for run, store in enumerate(self._stores):
            for table in store.page_tables(columns=_LINES):
                sites = table.column("site").to_pylist()
                for place, url in enumerate(table.column("url").to_pylist()):
                    page = self._chosen.get(url)
                    if page is not None and page.run == run and found.wants(sites[place]):
                        (row,) = table.slice(place, 1).to_pylist()
                        found.add(sites[place], row["text"])
        return found

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        self._repeated = self._read_repeated()
        for run, store in enumerate(self._stores):
            for table in store.page_tables(columns=_WHOLE):
                # A page has a text of its own: rows that are not wanted are not turned into one.
                urls = table.column("url").to_pylist()
                for place, url in enumerate(urls):
                    page = self._chosen.get(url)
                    if page is None or page.run != run or hash64(url.encode()) not in wanted:
                        continue
                    row = table.slice(place, 1).to_pylist()[0]
                    if row["fetched_at"].timestamp() == page.fetched_at:
                        yield self._document(row, page)
        for url in self._uncrawled:
            if hash64(url.encode()) in wanted:
                yield self._known_from_links(url)

    def _known_from_links(self, url: str) -> IndexDocument:
        """A page that nobody has fetched: all that is known is what is said of it."""
        host = host_of(url)
        site = site_of(host)[0]
        others, own = self._anchors.of(url), self._anchors.own(url)
        title = next(iter([*others, *own]), "")
        said = (title, "", _words_of(url))
        is_unsafe = self._unsafe is not None and self._unsafe.lists(host, said)
        return IndexDocument(
            identity=hash64(url.encode()),
            version=self._link_version(url),
            language="",
            texts={
                "anchor": "\n".join(others),
                "site_anchor": "\n".join(own),
                "url": _words_of(url),
            },
            numbers={"url_length": float(len(url)), "url_slashes": float(_slashes(url))},
            keywords={
                "site": (site,),
                "host": (host,),
                safety.FIELD: (safety.ADULT,) if is_unsafe else (),
            },
            shown={
                "url": url,
                "title": title,
                "description": "",
                "text": "",
                "text_field": "body",
                "site": site,
                "language": "",
                "from_links": True,
                "fields": {},
            },
        )

    def _document(self, row: dict[str, Any], page: _Page) -> IndexDocument:
        text, classes = row["text"], row["classes"]
        main = self._repeated.without(row["site"], text, classes, row["main"])
        headings, body, boilerplate = _parts(text, classes, main)
        url, directives = row["url"], row["directives"]
        moment = _moment(row)
        shown: dict[str, Any] = {
            "url": url,
            "title": row["title"],
            "description": row["description"],
            "text": body[:LONGEST_TEXT],
            "text_field": "body",
            "site": row["site"],
            "language": row["language"],
            "similarity": row["similarity_hash"],
            "date": datetime.fromtimestamp(moment, UTC).date().isoformat(),
            "fields": _json_object(row["fields"]),
        }
        if aliases := self._aliases.get(url):
            shown["aliases"] = aliases[:_MOST_ALIASES]
        if directives & Directives.NOSNIPPET:
            shown["nosnippet"] = True
        if directives & Directives.NOARCHIVE:
            shown["noarchive"] = True
        return IndexDocument(
            identity=hash64(url.encode()),
            version=self._version(page),
            language=row["language"],
            texts={
                "title": row["title"],
                "headings": headings,
                "body": body,
                "boilerplate": boilerplate,
                "anchor": "\n".join(self._anchors.of(url)),
                "site_anchor": "\n".join(self._anchors.own(url)),
                "url": _words_of(url),
                "description": row["description"],
            },
            numbers={
                "date": moment,
                "depth": float(row["depth"]),
                "size": float(row["body_bytes"]),
                "crawled": page.fetched_at,
                "url_length": float(len(url)),
                "url_slashes": float(_slashes(url)),
                PROSE_COLUMN: float(_prose(text, classes, main)),
            },
            keywords={
                "site": (row["site"],),
                "host": (row["host"],),
                "lang": (row["language"],) if row["language"] else (),
                "filetype": (_FILE_TYPES.get(row["media_type"], row["media_type"] or "html"),),
                safety.FIELD: (safety.ADULT,) if self._is_unsafe(row) else (),
            },
            shown=shown,
            title_cut=page.title_cut,
        )

    def _is_unsafe(self, row: Mapping[str, Any]) -> bool:
        if row["directives"] & Directives.ADULT:
            return True
        said = (row["title"], row["description"], _words_of(row["url"]))
        return self._unsafe is not None and self._unsafe.lists(row["host"], said)


def _once(found: Affixes, shared: dict[Any, Any]) -> Affixes:
    """The same strings for the same parts: there is a page for each, and few different ones."""
    if found is NO_AFFIXES:
        return found
    ends = tuple(shared.setdefault(end, end) for end in found.ends)
    return Affixes(shared.setdefault(found.front, found.front), shared.setdefault(ends, ends))


def _grouped(pages: dict[str, _Page]) -> tuple[dict[str, _Page], dict[str, list[str]]]:
    """The pages that stand for others or for themselves, and whom each stands for."""
    leader: dict[str, str] = {}
    unseen: dict[str, list[str]] = {}  # by canonical addresses that nobody has visited
    for url, page in pages.items():
        if page.canonical in pages:
            if page.canonical != url:
                leader[url] = page.canonical
        elif page.canonical and _host(page.canonical) == _host(url):
            unseen.setdefault(page.canonical, []).append(url)
    for canonical, urls in unseen.items():
        # With tracking parameters behind it, it is the page itself rather than one to print.
        first = min((not url.startswith(canonical), len(url), url) for url in urls)[-1]
        leader.update((url, first) for url in urls if url != first)
    by_text: dict[int, _Page] = {}
    for url, page in pages.items():
        if url in leader or not page.content_hash:
            continue
        best = by_text.get(page.content_hash)
        if best is None or (len(page.url), page.url) < (len(best.url), best.url):
            by_text[page.content_hash] = page
    for url, page in pages.items():
        if url not in leader and page.content_hash:
            best = by_text[page.content_hash]
            if best.url != url:
                leader[url] = best.url
    chosen = {url: page for url, page in pages.items() if _first(leader, url) == url}
    aliases: dict[str, list[str]] = {}
    for url in pages:
        first = _first(leader, url)
        if first != url:
            aliases.setdefault(first, []).append(url)
    return chosen, aliases


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def _first(leader: Mapping[str, str], url: str) -> str:
    """Return the page that stands for an address in the end; pages that name each other stand for
    themselves."""
    path = [url]
    while (following := leader.get(path[-1])) is not None:
        if following in path:
            return min(path[path.index(following) :])
        path.append(following)
    return path[-1]


def _parts(text: str, classes: str, main: str) -> tuple[str, str, str]:
    """Headings, body and boilerplate; the title has a field of its own."""
    headings: list[str] = []
    body: list[str] = []
    boilerplate: list[str] = []
    for line, letter, flag in zip(text.split("\n"), classes, main, strict=False):
        if letter == PieceClass.TITLE.value:
            continue
        if flag == "0":
            boilerplate.append(line)
        elif letter in _HEADINGS:
            headings.append(line)
        else:
            body.append(line)
    return "\n".join(headings), "\n".join(body), "\n".join(boilerplate)


def _prose(text: str, classes: str, main: str) -> int:
    """Characters of the content that are running text: no headings, no lists of links."""
    return sum(
        len(line)
        for line, letter, flag in zip(text.split("\n"), classes, main, strict=False)
        if flag != "0" and letter not in _NO_PROSE and _is_prose(line)
    )


def _is_prose(line: str) -> bool:
    return len(line) >= _LONG_LINE or (len(line) >= _SENTENCE and line[-1] in _SENTENCE_ENDS)


def _words_of(url: str) -> str:
    """An address as words: of the host what names it, and the path without its signs."""
    host, _, path = url.partition("://")[2].partition("/")
    named = host.removeprefix("www.").partition(":")[0]
    path = unquote(path, errors="replace").partition("?")[0]
    return f"{named} {path}".translate(_SIGNS)


def _slashes(url: str) -> int:
    return url.count("/", url.find("://") + 3)


_SIGNS = str.maketrans(dict.fromkeys("/-_.+,;=&~:", " "))


def _moment(row: Mapping[str, Any]) -> float:
    """When the page changed last, as far as anybody says; else when it was fetched."""
    for text in (row["listed_modified"], row["last_modified"]):
        if text and (found := _parsed(text)) is not None:
            return found
    moment: float = row["fetched_at"].timestamp()
    return moment


def _parsed(text: str) -> float | None:
    try:
        found = datetime.fromisoformat(text) if text[:1].isdigit() else parsedate_to_datetime(text)
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        seconds = found.timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return seconds if 0 < seconds < 4e9 else None


def _json_object(text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        return {}
