"""The sites, page by page: nothing broken, nothing left over, and all that a real site has."""

import gzip
import json
import re
from collections import Counter, defaultdict
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from gossamer.demo import hosts, main_content, product_documents
from gossamer.demo.reading import read_articles, read_products, read_stories, read_threads
from gossamer.demo.web import sites
from tests.demo.walk import ask, html_pages, is_html, tree, walked

_VOID = frozenset({"meta", "link", "img", "br", "hr", "input"})
_NOT_IN_P = frozenset({"p", "div", "ul", "ol", "table", "section", "article", "aside", "h1", "pre"})


def _words(text: str) -> str:
    return " ".join(text.split())


def test_every_link_leads_somewhere() -> None:
    broken = {
        url: (visit.answer.status, visit.source)
        for url, visit in walked().items()
        if visit.answer.status not in (200, 301)
    }
    assert broken == {}
    assert {urlsplit(url).hostname for url in walked()} == set(hosts())


def test_every_page_can_be_reached() -> None:
    reached = {unquote(url.partition("?")[0]) for url in walked()}
    known = {unquote(site.url(path)) for site in sites().values() for path in site.paths()}
    by_machines = ("/robots.txt", "/sitemap", "/story.php", "/product.php")
    left = {url for url in known - reached if not urlsplit(url).path.startswith(by_machines)}
    assert left == set()


def test_there_is_enough_to_crawl() -> None:
    pages = Counter(urlsplit(url).hostname for url in html_pages())
    assert min(pages.values()) >= 200
    assert 1_500 <= pages.total() <= 4_000


def test_all_lies_within_the_depth_of_the_demo() -> None:
    from gossamer.cli.crawling import _DEMO_DEPTH

    endless = re.compile(r"/calendar/20(2[5-9]|[3-9])")
    deepest = max(visit.depth for url, visit in walked().items() if not endless.search(url))
    assert deepest < _DEMO_DEPTH / 2


def test_the_calendar_never_ends() -> None:
    url = "http://courier.example/calendar/2024/12"
    for _ in range(600):
        found = ask(url)
        assert found.status == 200
        (after,) = tree(found.body).css("nav.pages a[rel=next]")
        url = after.attributes["href"] or ""
    assert url == "http://courier.example/calendar/2074/12"
    assert ask("http://courier.example/calendar/12024/02").status == 200
    for wrong in ("2022/12", "2024/13", "2024/3", "2024", "99999999/01", "²024/01", "-024/01"):
        assert ask(f"http://courier.example/calendar/{wrong}").status == 404


def test_no_markup_is_left_over() -> None:
    for url, found in html_pages().items():
        page = tree(found.body)
        for node in page.css("pre, code, script"):
            node.decompose()
        text = page.body.text() if page.body else ""
        for mark in ("[[", "]]", "](", "**", "```", "{", "}", "&amp;", "<"):
            assert mark not in text, (url, mark, text[text.find(mark) - 40 :][:80])


class _Nesting(HTMLParser):
    """Whether every element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _NOT_IN_P and "p" in self.open:
            self.faults.append(f"{tag} in p")
        if tag == "a" and "a" in self.open:
            self.faults.append("a in a")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """Of SVG."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"/{tag}")


def test_elements_are_nested_well() -> None:
    for url, found in html_pages().items():
        nesting = _Nesting()
        nesting.feed(found.body.decode())
        assert (nesting.faults, nesting.open) == ([], []), url


