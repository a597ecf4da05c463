"""Queries for the sample web, and what they must find there."""

import shlex
from itertools import pairwise

import pytest

from gossamer.search.contract import Answer, Hit
from tests.cli.commands import call
from tests.oracle.engine import Engine


def found(answer: Answer) -> list[str]:
    return [] if answer.searched_instead else [hit.url for hit in answer.hits]


def everything(engine: Engine, index: str, text: str, **options: object) -> set[str]:
    """All documents that match, over as many pages as there are."""
    ids: set[str] = set()
    for page in range(1, 100):
        hits = found(engine.ask(index, text, page=page, **options))
        if not hits:
            break
        ids.update(hits)
    return ids


# A filter only narrows


@pytest.mark.parametrize("query", ["lighthouse keeper", "zzq xxq", "+lighthouse keeper ship"])
@pytest.mark.parametrize(
    ("name", "value"), [("lang", "en"), ("site", "lantern.example"), ("filetype", "html")]
)
def test_a_filter_narrows(sample: Engine, query: str, name: str, value: str) -> None:
    without = everything(sample, "demo", query)
    passing = everything(sample, "demo", "", filters={name: value})
    assert passing
    assert everything(sample, "demo", query, filters={name: value}) == without & passing
    assert everything(sample, "demo", f"{query} {name}:{value}") == without & passing


def test_a_range_narrows(sample: Engine) -> None:
    lanterns = everything(sample, "shop", "brass lantern")
    affordable = everything(sample, "shop", "price:10..100")
    expected = lanterns & affordable
    assert 0 < len(expected) < len(lanterns)
    assert everything(sample, "shop", "brass lantern price:10..100") == expected
    assert everything(sample, "shop", "brass lantern", filters={"price": "10..100"}) == expected
    by_price = sample.ask("shop", "brass lantern price:10..100", sort="price").hits
    assert {hit.url for hit in by_price} == expected
    prices = [hit.fields["price"] for hit in by_price]
    assert prices == sorted(prices)


@pytest.mark.parametrize("query", ["", "moon", "lighthouse keeper", "brass lantern storm"])
def test_a_facet_says_what_a_click_shows(sample: Engine, query: str) -> None:
    names = ("site", "lang", "filetype", "year")
    facets = sample.ask("demo", query, facets=names, limit=1).facets
    assert all(facets[name] for name in names)
    for name in names:
        for value, count in facets[name].items():
            clicked = sample.ask("demo", query, filters={name: value}, limit=1)
            assert clicked.total == count, f"{name}: {value}"


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("storm lantern", ()),
        ("moon OR sea", ()),
        ("moon|lamp sea", ()),
        ("-moon", ()),
        ("brass oil lamp -storm", ()),
        ("site:lantern.example site:courier.example storm", ()),
        ("site:lantern.example|courier.example storm", ()),
        ("storm", (("site", "lantern.example|courier.example"),)),
        ("+moon sea", (("lang", "en"),)),
    ],
)
def test_more_from_a_site_is_what_its_filter_finds(
    sample: Engine, query: str, filters: tuple[tuple[str, str], ...]
) -> None:
    """What is shown of a site and what is said to be more are all its matches."""
    matches = everything(sample, "demo", query, filters=filters)
    hits = sample.ask("demo", query, limit=10, group=True, filters=filters).hits
    told = [hit for hit in hits if hit.more_from_site]
    assert told
    for hit in told:
        of_site = everything(sample, "demo", "", filters={"site": hit.site})
        clicked = (*filters, ("site", hit.site))
        more = everything(sample, "demo", query, filters=clicked)
        assert more == matches & of_site
        shown = sum(one.site == hit.site for one in hits)
        assert hit.folded <= hit.more_from_site == len(more) - shown
        assert sample.ask("demo", query, filters=clicked, limit=1).total == len(more)


