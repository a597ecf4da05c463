from typing import Any

import pytest

from gossamer.config import CrawlSettings
from gossamer.crawl.filters import Filters
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.link_choice import Choice, LinkChooser
from gossamer.crawl.link_score import BEST
from gossamer.discovery import MOST_NESTED
from gossamer.records import Exclusion, FoundLink, Item, Link, Outcome, Visit
from gossamer.urls import KeyRules, parse

PAGE = "http://a.example/page"
RULES = KeyRules.of(CrawlSettings())


def found(url: str, anchor: str = "", **more: Any) -> FoundLink:
    return FoundLink(parse(url, RULES), anchor, more.pop("nofollow", False), **more)


def listing(url: str) -> FoundLink:
    return FoundLink(parse(url, RULES), "", False, is_listing=True)


def item(url: str = PAGE, depth: int = 1, **more: Any) -> Item:
    parsed = parse(url, RULES)
    return Item(parsed.href, parsed.site_hash, parsed.key, depth, **more)


class Chooser:
    def __init__(self, **settings: Any) -> None:
        crawl = CrawlSettings(**{"seeds": ("http://a.example/",), "scope": "anywhere", **settings})
        self.known = KnownLinks()
        self._chooser = LinkChooser(crawl, Filters(crawl), self.known, RULES)

    def page(
        self, *links: FoundLink, what: Item | None = None, sent: set[int] | None = None, **more: Any
    ) -> Choice:
        where = what or item()
        choice = self._chooser.of_page(
            *(where, parse(where.url, RULES), links, set() if sent is None else sent),
            **{"follows": True, **more},
        )
        self._check(choice, len(links))
        return choice

    def listing(self, *links: FoundLink, what: Item) -> Choice:
        choice = self._chooser.of_listing(what, self._chooser.voucher_of(what), links, set())
        self._check(choice, len(links))
        assert choice.found == len(links)
        assert choice.kept == ()  # a listing is no page: it links to nothing
        return choice

    def robots(self, *urls: str, origin: str = "http://a.example", depth: int = 0) -> list[Link]:
        return self._chooser.of_robots([parse(url, RULES) for url in urls], origin, depth)

    def learn(self, choice: Choice) -> None:
        visit = Visit(
            *(0, 0, "", Outcome.OK, 200, 0, 0, 0.0, True, 0, 0, 0, 0, 0, 0, 0),
            tuple(choice.links),
        )
        self.known.learn([visit])

    @staticmethod
    def _check(choice: Choice, most: int) -> None:
        assert choice.found == len(choice.links) + choice.known + choice.nofollow
        assert choice.found <= most


def targets(choice: Choice) -> dict[str, Exclusion | None]:
    return {link.item.url: link.excluded for link in choice.links}


# -- The best links of a page

NUMBERED = [found(f"http://a.example/{number}", "A telling anchor") for number in range(10)]


def test_only_the_best_are_followed() -> None:
    links = [*NUMBERED[:4], found("http://a.example/menu", "A telling anchor", boilerplate=True)]
    choice = Chooser(max_links_per_page=3).page(links[4], *links[:4])
    assert targets(choice) == {
        "http://a.example/menu": Exclusion.LINK_LIMIT,
        "http://a.example/0": None,
        "http://a.example/1": None,
        "http://a.example/2": None,
        "http://a.example/3": Exclusion.LINK_LIMIT,
    }
    assert len(choice.kept) == 5  # all stand on the page


@pytest.mark.parametrize("limit", [0, 10, 11])
def test_no_more_than_are_there(limit: int) -> None:
    choice = Chooser(max_links_per_page=limit).page(*NUMBERED)
    assert set(targets(choice).values()) == {None}
    assert {link.item.score for link in choice.links} == {0}  # nobody has asked


def test_a_limit_counts_what_would_be_followed() -> None:
    others = [found(f"http://other-{number}.example/") for number in range(10)]
    refused = [found("http://a.example/no", nofollow=True), *NUMBERED[:1] * 5]
    choice = Chooser(max_links_per_page=2, scope="host").page(*others, *refused, *NUMBERED[:3])
    followed = [url for url, excluded in targets(choice).items() if excluded is None]
    assert followed == ["http://a.example/0", "http://a.example/1"]
    assert targets(choice)["http://a.example/2"] is Exclusion.LINK_LIMIT
    assert targets(choice)["http://other-0.example/"] is Exclusion.SCOPE