def test_every_page_has_what_a_page_needs() -> None:
    titles: dict[str, set[str]] = defaultdict(set)
    for url, found in html_pages().items():
        page = tree(found.body)
        title = page.css("title")[0].text()
        assert title, url
        assert page.css("html")[0].attributes["lang"] in {"en", "de", "fr"}
        assert len(page.css("h1")) == 1, url
        robots = page.css_first("meta[name=robots]")
        canonical = page.css_first("link[rel=canonical]")
        if canonical is None:
            assert robots is not None
            assert "noindex" in (robots.attributes["content"] or ""), url
            continue
        target = canonical.attributes["href"] or ""
        titles[title].add(target)
        assert ask(target).status == 200
        if target == url and robots is None:
            described = page.css("meta[name=description]")[0].attributes["content"] or ""
            assert 10 < len(described) < 500, url
        for image in page.css("img"):
            assert "alt" in image.attributes, url
        ids = Counter(node.attributes["id"] for node in page.css("[id]"))
        assert ids.most_common(1)[0][1] == 1 if ids else True, url
    assert {title: urls for title, urls in titles.items() if len(urls) > 1} == {}


def test_main_content_is_on_its_page() -> None:
    known = 0
    for url, found in html_pages().items():
        main = main_content(url)
        if main is None:
            continue
        known += 1
        page = tree(found.body)
        text = _words(page.body.text(separator=" ") if page.body else "")
        # Where inline elements meet punctuation a separator would come between.
        close = _words(page.body.text() if page.body else "")
        for line in main.splitlines():
            assert _words(line) in text or _words(line) in close, (url, line)
        assert len(main) > 60, url
    things = len(read_articles()) + 2 * len(read_stories()) + len(read_products())
    assert known > things + 2 * len(read_threads())


def test_main_content_leaves_out_what_is_around_it() -> None:
    moon = main_content("http://lantern.example/wiki/Moon") or ""
    assert moon.startswith("Moon\nThe Moon is the only natural satellite of Earth")
    for around in ("See also", "Categories", "Skip to", "External links", "last edited"):
        assert around not in moon
    thread = main_content("http://longbench.example/thread/python-read-large-csv") or ""
    assert "df = pd.read_csv" in thread
    assert "Sent from my shed" not in thread
    story = "http://courier.example/2023/03/17/tram-extension-approved"
    assert main_content(story) == main_content(f"{story}?utm_source=x")
    for unknown in (
        "http://lantern.example/",
        "http://lantern.example/wiki/No",
        "http://a.example/",
    ):
        assert main_content(unknown) is None


# Furniture


@pytest.mark.parametrize("host", hosts())
def test_robots_and_sitemap(host: str) -> None:
    robots = ask(f"http://{host}/robots.txt").body.decode()
    assert "\nDisallow: /" in robots
    assert f"\nSitemap: http://{host}/sitemap.xml\n" in robots
    listed = _listed(f"http://{host}/sitemap.xml")
    assert len(listed) == len(set(listed))
    closed = re.findall(r"Disallow: (\S+)", robots)
    for url in listed:
        assert url in walked(), url
        assert walked()[url].answer.status == 200
        assert not urlsplit(url).path.startswith(tuple(closed))
        assert b'name="robots"' not in walked()[url].answer.body


def _listed(url: str) -> list[str]:
    """What a sitemap names, also by its parts."""
    found = ask(url)
    assert found.status == 200
    raw = found.body
    if found.media_type == "application/gzip":
        raw = gzip.decompress(raw)
    root = ElementTree.fromstring(raw)
    places = [node.text or "" for node in root.iter() if node.tag.endswith("}loc")]
    if root.tag.endswith("}sitemapindex"):
        return [page for part in places for page in _listed(part)]
    return places


def test_encyclopedia_has_a_packed_sitemap() -> None:
    articles = _listed("http://lantern.example/sitemap-articles.xml.gz")
    assert len(articles) == len(read_articles())


def test_feeds() -> None:
    rss = ElementTree.fromstring(ask("http://courier.example/feed.xml").body)
    stories = [node.text or "" for node in rss.iterfind("channel/item/link")]
    atom = ElementTree.fromstring(ask("http://longbench.example/feed.atom").body)
    name = "{http://www.w3.org/2005/Atom}"
    threads = [node.attrib["href"] for node in atom.iterfind(f"{name}entry/{name}link")]
    assert len(stories) == len(threads) == 25
    assert {ask(url).status for url in (*stories, *threads)} == {200}