def test_the_command_for_more_from_a_site(sample: Engine) -> None:
    """It is printed below a hit, with the filters of the search, and finds all matches."""
    filters = ("--filter", "lang=en")
    for query in ("-moon", "moon OR sea", "--moon sea"):
        printed = call("search", "demo", *filters, "--", query, home=sample.home).out
        line = next(line for line in printed.splitlines() if " more from " in line)
        count, _, command = line.strip().partition(" more from ")
        site, _, command = command.partition(": ")
        words = shlex.split(command)
        words = words[words.index("search") : words.index("--home")]
        found = call(*words, "--json", home=sample.home).object
        of_site = {"site": site, "lang": "en"}
        assert found["total"] == sample.ask("demo", query, filters=of_site, limit=1).total
        assert found["total"] > int(count.replace(",", ""))


def test_a_query_that_only_excludes_finds_the_rest(sample: Engine) -> None:
    every = everything(sample, "demo", "")
    moon = everything(sample, "demo", "moon")
    assert moon
    for query in ("-moon", "* -moon", "NOT moon", "(* -moon)", "((-moon))"):
        assert everything(sample, "demo", query) == every - moon, query
    german = everything(sample, "demo", "", filters={"lang": "de"})
    assert everything(sample, "demo", "-moon", filters={"lang": "de"}) == german - moon
    assert everything(sample, "demo", "-moon lang:de") == german - moon
    assert everything(sample, "demo", "-moon -lang:de") == every - german - moon
    assert not sample.ask("demo", "-moom -moon").did_you_mean
    assert "-moom" in (sample.ask("demo", "lighthose -moom").did_you_mean or "-moom")


# Paging, sorting, browsing


@pytest.mark.parametrize("query", ["lantern", "lighthouse keeper", "the moon and the sea", ""])
def test_pages_show_or_fold_every_match_once(sample: Engine, query: str) -> None:
    total = sample.ask("demo", query, limit=1).total
    shown: list[Hit] = []
    for page in range(1, 200):
        hits = sample.ask("demo", query, limit=10, page=page, group=True).hits
        if not hits:
            break
        shown += hits
    assert len({hit.url for hit in shown}) == len(shown)
    assert sum(1 + hit.folded + hit.similar for hit in shown) == total
    assert all(one.score >= two.score for one, two in pairwise(shown))


def test_every_path_sorts_alike(sample: Engine) -> None:
    python = sample.ask("shop", "lantern", sort="price", group=True, limit=30)
    prices = [hit.fields["price"] for hit in python.hits]
    assert prices == sorted(prices)
    arguments = ("search", "shop", "lantern", "--sort", "price", "--limit", "30", "--json")
    command = call(*arguments, home=sample.home).object
    assert [hit["url"] for hit in command["hits"]] == [hit.url for hit in python.hits]


@pytest.mark.parametrize("query", ["", "*"])
def test_browsing(sample: Engine, query: str) -> None:
    whole = sample.ask("shop", query, limit=1000)
    assert whole.total == len(whole.hits) == 120
    dear = sample.ask("shop", query, sort="-price", filters={"price": "50.."})
    prices = [hit.fields["price"] for hit in dear.hits]
    assert prices == sorted(prices, reverse=True)
    assert min(prices) >= 50
    assert dear.total == len(prices) == sum(hit.fields["price"] >= 50 for hit in whole.hits)


# Words


def test_stop_words_in_compounds_match_nothing_else(sample: Engine) -> None:
    assert sample.ask("demo", "state-of-the-art", limit=1).total < 20
    tents = everything(sample, "shop", "tent")
    assert everything(sample, "shop", "out-of-the-box tent") == tents


def test_a_name_in_capitals_is_no_stop_word(sample: Engine) -> None:
    jobs = everything(sample, "demo", "jobs")
    assert jobs
    assert everything(sample, "demo", "IT jobs") == jobs


def test_keywords_are_compared_without_capitals(sample: Engine) -> None:
    expected = everything(sample, "shop", 'brand:"Lumen & Latch"')
    assert expected
    for text in ('brand:"lumen & latch"', 'brand:"LUMEN & LATCH"'):
        assert everything(sample, "shop", text) == expected
    for value in ("Lumen & Latch", "lumen & latch"):
        assert everything(sample, "shop", "", filters={"brand": value}) == expected