def test_which_are_the_best_does_not_depend_on_what_is_known() -> None:
    chooser = Chooser(max_links_per_page=3)
    chooser.learn(Chooser().page(*NUMBERED[:2]))
    choice = chooser.page(*NUMBERED[:5])
    assert targets(choice) == {
        "http://a.example/2": None,
        "http://a.example/3": Exclusion.LINK_LIMIT,
        "http://a.example/4": Exclusion.LINK_LIMIT,
    }
    assert choice.known == 2


def test_what_one_page_leaves_out_another_may_bring_in() -> None:
    chooser = Chooser(max_links_per_page=1)
    left_out = chooser.page(*NUMBERED[:2])
    chooser.learn(left_out)
    again = chooser.page(*NUMBERED[:2])
    assert (again.links, again.known) == ([], 2)
    other = chooser.page(NUMBERED[1])
    assert targets(other) == {"http://a.example/1": None}


def test_several_links_to_one_page_count_as_its_best() -> None:
    menu = found("http://a.example/x", "", boilerplate=True)
    choice = Chooser(max_links_per_page=1).page(
        menu, found("http://a.example/y"), found("http://a.example/x", "A telling anchor")
    )
    assert targets(choice)["http://a.example/x"] is None
    assert targets(choice)["http://a.example/y"] is Exclusion.LINK_LIMIT


# -- Scores


def test_scores_for_an_order_that_asks_for_them() -> None:
    links = (found("http://a.example/x", "A telling anchor"), found("http://a.example/y"))
    best = Chooser(order="best").page(*links)
    assert best.links[0].item.score > best.links[1].item.score > 0
    assert [link.item.score for link in Chooser().page(*links).links] == [0, 0]
    about = Chooser(topic=("telling",)).page(*links)
    assert about.links[0].item.score > best.links[0].item.score


def test_a_score_of_a_plugin_goes_before_ours() -> None:
    choice = Chooser(order="best").page(*NUMBERED[:2], link_score=17)
    assert [link.item.score for link in choice.links] == [17, 17]
    assert [link.item.score for link in Chooser().page(*NUMBERED[:1], link_score=0).links] == [0]


def test_a_page_about_the_topic() -> None:
    (plain,) = Chooser(topic=("owls",)).page(NUMBERED[0]).links
    (about,) = Chooser(topic=("owls",)).page(NUMBERED[0], title="Owls of the north").links
    assert about.item.score > plain.item.score


# -- Endorsements


def test_links_to_other_sites_say_where_they_come_from() -> None:
    choice = Chooser().page(found("http://a.example/x"), found("http://b.example/"))
    assert [link.from_site for link in choice.links] == [0, item().site]
    assert choice.cross_site == 1


def test_a_known_link_is_sent_again_when_another_site_has_it() -> None:
    chooser = Chooser()
    target = found("http://b.example/")
    chooser.learn(chooser.page(target))
    again = chooser.page(target)
    assert (again.links, again.known) == ([], 1)  # the same site again
    other = chooser.page(target, what=item("http://c.example/"))
    assert [(link.excluded, link.from_site) for link in other.links] == [
        (None, item("http://c.example/").site)
    ]
    assert other.known == 0
    chooser.learn(other)
    assert chooser.page(target, what=item("http://www.c.example/y")).links == []


def test_another_page_of_a_site_that_is_endorsed_already() -> None:
    chooser = Chooser()
    chooser.learn(chooser.page(found("http://b.example/x"), what=item("http://c.example/")))
    chooser.learn(chooser.page(found("http://b.example/y")))
    assert chooser.page(found("http://b.example/x")).links == []


def test_an_endorsement_goes_once_with_an_answer() -> None:
    chooser = Chooser()
    first, second = found("http://b.example/1"), found("http://b.example/2")
    chooser.learn(chooser.page(first, second, what=item("http://c.example/")))
    sent: set[int] = set()
    assert len(chooser.page(first, second, sent=sent).links) == 1
    assert len(chooser.page(second, what=item("http://a.example/2"), sent=sent).links) == 0


