"""Lantern, the encyclopedia: a wiki, with links from the root of the host."""

from collections import Counter, defaultdict
from datetime import date, timedelta
from typing import NamedTuple
from zlib import crc32

from gossamer.demo.answers import OPENING_DAY, Answer, moved, page
from gossamer.demo.furniture import packed, sitemap, sitemap_index
from gossamer.demo.html import attribute, document, json_ld, link, long_date, text
from gossamer.demo.library import LANTERN, WHERE, Library, article_path
from gossamer.demo.markup import ARTICLE, named_things, summary_of
from gossamer.demo.reading import Article, Leaflet, read_redirects
from gossamer.demo.site import Query, Site

_FEATURED = "Lighthouse"
_IN_SHORT = ("Sourdough", "Aurora", "Ada Lovelace", "Octopus", "Timbuktu", "PageRank")
_TOPICS = {
    "ancient": "Ancient history",
    "earth": "The Earth",
    "everyday": "Everyday things",
    "medieval": "The Middle Ages",
    "modern": "Modern history",
    "nature_places": "Natural places",
}
"""Where the name of a file does not say it."""
_ALSO = 4
_FOUND = 40
_LOGO = (
    '<svg viewBox="0 0 48 64" width="36" height="48" aria-hidden="true">'
    '<path d="M17 10a7 7 0 0 1 14 0" fill="none" stroke="#5b4a2f" stroke-width="3"/>'
    '<path d="M12 18h24l-4-8H16z" fill="#5b4a2f"/><path d="M14 20h20v30H14z" fill="#fbe7a8"/>'
    '<path d="M24 26c5 7 7 10 7 14a7 7 0 0 1-14 0c0-4 2-7 7-14z" fill="#e8930c"/>'
    '<path d="M14 20v30M34 20v30" stroke="#5b4a2f" stroke-width="3"/>'
    '<path d="M10 50h28v6H10z" fill="#5b4a2f"/></svg>'
)
_LANGUAGES = {"de": "Deutsch", "fr": "Français"}


class _Language(NamedTuple):
    code: str
    name: str
    path: str


