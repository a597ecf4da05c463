"""Farms and honest sites, planted into a web whose pages are numbers.

A farm is given by its shape, its size, the number of its domains, and by how noisy it is: links
that are missing, links to the web outside, links from the web into it. Honest sites are made beside
them: manuals in which every page links to every other, on one host; companies with several sites;
rings of blogs; mirrors. What is planted is known, so what a detector says of it can be counted.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
Links = list[tuple[int, int]]

SHAPES = (
    "clique",
    "clique_boosting",
    "dense",
    "ring",
    "ring_boosting",
    "ring_with_chords",
    "star",
    "star_with_back_links",
    "two_level_star",
    "star_of_many",
    "linked_cliques",
)
HONEST = ("manual", "company", "blog_ring", "mirrors", "translations")


class Farm(NamedTuple):
    """`pages` have the farm's links. `boosted` get rank from them; one of them may be a page of the
    farm, or of the honest web."""

    shape: str
    pages: Numbers
    boosted: Numbers
    domains: int
    missing: float
    outside: float
    linked: float

    @property
    def clean(self) -> bool:
        return not (self.missing or self.outside or self.linked)


class Honest(NamedTuple):
    kind: str
    pages: Numbers


class Web(NamedTuple):
    """Links in two columns, and the host and the domain of each page."""

    sources: Numbers
    targets: Numbers
    hosts: Numbers
    domains: Numbers

    @property
    def nodes(self) -> int:
        return len(self.hosts)


class Planted(NamedTuple):
    web: Web
    farms: list[Farm]
    honest: list[Honest]


class Garden:
    """The web as it grows: new pages get the next numbers."""

    def __init__(self, web: Web, generator: np.random.Generator) -> None:
        self.random = generator
        self.old = web.nodes
        self._web = web
        self._next_domain = int(web.domains.max(initial=-1)) + 1
        self._next_host = int(web.hosts.max(initial=-1)) + 1
        self._hosts: list[int] = []
        self._domains: list[int] = []
        self._links: Links = []

    def new_domain(self) -> int:
        self._next_domain += 1
        return self._next_domain - 1

    def page(self, domain: int, host: int) -> int:
        self._domains.append(domain)
        self._hosts.append(host)
        return self.old + len(self._domains) - 1

    def new_host(self) -> int:
        self._next_host += 1
        return self._next_host - 1

    def pages_over(self, size: int, domains: int) -> Numbers:
        """New pages on new domains with a host each: dealt out in turn, in runs, or by chance."""
        names = [(self.new_domain(), self.new_host()) for _ in range(domains)]
        manner = self.random.choice(("turns", "runs", "chance"), p=(0.4, 0.2, 0.4))
        if manner == "turns":
            owners = np.arange(size) % domains
        elif manner == "runs":
            owners = np.arange(size) * domains // size
        else:
            # Every domain gets a page; the rest fall where they fall.
            rest = self.random.integers(0, domains, size - domains)
            owners = self.random.permutation(np.concatenate((np.arange(domains), rest)))
        return np.array([self.page(*names[owner]) for owner in owners.tolist()], np.int32)

    def site(self, size: int, domain: int) -> Numbers:
        host = self.new_host()
        return np.array([self.page(domain, host) for _ in range(size)], np.int32)

    def some_old(self, number: int) -> Numbers:
        return self.random.integers(0, self.old, number).astype(np.int32)

    def link(self, links: Links) -> None:
        self._links.extend(links)

    def web(self) -> Web:
        added = np.array(self._links, np.int32).reshape(-1, 2)
        return Web(
            np.concatenate((self._web.sources, added[:, 0])),
            np.concatenate((self._web.targets, added[:, 1])),
            np.concatenate((self._web.hosts, np.array(self._hosts, np.int32))),
            np.concatenate((self._web.domains, np.array(self._domains, np.int32))),
        )


def _complete(pages: Sequence[int]) -> Links:
    return [(source, target) for source in pages for target in pages if source != target]


def _ring(pages: Sequence[int]) -> Links:
    return list(zip(pages, [*pages[1:], pages[0]], strict=True))


def _boosted(garden: Garden) -> int:
    """The page that a farm works for: a new one on its own domain, or one of the honest web."""
    if garden.random.random() < 0.5:
        return int(garden.some_old(1)[0])
    return garden.page(garden.new_domain(), garden.new_host())


def _shape(
    garden: Garden, shape: str, size: int, domains: int
) -> tuple[list[int], list[int], Links]:
    """Pages of the farm, those whom it boosts, and its links as they are meant."""
    generator = garden.random
    pages: list[int] = garden.pages_over(size, domains).tolist()
    if shape == "clique":
        return pages, pages, _complete(pages)
    if shape == "dense":
        chosen = [link for link in _complete(pages) if generator.random() < 0.5]
        return pages, pages, chosen
    if shape == "ring":
        return pages, pages, _ring(pages)
    if shape == "linked_cliques":
        # Each half on domains of its own, as either is a farm by itself.
        others: list[int] = garden.pages_over(size, domains).tolist()
        number = size // 2 + 1
        between = list(
            zip(
                generator.choice(pages, number).tolist(),
                generator.choice(others, number).tolist(),
                strict=True,
            )
        )
        back = [(target, source) for source, target in between[::2]]
        both = pages + others
        return both, both, _complete(pages) + _complete(others) + between + back
    if shape == "star_of_many":
        served = [_boosted(garden) for _ in range(int(generator.integers(2, 8)))]
        return pages, served, [(page, target) for page in pages for target in served]
    target = _boosted(garden)
    if shape == "clique_boosting":
        return pages, [target], _complete(pages) + [(page, target) for page in pages]
    if shape == "ring_boosting":
        return pages, [target], _ring(pages) + [(page, target) for page in pages]
    if shape == "ring_with_chords":
        chords = []
        for place, page in enumerate(pages):
            for step in generator.integers(2, max(3, size - 1), generator.integers(1, 4)).tolist():
                chords.append((page, pages[(place + step) % size]))  # noqa: PERF401
        return pages, [target], _ring(pages) + chords + [(page, target) for page in pages]
    if shape == "star":
        return pages, [target], [(page, target) for page in pages]
    if shape == "star_with_back_links":
        hub = pages[0]
        return pages, [hub], [link for page in pages[1:] for link in ((page, hub), (hub, page))]
    middle = max(2, round(size**0.5))
    links = [(page, target) for page in pages[:middle]]
    links += [(page, pages[place % middle]) for place, page in enumerate(pages[middle:])]
    return pages, [target], links


def plant_farm(
    garden: Garden,
    shape: str,
    size: int,
    domains: int,
    *,
    missing: float,
    outside: float,
    linked: float,
    disguise: int = 0,
) -> Farm:
    """`missing` and `outside` are shares of its links, `linked` of its pages. With a `disguise`
    each page has so many links to honest pages besides."""
    generator = garden.random
    pages, boosted, links = _shape(garden, shape, size, domains)
    kept = [link for link in links if generator.random() >= missing]
    away = int(generator.binomial(len(links), outside)) if outside else 0
    kept += list(
        zip(generator.choice(pages, away).tolist(), garden.some_old(away).tolist(), strict=True)
    )
    for page in pages:
        kept += [(page, other) for other in garden.some_old(disguise).tolist()]
    coming = int(generator.binomial(len(pages), linked)) if linked else 0
    kept += list(
        zip(garden.some_old(coming).tolist(), generator.choice(pages, coming).tolist(), strict=True)
    )
    garden.link(kept)
    return Farm(
        shape,
        np.array(pages, np.int32),
        np.array(boosted, np.int32),
        domains,
        missing,
        outside,
        linked,
    )


def _joined_to_web(garden: Garden, front: int, pages: Sequence[int]) -> None:
    """An honest site is linked to: its front page most; and it links to others."""
    generator = garden.random
    links = [(int(page), front) for page in garden.some_old(int(generator.integers(1, 6)))]
    for page in pages:
        if generator.random() < 0.2:
            links.append((int(garden.some_old(1)[0]), page))
        if generator.random() < 0.3:
            links.append((page, int(garden.some_old(1)[0])))
    garden.link(links)


def _manual(garden: Garden) -> list[int]:
    """Every page links to every other, on one host. Some are linked to from nowhere."""
    generator = garden.random
    pages: list[int] = garden.site(
        int(np.exp(generator.uniform(np.log(10), np.log(300)))), garden.new_domain()
    ).tolist()
    lost = generator.choice((0.0, 0.05))
    garden.link([link for link in _complete(pages) if generator.random() >= lost])
    if generator.random() < 0.7:
        _joined_to_web(garden, pages[0], pages)
    return pages


def _company(garden: Garden) -> list[int]:
    """Two to five sites on domains of their own. A page links to all or to ten pages of its own
    site, and to the front pages of the other sites."""
    generator = garden.random
    sites: list[list[int]] = [
        garden.site(int(generator.integers(5, 40)), garden.new_domain()).tolist()
        for _ in range(int(generator.integers(2, 6)))
    ]
    fronts = [site[0] for site in sites]
    for site in sites:
        chosen = site[:10] if generator.random() < 0.5 else site
        links = [(page, other) for page in site for other in chosen if page != other]
        links += [(site[0], page) for page in site[1:] if page not in chosen]
        links += [(page, front) for page in site for front in fronts if front != site[0]]
        garden.link(links)
        _joined_to_web(garden, site[0], site)
    return [page for site in sites for page in site]


def _blog_ring(garden: Garden) -> list[int]:
    """A ring of blogs: front pages link to the next and the one before, and to their own posts."""
    generator = garden.random
    blogs: list[list[int]] = [
        garden.site(int(generator.integers(8, 30)), garden.new_domain()).tolist()
        for _ in range(int(generator.integers(8, 20)))
    ]
    fronts = [blog[0] for blog in blogs]
    around = _ring(fronts)
    garden.link(around + [(target, source) for source, target in around])
    for blog in blogs:
        links = [(blog[0], post) for post in blog[1:]] + [(post, blog[0]) for post in blog[1:]]
        garden.link(links + list(pairwise(blog[1:])))
        _joined_to_web(garden, blog[0], blog)
    return [page for blog in blogs for page in blog]


def _mirrors(garden: Garden) -> list[int]:
    """The same manual on two to four domains; a page names its copies."""
    generator = garden.random
    size = int(generator.integers(8, 60))
    copies: list[list[int]] = [
        garden.site(size, garden.new_domain()).tolist()
        for _ in range(int(generator.integers(2, 5)))
    ]
    for copy in copies:
        garden.link(_complete(copy))
        garden.link(
            [
                (page, other[place])
                for place, page in enumerate(copy)
                for other in copies
                if other is not copy
            ]
        )
    _joined_to_web(garden, copies[0][0], copies[0])
    return [page for copy in copies for page in copy]


def _translations(garden: Garden) -> list[int]:
    """The same pages in several languages, on domains of their own; each names its translations,
    and links to some pages in its own language."""
    generator = garden.random
    size = int(generator.integers(20, 80))
    sites: list[list[int]] = [
        garden.site(size, garden.new_domain()).tolist()
        for _ in range(int(generator.integers(2, 9)))
    ]
    for place in range(size):
        garden.link(_complete([site[place] for site in sites]))
    for site in sites:
        for page in site:
            near = {*site[:5], *generator.choice(site, 8).tolist()} - {page}
            garden.link([(page, other) for other in near])
        _joined_to_web(garden, site[0], site)
    return [page for site in sites for page in site]


_HONEST: dict[str, Callable[[Garden], list[int]]] = {
    "manual": _manual,
    "company": _company,
    "blog_ring": _blog_ring,
    "mirrors": _mirrors,
    "translations": _translations,
}


def plant_honest(garden: Garden, kind: str) -> Honest:
    return Honest(kind, np.array(_HONEST[kind](garden), np.int32))


def _sizes(generator: np.random.Generator) -> tuple[int, int]:
    """10 to 500 pages over 2 to 100 domains, small ones as likely as large ones."""
    size = int(np.exp(generator.uniform(np.log(10), np.log(501))))
    domains = int(np.exp(generator.uniform(np.log(2), np.log(min(100, size) + 1))))
    return size, max(2, min(domains, size))


def _noises(generator: np.random.Generator) -> Iterator[float]:
    """Of each kind of noise: none, or up to a tenth. Every third farm is clean."""
    clean = generator.random() < 1 / 3
    for _ in range(3):
        yield 0.0 if clean else float(generator.uniform(0, 0.1))


def plant(
    web: Web,
    seed: int,
    *,
    of_each: int = 4,
    manuals: int = 10,
    others: int = 2,
    disguise: int = 0,
) -> Planted:
    """`of_each` farms of each shape, `manuals`, and `others` of the other honest kinds."""
    generator = np.random.default_rng(seed)
    garden = Garden(web, generator)
    farms: list[Farm] = []
    honest: list[Honest] = []
    for shape in SHAPES:
        for _ in range(of_each):
            size, domains = _sizes(generator)
            if shape == "linked_cliques":
                size, domains = max(10, size // 2), max(2, domains // 2)
            missing, outside, linked = _noises(generator)
            farms.append(
                plant_farm(
                    garden,
                    shape,
                    size,
                    domains,
                    missing=missing,
                    outside=outside,
                    linked=linked,
                    disguise=disguise,
                )
            )
    for kind in HONEST:
        number = manuals if kind == "manual" else others
        honest += [plant_honest(garden, kind) for _ in range(number)]
    return Planted(garden.web(), farms, honest)