def test_a_link_that_goes_with_the_answer_already_endorses_too() -> None:
    sent: set[int] = set()
    chooser = Chooser()
    chooser.page(found("http://b.example/"), sent=sent)
    other = chooser.page(found("http://b.example/"), what=item("http://c.example/"), sent=sent)
    assert [link.from_site for link in other.links] == [item("http://c.example/").site]


@pytest.mark.parametrize("order", ["breadth", "depth", "best"])
def test_endorsements_serve_budgets_alone(order: str) -> None:
    chooser = Chooser(order=order)
    chooser.learn(chooser.page(found("http://b.example/")))
    assert chooser.page(found("http://b.example/"), what=item("http://c.example/")).links == []


def test_what_is_not_followed_endorses_nobody() -> None:
    chooser = Chooser()
    chooser.learn(chooser.page(found("http://b.example/"), what=item("http://c.example/")))
    assert chooser.page(found("http://b.example/", nofollow=True)).links == []
    assert chooser.page(found("http://b.example/"), follows=False).links == []


# -- Parts of a page that are not wanted


def test_links_outside_are_kept_and_not_followed() -> None:
    outside = FoundLink(parse("http://a.example/x"), "menu", False, is_outside=True)
    choice = Chooser().page(outside, NUMBERED[0])
    assert targets(choice) == {"http://a.example/0": None}
    assert [link.url.href for link in choice.kept] == ["http://a.example/x", "http://a.example/0"]
    assert (choice.found, choice.nofollow) == (2, 1)


# -- Listings that a page names


def test_a_page_names_a_feed() -> None:
    choice = Chooser(scope="host").page(listing("http://a.example/feed"), what=item(depth=3))
    (link,) = choice.links
    assert (link.excluded, link.is_listed, link.from_site) == (None, False, 0)
    assert link.item == item("http://a.example/feed", 3, parent=PAGE, score=BEST, is_listing=True)
    assert choice.kept == ()  # no reader would follow it


def test_the_first_listing_of_a_page_is_enough_but_for_a_start_page() -> None:
    feeds = [listing(f"http://a.example/feed-{number}") for number in range(12)]
    chooser = Chooser()
    assert len(chooser.page(*feeds).links) == 1
    assert len(chooser.page(*feeds, what=item(depth=0)).links) == 10
    assert len(chooser.page(*feeds, what=item("http://a.example/", 4)).links) == 10
    assert len(chooser.page(*feeds, what=item("http://a.example/?x=/", 4)).links) == 1


def test_a_feed_elsewhere_has_to_be_in_scope() -> None:
    feeds = (listing("http://feeds.example/a"), listing("http://www.a.example/feed"))
    choice = Chooser(scope="host").page(*feeds, what=item(depth=0))
    assert list(targets(choice).values()) == [Exclusion.SCOPE, None]


@pytest.mark.parametrize(("settings", "follows"), [({"feeds": False}, True), ({}, False)])
def test_feeds_that_are_not_wanted_are_not_there(settings: dict[str, Any], follows: bool) -> None:
    choice = Chooser(**settings).page(listing("http://a.example/feed"), follows=follows)
    assert (choice.found, choice.links, choice.nofollow) == (0, [], 0)


# -- What a listing names


def test_what_a_sitemap_names() -> None:
    what = item("http://a.example/sitemap.xml", 2, is_listing=True, score=BEST)
    choice = Chooser().listing(found("http://a.example/x", "News"), what=what)
    (link,) = choice.links
    assert link == Link(
        item("http://a.example/x", 3, parent=what.url, anchor="News"), is_listed=True
    )


def test_whoever_named_a_sitemap_speaks_for_it() -> None:
    robots = "http://a.example/robots.txt"
    what = item("http://cdn.example/map.xml", 0, parent=robots, is_listing=True, score=BEST)
    links = [found(f"http://{host}/x") for host in ("a.example", "cdn.example", "b.example")]
    choice = Chooser(scope="host").listing(*links, what=what)
    assert list(targets(choice).values()) == [None, Exclusion.SCOPE, Exclusion.SCOPE]


