"""Which links of a page go to the frontier, and with what: objection, score, origin.

Most links of a page are known already, and nothing more is asked about those.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from gossamer.config import CrawlSettings
from gossamer.crawl.filters import Filters
from gossamer.crawl.known_links import KnownLinks, endorsement
from gossamer.crawl.link_score import BEST, LinkScorer
from gossamer.discovery import MOST_NESTED
from gossamer.records import Exclusion, FoundLink, Item, Link
from gossamer.urls import KeyRules, Url, from_href

_MAX_ANCHOR = 200
_LISTINGS_OF_A_START = 10
_LISTINGS_OF_A_PAGE = 1  # the first one is its site's; others tend to be about the page itself


@dataclass(slots=True)
class Choice:
    """What became of the links of a page. `found` are all, of which the others were not sent.
    `kept` are those that the store keeps, whatever became of them."""

    found: int
    cross_site: int = 0
    nofollow: int = 0  # not to be followed from here
    known: int = 0
    kept: tuple[FoundLink, ...] = ()
    links: list[Link] = field(default_factory=list)


class LinkChooser:
    def __init__(
        self, settings: CrawlSettings, filters: Filters, known: KnownLinks, rules: KeyRules
    ) -> None:
        self._filters = filters
        self._known = known
        self._rules = rules
        self._obeys = settings.obey_robots
        self._most = settings.max_links_per_page
        self._feeds = settings.feeds
        self._sitemaps = settings.sitemaps
        self._endorses = settings.order == "budget"
        self._scorer = LinkScorer(settings.topic)
        self._scores_all = settings.order == "best" or bool(settings.topic)

    def of_page(
        self,
        item: Item,
        page: Url,
        found_links: tuple[FoundLink, ...],
        sent: set[int],
        *,
        follows: bool,
        title: str = "",
        link_score: int = -1,
    ) -> Choice:
        """`sent`: keys of links that go with the same answer already. `follows`: false where the
        page forbids it. `link_score`: of all links, where it is not -1."""
        choice = Choice(len(found_links), kept=found_links)
        links = choice.links
        source, site, depth = item.url, item.site, item.depth + 1
        settled, settled_before = self._known.settled
        objection_to = self._filters.objection
        score_of = self._scorer.score
        obeys = self._obeys
        listings: list[FoundLink] = []
        told: set[int] = set()  # sites of which it is known that this one links to them
        limited: set[int] = set()
        scores: dict[int, int] = {}
        on_topic_page = self._scores_all and self._scorer.is_about_topic(title)
        if follows and 0 < self._most < len(found_links):
            scores = self._scores(found_links, depth, on_topic_page)
            limited = self._beyond_limit(found_links, page, depth, scores)
        cross_site = nofollow = 0
        rest = self._without_settled(found_links, site) if follows else found_links
        known = len(found_links) - len(rest)
        for found in rest:
            url = found.url
            href, _, _, target_site, key = url
            if found.is_listing:
                listings.append(found)
                continue
            crosses = target_site != site
            if crosses:
                cross_site += 1
            if not follows or (obeys and found.nofollow) or found.is_outside:
                nofollow += 1
                continue
            if key in settled or key in settled_before or key in sent:
                if not crosses or target_site in told:
                    known += 1
                    continue
                told.add(target_site)
                if not self._endorses or not self._endorse(site, target_site, sent):
                    known += 1
                    continue
                objection = None  # it is in the crawl; what is new is who links to it
            else:
                objection = objection_to(url, page, depth)
                if objection is None and key in limited:
                    objection = Exclusion.LINK_LIMIT
                if objection is not None and self._known.is_left_out(key, objection):
                    known += 1
                    continue
            if objection is None:  # otherwise another page of this answer may still bring it in
                sent.add(key)
                if crosses and target_site not in told:
                    told.add(target_site)
                    sent.add(endorsement(site, target_site))
            anchor = found.anchor[:_MAX_ANCHOR]
            target = Item(href, target_site, key, depth, source, anchor)
            if link_score >= 0:
                target = structs.replace(target, score=link_score)
            elif self._scores_all:
                score = scores.get(key) or score_of(found, depth, on_topic_page=on_topic_page)
                target = structs.replace(target, score=score)
            links.append(Link(target, objection, site if crosses else 0))
        choice.cross_site, choice.nofollow, choice.known = cross_site, nofollow, known
        if listings:
            choice.kept = tuple([found for found in found_links if not found.is_listing])
            self._add_named_listings(choice, item, page, listings, sent, follows=follows)
        return choice

    def _without_settled(self, found_links: Sequence[FoundLink], site: int) -> list[FoundLink]:
        """The links but those that need not be looked at: within the site, to be followed, and in
        the crawl already. That is most of them."""
        settled, settled_before = self._known.settled
        return [
            found
            for found in found_links
            if ((key := found.url[4]) not in settled and key not in settled_before)
            or found.url[3] != site
            or found.nofollow
            or found.is_listing
            or found.is_outside
        ]

    def _endorse(self, site: int, target: int, sent: set[int]) -> bool:
        """Whether it is news that a site links to another one; it goes with this answer, then."""
        pair = endorsement(site, target)
        if pair in sent or any(pair in settled for settled in self._known.settled):
            return False
        sent.add(pair)
        return True

    # Scores

    def _scores(
        self, found_links: Iterable[FoundLink], depth: int, on_topic_page: bool
    ) -> dict[int, int]:
        """By key; of several links to one URL the best counts."""
        score_of = self._scorer.score
        scores: dict[int, int] = {}
        for found in found_links:
            score = score_of(found, depth, on_topic_page=on_topic_page)
            key = found.url.key
            if score > scores.get(key, -1):
                scores[key] = score
        return scores

    def _beyond_limit(
        self,
        found_links: tuple[FoundLink, ...],
        page: Url,
        depth: int,
        scores: dict[int, int],
    ) -> set[int]:
        """Keys of links that would be followed if there were not better ones. Which they are
        depends on the page alone, not on what this process knows."""
        if not 0 < self._most < len(found_links):
            return set()
        wanted: dict[int, Url] = {}
        for found in found_links:
            is_refused = found.nofollow and self._obeys
            if not (is_refused or found.is_listing or found.is_outside):
                wanted.setdefault(found.url.key, found.url)
        if len(wanted) <= self._most:
            return set()
        objection_to = self._filters.objection
        allowed = [key for key, url in wanted.items() if objection_to(url, page, depth) is None]
        # Sorting is stable: of equal ones, those come first that stand first.
        allowed.sort(key=lambda key: -scores[key])
        return set(allowed[self._most :])

    # Listings

    def _add_named_listings(
        self,
        choice: Choice,
        item: Item,
        page: Url,
        listings: list[FoundLink],
        sent: set[int],
        *,
        follows: bool,
    ) -> None:
        """Sitemaps and feeds that a page names."""
        is_start = item.depth == 0 or (page.href.count("/") == 3 and page.href.endswith("/"))
        most = _LISTINGS_OF_A_START if is_start else _LISTINGS_OF_A_PAGE
        wanted = listings[:most] if self._feeds and follows else []
        choice.found -= len(listings) - len(wanted)
        for found in wanted:
            url = found.url
            # Of its own site; others are within the crawl or not as any page is.
            of_site = url.site_hash == item.site
            objection_to = self._filters.listing_objection if of_site else self._filters.objection
            if found.nofollow and self._obeys:
                choice.nofollow += 1
                continue
            self._send(
                choice,
                listing_item(url, item.depth, item.url, nested=0),
                objection_to(url, page, item.depth + 1),
                sent,
            )

    def voucher_of(self, item: Item) -> Url:
        """Who speaks for what a listing names: what is in scope for them is in scope."""
        return from_href((item.is_listing and item.parent) or item.url, self._rules)

    def of_listing(
        self, item: Item, voucher: Url, found_links: tuple[FoundLink, ...], sent: set[int]
    ) -> Choice:
        """The addresses that a sitemap or a feed names."""
        choice = Choice(len(found_links))
        nested = BEST - item.score if item.is_listing else 0
        for found in found_links:
            target, depth = found.url, item.depth + 1
            if target.site_hash != item.site:
                choice.cross_site += 1
            objection: Exclusion | None
            if found.is_listing:
                of_site = target.site_hash in (item.site, voucher.site_hash)
                objection_to = (
                    self._filters.listing_objection if of_site else self._filters.objection
                )
                objection = objection_to(target, voucher, depth)
                if nested >= MOST_NESTED:
                    objection = objection or Exclusion.TRAP_GROWTH
                named = listing_item(target, item.depth, voucher.href, nested=nested + 1)
            else:
                objection = self._filters.objection(target, voucher, depth)
                named = Item(
                    *(target.href, target.site_hash, target.key, depth, item.url, found.anchor),
                    score=self._listed_score(found, depth),
                    listed_modified=found.modified,
                )
            self._send(choice, named, objection, sent, is_listed=True)
        return choice

    def _listed_score(self, found: FoundLink, depth: int) -> int:
        return self._scorer.score(found, depth, on_topic_page=False) if self._scores_all else 0

    def of_robots(self, addresses: Iterable[Url], origin: str, depth: int) -> list[Link]:
        """The sitemaps that a robots file names, those that are known left out. `depth`: of the
        pages for whose sake the file was read."""
        if not self._sitemaps:
            return []
        file = from_href(f"{origin}/robots.txt", self._rules)
        choice, sent = Choice(0), set[int]()
        for url in addresses:
            named = listing_item(url, depth, file.href, nested=0)
            objection = self._filters.listing_objection(url, file, depth + 1)
            self._send(choice, named, objection, sent, is_listed=True)
        return choice.links

    def _send(
        self,
        choice: Choice,
        item: Item,
        objection: Exclusion | None,
        sent: set[int],
        *,
        is_listed: bool = False,
    ) -> None:
        settled, settled_before = self._known.settled
        key = item.key
        is_known = key in settled or key in settled_before or key in sent
        if is_known or (objection is not None and self._known.is_left_out(key, objection)):
            choice.known += 1
            return
        if objection is None:
            sent.add(key)
        choice.links.append(Link(item, objection, is_listed=is_listed))


def listing_item(url: Url, depth: int, parent: str, *, nested: int) -> Item:
    """A sitemap or a feed. It is no step on the way from a seed, so it has the depth of what names
    it. Its score says how many listings led to it: best first is those of robots files first."""
    return Item(
        *(url.href, url.site_hash, url.key, depth, parent),
        score=max(0, BEST - nested),
        is_listing=True,
    )
