"""What do all sites have in common: addresses with something behind them, and furniture?

Each page is a function that is called when somebody asks for it. The rest is what any web site has:
a stylesheet, robots.txt, old addresses that lead to new ones, and a page for what is not there.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import NamedTuple, TypeVarTuple, Unpack

from gossamer.demo.answers import CSS, OPENING_DAY, TEXT, Answer, moved
from gossamer.demo.library import Library, at
from gossamer.demo.markup import Rendered, render
from gossamer.demo.reading import Leaflet, read_leaflets

Query = Mapping[str, str]
Things = TypeVarTuple("Things")

_Maker = Callable[[Query], Answer | None]


class Slice(NamedTuple):
    """One page of a list that is too long for one."""

    number: int
    last: int
    start: int
    stop: int


class Site(ABC):
    host = ""
    forbidden: tuple[str, ...] = ()
    """What robots.txt closes."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.label = self.host.partition(".")[0]
        self.leaflets = {leaflet.path: leaflet for leaflet in read_leaflets(self.label)}
        self._makers: dict[str, _Maker] = {}
        self._moved: dict[str, str] = {}
        self.add("/robots.txt", self._robots)
        self.add("/style.css", self._style)
        for leaflet in self.leaflets.values():
            self.add(leaflet.path, self.leaflet, leaflet)
            if "once" in leaflet.fields:
                self.move(leaflet.fields["once"], leaflet.path)

    def answer(self, path: str, query: Query) -> Answer:
        maker = self._makers.get(path)
        found = maker(query) if maker else self.elsewhere(path)
        if found is not None:
            return found
        if path in self._moved:
            return moved(self._moved[path])
        other = path.rstrip("/") if path.endswith("/") else path + "/"
        if maker is None and other in self._makers:
            return moved(self.url(other))
        return self.missing()

    def add(self, path: str, make: Callable[[Unpack[Things]], Answer], *things: *Things) -> None:
        """A page that is the same whatever the query says."""
        self._makers[path] = lambda _: make(*things)

    def add_varied(
        self,
        path: str,
        make: Callable[[Unpack[Things], Query], Answer | None],
        *things: *Things,
    ) -> None:
        """A page whose query matters; without an answer, there is no such page."""
        self._makers[path] = lambda query: make(*things, query)

    def move(self, old: str, new: str) -> None:
        self._moved[old] = self.url(new)

    def paths(self) -> Iterable[str]:
        """All paths that are known beforehand; some of them take a query as well."""
        return self._makers

    def url(self, path: str) -> str:
        return at(self.host, path)

    def address_of(self, kind: str, name: str) -> str:
        """How this site's texts link to a thing."""
        return self.within(self.library.url(kind, name))

    def within(self, url: str) -> str:
        """A URL as this site's own pages write it: without the host where it is the own one."""
        return url.removeprefix(f"http://{self.host}")

    def render(self, source: str) -> Rendered:
        return render(source, self.address_of)

    # What a site says in its own way

    @abstractmethod
    def leaflet(self, leaflet: Leaflet) -> Answer:
        """A page that stands alone."""

    @abstractmethod
    def missing(self) -> Answer:
        """What is said where there is nothing."""

    def elsewhere(self, path: str) -> Answer | None:  # noqa: ARG002 - for sites that have any
        """Addresses that cannot be counted up."""
        return None

    # Furniture

    def _robots(self) -> Answer:
        lines = ["User-agent: *", *(f"Disallow: {path}" for path in self.forbidden), ""]
        text = "\n".join([*lines, f"Sitemap: {self.url('/sitemap.xml')}", ""])
        return Answer(text.encode(), TEXT)

    def _style(self) -> Answer:
        file = files("gossamer.demo") / "styles" / f"{self.label}.css"
        return Answer(file.read_bytes(), CSS, modified=OPENING_DAY)


def sliced(count: int, size: int, query: Query) -> Slice | None:
    """The slice that `?page=N` asks for; None where there is no such page."""
    last = max(1, -(-count // size))
    text = query.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= number <= last:
        return None
    return Slice(number, last, (number - 1) * size, number * size)