def test_sitemaps_within_sitemaps() -> None:
    chooser = Chooser(scope="host")
    robots = "http://a.example/robots.txt"
    what = item("http://a.example/0.xml", 2, parent=robots, is_listing=True, score=BEST)
    for nested in range(1, MOST_NESTED + 1):
        choice = chooser.listing(listing(f"http://a.example/{nested}.xml"), what=what)
        (link,) = choice.links
        assert (link.excluded, link.is_listed) == (None, True)
        what = link.item
        # A listing is no step on the way, and all of them have one voucher.
        assert (what.is_listing, what.depth, what.parent) == (True, 2, robots)
    (link,) = chooser.listing(listing("http://a.example/more.xml"), what=what).links
    assert link.excluded is Exclusion.TRAP_GROWTH
    (link,) = chooser.listing(found("http://a.example/page"), what=what).links
    assert link.excluded is None


def test_a_sitemap_that_a_link_led_to() -> None:
    what = item("http://a.example/sitemap.xml", 3, parent="http://a.example/site-map.html")
    choice = Chooser(scope="host").listing(
        listing("http://a.example/1.xml"), found("http://a.example/x"), what=what
    )
    first, second = choice.links
    assert (first.item.is_listing, first.item.depth, first.item.parent) == (True, 3, what.url)
    assert (second.item.is_listing, second.item.depth) == (False, 4)


def test_sitemaps_of_other_sites_are_pages_like_any() -> None:
    what = item("http://a.example/0.xml", 0, is_listing=True, score=BEST)
    choice = Chooser(scope="host").listing(listing("http://b.example/1.xml"), what=what)
    assert list(targets(choice).values()) == [Exclusion.SCOPE]


def test_the_limit_on_links_is_none_for_listings() -> None:
    what = item("http://a.example/0.xml", 0, is_listing=True, score=BEST)
    choice = Chooser(max_links_per_page=1).listing(*NUMBERED, what=what)
    assert set(targets(choice).values()) == {None}


def test_what_a_listing_names_endorses_nobody() -> None:
    what = item("http://a.example/0.xml", 0, is_listing=True, score=BEST)
    choice = Chooser().listing(found("http://b.example/"), what=what)
    assert [link.from_site for link in choice.links] == [0]
    assert choice.cross_site == 1


def test_depth_counts_for_what_is_named() -> None:
    chooser = Chooser(max_depth=2)
    what = item("http://a.example/0.xml", 2, is_listing=True, score=BEST)
    links = (found("http://a.example/x"), listing("http://a.example/1.xml"))
    assert set(targets(chooser.listing(*links, what=what)).values()) == {Exclusion.DEPTH}
    shallow = item("http://a.example/0.xml", 1, is_listing=True, score=BEST)
    assert set(targets(chooser.listing(*links, what=shallow)).values()) == {None}


# -- What robots files name


def test_sitemaps_of_robots_files() -> None:
    chooser = Chooser(scope="host")
    urls = ("http://a.example/1.xml", "http://cdn.example/2.xml", "http://a.example/1.xml")
    links = chooser.robots(*urls, depth=3)
    assert [link.item.url for link in links] == list(urls[:2])
    for link in links:
        assert (link.excluded, link.is_listed) == (None, True)
        assert (link.item.is_listing, link.item.depth, link.item.score) == (True, 3, BEST)
        assert link.item.parent == "http://a.example/robots.txt"
    chooser.known.learn([], links[:1])
    assert [link.item.url for link in chooser.robots(*urls)] == [urls[1]]


def test_sitemaps_that_are_not_wanted() -> None:
    assert Chooser(sitemaps=False).robots("http://a.example/1.xml") == []
    (seeds_only,) = Chooser(max_depth=0).robots("http://a.example/1.xml")
    assert seeds_only.excluded is Exclusion.DEPTH
    chooser = Chooser(exclude=("*.xml",))
    (excluded,) = chooser.robots("http://a.example/1.xml")
    assert excluded.excluded is Exclusion.PATTERN
    chooser.known.learn([], [excluded])
    assert chooser.robots("http://a.example/1.xml") == []
