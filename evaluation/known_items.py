"""Is the page that a query names first? Over the sample web, for every kind of page.

Each page of the sample web is searched for by its title: exactly as it is, and as people type it,
in lower case and with one word left out (of titles of three words or more; the word is drawn by a
fixed seed). The share of queries whose page comes first is reported for each kind of page. Where
several pages have the same title, any of them counts. Pages that the crawl does not reach are left
out.

A word left out may take with it all that tells a page from others ('University of Vienna'): nobody
could find these, and they count as missed.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from gossamer.app import crawl
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.app.ranks import Ranking
from gossamer.config import RankSettings, crawl_settings, index_settings
from gossamer.demo import hosts, running_web, titled_pages
from gossamer.search.contract import SearchRequest

INDEX = "sample"
FORMS = ("exact", "typed")
ALL = "all"
_DEPTH = 12
_CONNECTIONS = 8
_SEED = 15
_LEAST_WORDS = 3  # a title of two words would be left with one that names many pages
_SECONDS = 60.0  # a slow machine changes no result


class Item(NamedTuple):
    kind: str
    queries: Mapping[str, str]  # by form
    addresses: frozenset[str]  # of the pages that have the title


Shares = dict[str, dict[str, float]]
"""By form, then by kind: the share of queries whose page comes first."""


def make_index(home: Home) -> Indexes:
    """Crawl the sample web into a home, rank its pages and index them."""
    home.make()
    with running_web() as port:
        settings = crawl_settings(
            {},
            {
                "seeds": tuple(f"http://{host}/" for host in hosts()),
                "name": INDEX,
                "resolve": dict.fromkeys(hosts(), f"127.0.0.1:{port}"),
                "allow_private": True,
                "delay_seconds": 0,
                "connections_per_host": _CONNECTIONS,
                "max_depth": _DEPTH,
            },
        )
        run = crawl(home, settings, mode="new", on_progress=lambda _: None).run
    Ranking(home).rank((run,), RankSettings())
    indexes = Indexes(home)
    indexes.build(INDEX, (run,), None, index_settings({}, {}))
    return indexes


def known_items(is_indexed: Callable[[str], bool]) -> list[Item]:
    """The pages of the sample web that can be found by their titles."""
    pages = [page for page in titled_pages() if is_indexed(page.url)]
    same: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        same[page.title.lower()].add(page.url)
    rng = random.Random(_SEED)
    return [
        Item(
            page.kind,
            {"exact": page.title, "typed": as_typed(page.title, rng)},
            frozenset(same[page.title.lower()]),
        )
        for page in pages
    ]


def as_typed(title: str, rng: random.Random) -> str:
    words = title.lower().split()
    if len(words) >= _LEAST_WORDS:
        del words[rng.randrange(len(words))]
    return " ".join(words)


def measured(indexes: Indexes, items: list[Item], profile: str = "") -> Shares:
    found: dict[str, dict[str, list[bool]]] = {form: defaultdict(list) for form in FORMS}
    for item in items:
        for form, query in item.queries.items():
            request = SearchRequest(query, limit=1, profile=profile, deadline_seconds=_SECONDS)
            hits = indexes.search(INDEX, request).hits
            is_first = bool(hits) and hits[0].url in item.addresses
            for kind in (item.kind, ALL):
                found[form][kind].append(is_first)
    return {
        form: {kind: sum(firsts) / len(firsts) for kind, firsts in by_kind.items()}
        for form, by_kind in found.items()
    }


def evaluated(folder: Path, profile: str = "") -> tuple[Shares, int]:
    """The shares over a fresh crawl, and the number of items. `folder`: for a home."""
    indexes = make_index(Home(folder))
    try:
        items = known_items(lambda url: has_page(indexes, url))
        return measured(indexes, items, profile), len(items)
    finally:
        indexes.close()


def has_page(indexes: Indexes, url: str) -> bool:
    """Return True if a page is in the index under this address."""
    request = SearchRequest(url, limit=1, plain=True, deadline_seconds=_SECONDS)
    hits = indexes.search(INDEX, request).hits
    return bool(hits) and hits[0].url == url


def as_text(shares: Shares, count: int) -> str:
    kinds = [*(kind for kind in next(iter(shares.values())) if kind != ALL), ALL]
    lines = [
        f"sample web: {count} known items, share of queries whose page comes first",
        f"{'':<14}" + "".join(f"{form:>8}" for form in FORMS),
    ]
    lines += [
        f"{kind:<14}" + "".join(f"{shares[form][kind]:>8.3f}" for form in FORMS) for kind in kinds
    ]
    return "\n".join(lines) + "\n"


def below_floors(shares: Shares, floors: Mapping[str, Mapping[str, float]]) -> list[str]:
    """What is below a floor. `floors`: by form, for all kinds together and for each kind."""
    return [
        f"known items, {form}, {kind}: {share:.3f}, its floor {floor}"
        for form, by_kind in shares.items()
        for kind, share in by_kind.items()
        if share < (floor := floors[form][ALL if kind == ALL else "each"])
    ]