class Lantern(Site):
    host = LANTERN
    forbidden = ("/search", "/cite/")

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._articles = sorted(library.articles.values(), key=lambda article: article.title)
        self._redirects = read_redirects()
        self._members: dict[str, list[Article]] = defaultdict(list)
        self._topics: dict[str, list[Article]] = defaultdict(list)
        self._letters: dict[str, list[str]] = defaultdict(list)
        self._linked = {
            article.title: frozenset(
                name for kind, name in named_things(article.body) if kind == ARTICLE
            )
            for article in self._articles
        }
        self._translations = {
            leaflet.fields["translates"]: _Language(
                leaflet.fields["language"], _LANGUAGES[leaflet.fields["language"]], leaflet.path
            )
            for leaflet in self.leaflets.values()
            if "translates" in leaflet.fields
        }
        for article in self._articles:
            path = article_path(article)
            name = path.removeprefix("/wiki/")
            self.add(path, self._article, article)
            self.add(f"/cite/{name}", self._citation, article)
            self.move(f"/article/{name}", path)
            for category in article.categories:
                self._members[category].append(article)
        for alias, title in self._redirects.items():
            self.move(f"/wiki/{alias.replace(' ', '_')}", article_path(library.articles[title]))
        for title in sorted({*library.articles, *self._redirects}):
            first = title.lstrip(".")[0].upper()
            self._letters[first if first.isalpha() else "0"].append(title)
        self._spellings = {
            article_path(article).lower(): article_path(article) for article in self._articles
        }
        for category in self._members:
            path = _category_path(category)
            self.add(path, self._category, category)
        for article in library.articles.values():
            self._topics[article.topic].append(article)
        for topic in self._topics:
            self.add(f"/topic/{topic}", self._topic, topic)
        for letter in self._letters:
            self.add(f"/index/{letter}", self._letter, letter)
        self.add("/", self._front)
        self.add("/categories", self._categories)
        self.add_varied("/search", self._search)
        self._add_sitemaps()
        self.move("/index", "/index/A")
        self.move("/index.html", "/")
        self.move("/wiki/Main_Page", "/")

    def elsewhere(self, path: str) -> Answer | None:
        """Titles in another spelling lead to the right one."""
        right = self._spellings.get(path.rstrip("/").replace(" ", "_").lower())
        return moved(self.url(right)) if right and right != path else None

    # Articles

    def _article(self, article: Article) -> Answer:
        rendered = self.render(article.body)
        lead, mark, sections = rendered.html.partition("<h2")
        edited = _edited(article)
        other = self._translations.get(article.title)
        body = f"""<div id="bodyContent" class="mw-body-content">
{lead}{_contents(rendered.headings)}{mark}{sections}
{self._see_also(article)}
{self._external_links(article)}
</div>
{self._category_box(article.categories)}"""
        html = self._framed(
            article.title,
            body,
            path=article_path(article),
            description=summary_of(rendered.text),
            footer=f"This page was last edited on {long_date(edited)}.",
            head=json_ld(
                {
                    "@type": "Article",
                    "headline": article.title,
                    "dateModified": edited.isoformat(),
                    "publisher": {"@type": "Organization", "name": "Lantern"},
                }
            ),
            tools=[("Cite this page", f"/cite/{article_path(article).removeprefix('/wiki/')}")],
            other=other,
        )
        return page(html, edited, f"{article.title}\n{rendered.text}")

    def _see_also(self, article: Article) -> str:
        also = self._neighbours(article)
        if not also:
            return ""
        items = "\n".join(f"<li>{link(article_path(near), near.title)}</li>" for near in also)
        return f'<h2 id="see-also">See also</h2>\n<ul class="see-also">\n{items}\n</ul>'

    def _neighbours(self, article: Article) -> list[Article]:
        """Those that are about the same and are not linked from the text."""
        own = self._linked[article.title]

        def nearness(other: Article) -> float:
            shared = set(article.categories) & set(other.categories)
            near = sum(12 / len(self._members[category]) for category in shared)
            return near + len(own & self._linked[other.title])

        near = [
            (-nearness(other), other.title)
            for other in self._articles
            if other.title != article.title and other.title not in own
        ]
        return [
            self.library.articles[title]
            for distance, title in sorted(near)[:_ALSO]
            if distance < -1
        ]

    def _external_links(self, article: Article) -> str:
        mentions = self.library.mentions.get((ARTICLE, article.title), [])
        if not mentions:
            return ""
        items = "\n".join(
            f"<li>{link(mention.url, mention.title, class_='external')}, "
            f"{text(WHERE[mention.kind])}</li>"
            for mention in mentions
        )
        return f'<h2 id="external-links">External links</h2>\n<ul>\n{items}\n</ul>'

    def _citation(self, article: Article) -> Answer:
        edited = _edited(article)
        body = f"""<p>Copy this line, or read the {link(article_path(article), "article")}.</p>
<blockquote>“{text(article.title)}”. <i>Lantern, the concise encyclopedia</i>.
{long_date(edited)}. {text(self.url(article_path(article)))}</blockquote>"""
        html = self._framed(f"Cite “{article.title}”", body, path="", robots="noindex")
        return page(html, edited)

    # Lists

    def _front(self) -> Answer:
        featured = self.library.articles[_FEATURED]
        prose = [line for line in featured.body.splitlines() if not line.startswith("## ")]
        lead = self.render("\n".join(prose)).html
        short = "\n".join(f"<li>{self._first_line(title)}</li>" for title in _IN_SHORT)
        body = f"""<div id="bodyContent" class="front">
<p class="welcome">Welcome to <b>Lantern</b>, the concise encyclopedia:
{len(self._articles)} articles in {len(self._members)} {link("/categories", "categories")}.</p>
<div class="front-columns">
<section class="box featured">
<h2>Article of the week: {link(article_path(featured), featured.title)}</h2>
{lead}
<p>{link(article_path(featured), "Read on")}</p></section>
<section class="box"><h2>In short</h2>
<ul class="in-short">
{short}
</ul></section>
</div>
<h2>Browse by topic</h2>
<div class="topics">
{self._topic_cards()}
</div>
<h2>From A to Z</h2>
{self._letter_bar()}
</div>"""
        html = self._framed(
            "Lantern, the concise encyclopedia",
            body,
            path="/",
            description="Short, lively and exact articles on science, history, places, art and "
            "everyday things.",
        )
        return page(html)

    def _first_line(self, title: str) -> str:
        return self.render(self.library.articles[title].body.partition("\n")[0]).html

    def _topic_cards(self) -> str:
        cards = []
        for topic, members in self._topics.items():
            shown = ", ".join(link(article_path(member), member.title) for member in members[:4])
            name = link(f"/topic/{topic}", _TOPICS.get(topic, topic.title()))
            cards.append(f'<div class="topic"><h3>{name}</h3><p>{shown} …</p></div>')
        return "\n".join(cards)

    def _topic(self, topic: str) -> Answer:
        members = self._topics[topic]
        name = _TOPICS.get(topic, topic.title())
        items = "\n".join(f"<li>{self._summary(member)}</li>" for member in members)
        html = self._framed(
            f"Topic: {name}",
            f'<div id="bodyContent"><ul class="found">\n{items}\n</ul></div>',
            path=f"/topic/{topic}",
            description=f"{name} in Lantern: {_counted(len(members), 'article')}.",
        )
        return page(html, max(map(_edited, members)))

    def _summary(self, article: Article) -> str:
        said = summary_of(self.render(article.body).text)
        return f"{link(article_path(article), article.title)}: {text(said)}"

    def _category(self, category: str) -> Answer:
        members = self._members[category]
        items = "\n".join(
            f"<li>{link(article_path(member), member.title)}</li>" for member in members
        )
        related = Counter(
            other for member in members for other in member.categories if other != category
        )
        near = ", ".join(
            link(_category_path(other), other) for other, _ in sorted(related.items())[:20]
        )
        body = f"""<div id="bodyContent">
<p>{_counted(len(members), "article")} in this category.</p>
<ul class="columns">
{items}
</ul>
{f'<p class="related">Related categories: {near}</p>' if near else ""}
</div>"""
        description = f"Articles about {category} in Lantern: " + ", ".join(
            member.title for member in members[:6]
        )
        html = self._framed(
            f"Category: {category}", body, path=_category_path(category), description=description
        )
        return page(html, max(map(_edited, members)))

    def _categories(self) -> Answer:
        items = "\n".join(
            f"<li>{link(_category_path(name), name)} <small>({len(members)})</small></li>"
            for name, members in sorted(self._members.items())
        )
        body = f'<div id="bodyContent"><ul class="columns">\n{items}\n</ul></div>'
        return page(
            self._framed(
                "All categories",
                body,
                path="/categories",
                description="Every category of Lantern, from Acoustics to Writing.",
            )
        )

    def _letter(self, letter: str) -> Answer:
        def entry(title: str) -> str:
            if title in self._redirects:
                path = "/wiki/" + title.replace(" ", "_")
                return f"<li><i>{link(path, title)}</i>: see {text(self._redirects[title])}</li>"
            return f"<li>{link(article_path(self.library.articles[title]), title)}</li>"

        items = "\n".join(map(entry, self._letters[letter]))
        body = f"""<div id="bodyContent">
{self._letter_bar(letter)}
<ul class="columns">
{items}
</ul>
</div>"""
        return page(
            self._framed(
                f"Articles under {letter}",
                body,
                path=f"/index/{letter}",
                description=f"All articles of Lantern whose titles begin with {letter}.",
            )
        )

    def _letter_bar(self, current: str = "") -> str:
        letters = " ".join(
            f"<b>{letter}</b>" if letter == current else link(f"/index/{letter}", letter)
            for letter in sorted(self._letters)
        )
        return f'<p class="letters">{letters}</p>'

    def _search(self, query: Query) -> Answer:
        words = query.get("q", "")[:100].lower().split()
        found = [
            article
            for article in self._articles
            if words and all(word in article.title.lower() for word in words)
        ] or [
            article
            for article in self._articles
            if words and all(word in article.body.lower() for word in words)
        ]
        items = "\n".join(f"<li>{self._summary(article)}</li>" for article in found[:_FOUND])
        said = _counted(len(found), "article") if words else "Nothing was asked for"
        body = f'<div id="bodyContent"><p>{said}.</p>\n<ul class="found">\n{items}\n</ul></div>'
        return page(self._framed("Search", body, path="", robots="noindex"))

    # Pages that stand alone

    def leaflet(self, leaflet: Leaflet) -> Answer:
        rendered = self.render(leaflet.body)
        original = leaflet.fields.get("translates", "")
        other = None
        if original:
            path = article_path(self.library.articles[original])
            other = _Language("en", "English", path)
        html = self._framed(
            leaflet.title,
            f'<div id="bodyContent">\n{rendered.html}\n</div>',
            path=leaflet.path,
            description=leaflet.fields["description"],
            robots=leaflet.fields.get("robots", ""),
            language=leaflet.fields.get("language", "en"),
            other=other,
        )
        return page(html, None, f"{leaflet.title}\n{rendered.text}")

    def missing(self) -> Answer:
        body = f"""<div id="bodyContent"><p>Lantern has no page at this address.
Try the search box, or {link("/index/A", "the index from A to Z")}.</p></div>"""
        html = self._framed("There is no such page", body, path="", robots="noindex")
        return Answer(html.encode(), status=404)

    # The frame around everything

    def _framed(
        self,
        title: str,
        body: str,
        *,
        path: str,
        description: str = "",
        robots: str = "",
        footer: str = "",
        head: str = "",
        language: str = "en",
        tools: list[tuple[str, str]] | None = None,
        other: _Language | None = None,
    ) -> str:
        known = [
            ("About Lantern", "/about"),
            ("House style", "/style-guide"),
            ("Contact", "/contact"),
        ]
        browse = [("Main page", "/"), ("Index A to Z", "/index/A"), ("Categories", "/categories")]
        panels = [("Navigation", browse), ("The house", known)]
        if tools:
            panels.append(("Tools", [*tools, ("Wanted articles", "/wanted")]))
        navigation = "\n".join(_panel(heading, entries) for heading, entries in panels)
        if other is not None:
            navigation += (
                '\n<div class="portal"><h3>Languages</h3><ul><li>'
                + link(other.path, other.name, hreflang=other.code, lang=other.code)
                + "</li></ul></div>"
            )
            head += "".join(
                f'\n<link rel="alternate" hreflang="{code}" href="{attribute(self.url(address))}">'
                for code, address in ((language, path), (other.code, other.path))
            )
        sub = (
            "From Lantern, the concise encyclopedia"
            if path != "/"
            else "Light on a thousand things"
        )
        return document(
            title=title if path == "/" else f"{title} - Lantern",
            description=description,
            canonical=self.url(path) if path else "",
            robots=robots,
            head=head,
            language=language,
            body=f"""<body>
<a class="skip" href="#content">Skip to the content</a>
<div id="globalWrapper">
<header id="mw-head">
<a id="p-logo" href="/">{_LOGO}<span>Lantern</span></a>
<form id="searchform" action="/search" role="search">
<input type="search" name="q" placeholder="Search Lantern" aria-label="Search Lantern">
<button type="submit">Search</button>
</form>
</header>
<div id="columns">
<main id="content">
<h1 id="firstHeading">{text(title)}</h1>
<div id="siteSub" lang="en">{sub}</div>
{body}
</main>
<nav id="mw-panel" lang="en" aria-label="Site">
{navigation}
</nav>
</div>
<footer id="footer" lang="en">
<p>{footer or "Lantern is written by its contributors."} Text may be read aloud.</p>
<p>{link("/about", "About Lantern")} · {link("/contact", "Contact")} ·
{link("http://courier.example/", "The Harbour Courier")} ·
{link("http://campustable.example/", "Campus Table")} ·
{link("http://longbench.example/", "The Long Bench")}</p>
</footer>
</div>
</body>""",
        )

    def _category_box(self, categories: tuple[str, ...]) -> str:
        links = " | ".join(link(_category_path(name), name) for name in categories)
        return f'<div id="catlinks">{link("/categories", "Categories")}: {links}</div>'

    # Sitemaps: an index of two parts, the larger one packed

    def _add_sitemaps(self) -> None:
        lists = [_category_path(name) for name in self._members]
        lists += ["/", "/categories", *(f"/topic/{topic}" for topic in self._topics)]
        lists += [f"/index/{letter}" for letter in self._letters]
        lists += [leaf.path for leaf in self.leaflets.values() if "robots" not in leaf.fields]

        def articles() -> Answer:
            entries = [(self.url(article_path(entry)), _edited(entry)) for entry in self._articles]
            return packed(sitemap(entries))

        def other() -> Answer:
            return sitemap((self.url(path), OPENING_DAY) for path in lists)

        def index() -> Answer:
            parts = ("/sitemap-articles.xml.gz", "/sitemap-lists.xml")
            return sitemap_index((self.url(path), OPENING_DAY) for path in parts)

        self.add("/sitemap-articles.xml.gz", articles)
        self.add("/sitemap-lists.xml", other)
        self.add("/sitemap.xml", index)


def _edited(article: Article) -> date:
    """Some day, always the same for an article."""
    return date(2023, 1, 2) + timedelta(days=crc32(article.title.encode()) % 720)


def _category_path(category: str) -> str:
    return "/wiki/Category:" + category.replace(" ", "_")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _contents(headings: tuple[tuple[str, str], ...]) -> str:
    if len(headings) < 2:
        return ""
    items = "".join(
        f'<li><a href="#{attribute(anchor)}">{text(heading)}</a></li>'
        for anchor, heading in headings
    )
    return f'<div id="toc" class="toc" role="navigation"><h2>Contents</h2><ol>{items}</ol></div>\n'


def _panel(heading: str, entries: list[tuple[str, str]]) -> str:
    items = "".join(f"<li>{link(path, shown)}</li>" for shown, path in entries)
    return f'<div class="portal"><h3>{text(heading)}</h3><ul>{items}</ul></div>'
