"""Why a URL was crawled, or was not: all that journals, segments and filters know of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from gossamer.advice.whys import Facts, reasons, remedies
from gossamer.app.home import Home, settings_of, stored_url, typed_url
from gossamer.app.journals import journals_of
from gossamer.config import CrawlSettings
from gossamer.crawl.explaining import Place, Rule, explain_filters, explain_robots, wider_scope
from gossamer.crawl.forgotten import ForgottenUrls
from gossamer.crawl.lookup import Known, QueuePlace, Whereabouts, look_up
from gossamer.records import Exclusion, Outcome
from gossamer.storage.objects import LocalObjects
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import Url, parse

if TYPE_CHECKING:
    from gossamer.storage.pages import LinksTo, PageStore

_SOME_LINKS = 10
_SOME_PLACES = 3
_LONGEST_PATH = 100

_VISIT = (
    *("url", "outcome", "status", "fetched_at", "seconds", "tries", "detail", "location", "title"),
    *("language", "media_type", "depth"),
)


class Step(Struct, frozen=True):
    """A page on the way from a seed: how it was reached from the one before."""

    url: str
    anchor: str = ""
    via: tuple[str, ...] = ()  # redirects


class Why(Struct, frozen=True):
    run: str
    url: str
    state: str  # Whereabouts
    reason: str  # an outcome or an exclusion; '' where there is none yet
    because: list[str]
    advice: list[str]
    rule: Rule | None
    visit: dict[str, Any] | None
    place: QueuePlace | None  # in the queue of its host
    due: float  # when a retry is due, or a lease ends; 0: neither
    path: list[Step]  # from a seed to the URL
    path_is_whole: bool  # whether it begins with a seed
    links_to: int
    some_links_to: list[dict[str, Any]]
    aliases: list[str]  # that redirect to it
    canonical_of: list[str]  # other pages that call it their canonical address
    canonical: str
    duplicate_of: str
    near_duplicate_of: str


def why(home: Home, name: str, text: str) -> Why:
    run = home.record(name)
    info = home.run(run.name)
    settings = settings_of(run)
    url = typed_url(run, text)
    store = home.store(run)
    folder = home.folder(run.name)
    known = look_up(journals_of(folder), url)
    if ForgottenUrls(Tombstones.load(LocalObjects(folder.path))).covers(url):
        # What the journal says of a host that was forgotten may be older than that.
        known = Known(Whereabouts.EXCLUDED, end=Exclusion.FORGOTTEN)
    row = store.find(url)
    if row is not None and known.whereabouts is Whereabouts.NOWHERE:
        known = Known(Whereabouts.DONE, end=Outcome(row["outcome"]))  # imported, not crawled
    links = store.links_to(url, _SOME_LINKS)
    places = _places(store, stored_url(run), settings, links)
    path, is_whole = _path(store, stored_url(run), url, known, row, links)
    rule = _rule(settings, url, known)
    facts = Facts(
        url=url.href,
        host=url.host,
        run=run.name,
        state=info.state,
        reason=info.reason,
        is_running=info.pid > 0,
        settings=settings,
        statistics=info.statistics,
        known=known,
        row=row,
        depth=_depth(known, row, places),
        rule=rule,
        scope=wider_scope(settings, url, places) if known.end is Exclusion.SCOPE else "",
        links=links.number,
        only_nofollow=all(link["nofollow"] for link in links.some),
    )
    is_settled = known.whereabouts in (Whereabouts.DONE, Whereabouts.EXCLUDED)
    shown = row if isinstance(known.end, Outcome) else None
    href = url.href if row is None else row["url"]
    return Why(
        run=run.name,
        url=href,
        state=known.whereabouts.value,
        reason=known.end.value if known.end is not None and is_settled else "",
        because=reasons(facts),
        advice=remedies(facts),
        rule=rule,
        visit=None if shown is None else {column: shown[column] for column in _VISIT},
        place=known.place,
        due=known.until,
        path=path,
        path_is_whole=is_whole,
        links_to=links.number,
        some_links_to=[
            {"source": link["source"], "anchor": link["anchor"], "nofollow": link["nofollow"]}
            for link in links.some
        ],
        aliases=[alias["url"] for alias in store.aliases(href)],
        canonical_of=store.named_canonical(href, _SOME_LINKS),
        canonical="" if shown is None else shown["canonical"],
        duplicate_of="" if shown is None else shown["duplicate_of"],
        near_duplicate_of="" if shown is None else shown["near_duplicate_of"],
    )


def _places(
    store: "PageStore", read_url: Callable[[str], Url], settings: CrawlSettings, links: "LinksTo"
) -> list[Place]:
    """Where the URL was found: what the filters looked at besides the URL itself."""
    sources = list(dict.fromkeys(link["source"] for link in links.some))[:_SOME_PLACES]
    found = [(read_url(source), store.find(read_url(source))) for source in sources]
    places = [Place(page, row["depth"] + 1) for page, row in found if row is not None]
    return places or [Place(parse(seed), 1) for seed in settings.seeds]


def _depth(known: Known, row: dict[str, Any] | None, places: list[Place]) -> int | None:
    if row is not None:
        return int(row["depth"])
    if known.item is not None:
        return known.item.depth
    return min((place.depth for place in places), default=None)


def _rule(settings: CrawlSettings, url: Url, known: Known) -> Rule | None:
    if known.end is Exclusion.ROBOTS:
        file = known.robots
        return None if file is None else explain_robots(file, settings.agent_name, url)
    if isinstance(known.end, Exclusion):
        return explain_filters(settings, url, known.end)
    return None


def _path(
    store: "PageStore",
    read_url: Callable[[str], Url],
    url: Url,
    known: Known,
    row: dict[str, Any] | None,
    links: "LinksTo",
) -> tuple[list[Step], bool]:
    """The way from a seed, by the pages that found each other first; and whether it is whole."""
    if row is not None:
        step, parent = Step(row["url"], row["anchor"], tuple(row["via"])), row["parent"]
    elif known.item is not None:
        item = known.item
        step, parent = Step(item.url, item.anchor, item.via), item.parent
    elif links.some:
        first = links.some[0]
        step, parent = Step(url.href, first["anchor"]), first["source"]
    else:
        return [], False
    steps = [step]
    while parent and len(steps) < _LONGEST_PATH:
        found = store.find(read_url(parent))
        if found is None:
            return [Step(parent), *steps], False
        steps.insert(0, Step(found["url"], found["anchor"], tuple(found["via"])))
        parent = found["parent"]
    return steps, not parent