def test_redirects() -> None:
    for old, new in (
        ("http://lantern.example/wiki/moon", "http://lantern.example/wiki/Moon"),
        ("http://lantern.example/wiki/Moon/", "http://lantern.example/wiki/Moon"),
        ("http://lantern.example/article/C++", "http://lantern.example/wiki/C++"),
        ("http://lantern.example/wiki/WWW", "http://lantern.example/wiki/World_Wide_Web"),
        ("http://courier.example/story.php?id=1001", "http://courier.example/2023/"),
        ("http://courier.example/section/city/", "http://courier.example/section/city"),
        ("http://wrenandoak.example/product.php?id=1", "http://wrenandoak.example/p/"),
        ("http://wrenandoak.example/c/knives", "http://wrenandoak.example/c/knives/"),
        ("http://campustable.example/table.html", "http://campustable.example/"),
        ("http://longbench.example/t/1", "http://longbench.example/thread/"),
    ):
        found = ask(old)
        assert (found.status, found.location.startswith(new)) == (301, True), old
        assert ask(found.location).status == 200


def test_copies_name_their_originals() -> None:
    copies = Counter[str | None]()
    for url, found in html_pages().items():
        canonical = tree(found.body).css_first("link[rel=canonical]")
        if canonical is not None and canonical.attributes["href"] != url:
            copies[urlsplit(url).hostname] += 1
    assert copies["courier.example"] > 1.5 * len(read_stories())  # printed, or with utm_source
    assert copies["longbench.example"] >= len(read_threads())
    assert copies["wrenandoak.example"] > 20
    assert copies["campustable.example"] > 20
    assert copies["lantern.example"] == 0


def test_other_languages() -> None:
    for url, language, original in (
        ("http://lantern.example/de/wiki/Mond", "de", "Moon"),
        ("http://lantern.example/fr/wiki/Fromage", "fr", "Cheese"),
    ):
        page = tree(ask(url).body)
        assert page.css("html")[0].attributes["lang"] == language
        english = page.css("link[hreflang=en]")[0].attributes["href"] or ""
        assert english.endswith(f"/wiki/{original}")
        (back,) = tree(ask(english).body).css(f"link[hreflang={language}]")
        assert back.attributes["href"] == url


def test_what_is_missing_says_so() -> None:
    for host in hosts():
        for path in (
            "/no/such/page",
            "/%00",
            "/wiki/%FF%FE",
            "/?page=2&sort=",
            "/../../etc/passwd",
        ):
            found = ask(f"http://{host}{path}")
            assert found.status == (200 if path.startswith("/?") else 404)
            assert is_html(found)
            assert b"<h1" in found.body
    for list_page in ("/section/city", "/tag/tram"):
        for number in ("0", "99", "-1", "x", "1" * 5000, "²"):
            assert ask(f"http://courier.example{list_page}?page={number}").status == 404


# The shop


def test_products_for_machines() -> None:
    documents = {document["url"]: document for document in product_documents()}
    assert len(documents) == len(read_products())
    for url, document in documents.items():
        page = tree(ask(url).body)
        found = [json.loads(node.text()) for node in page.css('script[type="application/ld+json"]')]
        (data,) = [entry for entry in found if entry["@type"] == "Product"]
        assert data["name"] == document["name"]
        assert float(data["offers"]["price"]) == document["price"]
        assert data["aggregateRating"]["ratingValue"] == document["rating"]
        assert json.loads(json.dumps(document)) == document


def test_pictures_are_drawings() -> None:
    pictures = [url for url in walked() if url.endswith(".svg")]
    assert len(pictures) == len(read_products()) + len(read_stories())
    drawn = set()
    for url in pictures:
        found = ask(url)
        assert found.media_type == "image/svg+xml"
        assert ElementTree.fromstring(found.body).tag == "{http://www.w3.org/2000/svg}svg"
        assert b"{" not in found.body
        drawn.add(found.body)
    assert len(drawn) > 0.85 * len(pictures)
