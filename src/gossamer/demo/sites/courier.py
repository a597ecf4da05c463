"""The Harbour Courier, a newspaper: semantic HTML, absolute links, a calendar without an end."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from gossamer.demo.almanac import Month, read_month
from gossamer.demo.answers import OPENING_DAY, SVG, Answer, moved, page
from gossamer.demo.furniture import Item, rss, sitemap
from gossamer.demo.html import attribute, document, json_ld, link, long_date, text
from gossamer.demo.library import COURIER, Library, at, slug_of, story_path, story_url
from gossamer.demo.markup import Rendered, named_things, render, summary_of
from gossamer.demo.reading import Leaflet, Story
from gossamer.demo.scenes import scene
from gossamer.demo.site import Query, Site, Slice, sliced

SECTIONS = ("harbour", "city", "science", "culture", "sport", "business", "opinion")

_ON_A_PAGE = 6
_RELATED = 3
_MOST_READ = 6
_IN_FEED = 25
_MARK = "utm_source=courier&utm_medium="
_SHOP_MOVED = 2024
"""Older stories still link to the shop's addresses of before."""


class Courier(Site):
    host = COURIER
    forbidden = ("/staff", "/preview/")

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._stories = list(library.stories.values())
        self._numbers = {
            slug: number for number, slug in enumerate(reversed(library.stories), start=1001)
        }
        self._by_number = {str(number): slug for slug, number in self._numbers.items()}
        self._sections: dict[str, list[Story]] = {section: [] for section in SECTIONS}
        self._tags: dict[str, list[Story]] = defaultdict(list)
        self._authors: dict[str, list[Story]] = defaultdict(list)
        self._days: dict[tuple[int, int], list[Story]] = defaultdict(list)
        for story in self._stories:
            self._sections[story.section].append(story)
            self._authors[story.author].append(story)
            self._days[story.date.year, story.date.month].append(story)
            for tag in story.tags:
                self._tags[tag].append(story)
            self.add(story_path(story), self._story, story)
            self.add(f"/print/{story.slug}", self._printed, story)
            self.add(f"/img/{story.slug}.svg", _picture, story)
            self.move(f"/story/{story.slug}", story_path(story))
        self._most_read = self._ranked()
        for section in SECTIONS:
            self._add_list(f"/section/{section}", section.title(), self._sections[section])
        for tag, stories in self._tags.items():
            self._add_list(f"/tag/{slug_of(tag)}", f"All about: {tag}", stories)
        for author, stories in self._authors.items():
            self._add_list(f"/author/{slug_of(author)}", f"Stories by {author}", stories)
        self.add("/", self._front)
        self.add("/feed.xml", self._feed)
        self.add("/sitemap.xml", self._sitemap)
        self.add_varied("/story.php", self._by_old_number)
        self.move("/index.php", "/")
        self.move("/rss", "/feed.xml")
        self.move("/calendar", f"/calendar/{self._stories[0].date:%Y/%m}")

    def address_of(self, kind: str, name: str) -> str:
        return self._marked(kind, name, "article")

    def within(self, url: str) -> str:
        return url

    def elsewhere(self, path: str) -> Answer | None:
        if not path.startswith("/calendar/"):
            return None
        month = read_month(path.removeprefix("/calendar/"))
        return self._calendar(month) if month is not None else None

    def _marked(self, kind: str, name: str, medium: str) -> str:
        """With the mark that tells a shop where its visitors come from."""
        url = self.library.url(kind, name)
        return f"{url}?{_MARK}{medium}" if kind == "shop" else url

    # Stories

    def _story(self, story: Story) -> Answer:
        rendered = self._rendered(story)
        day = long_date(story.date)
        tags = "\n".join(
            f"<li>{link(self._tag_url(tag), tag, rel='tag')}</li>" for tag in story.tags
        )
        body = f"""<main class="story-page">
<article class="story">
<header>
<p class="kicker">{link(self._section_url(story.section), story.section.title())}</p>
<h1>{text(story.title)}</h1>
<p class="byline">By {link(self._author_url(story.author), story.author, rel="author")} ·
<time datetime="{story.date.isoformat()}">{day}</time></p>
</header>
<figure><img src="/img/{story.slug}.svg" alt="{_ALT[story.section]}" width="800" height="450">
</figure>
<div class="story-body">
{rendered.html}
</div>
<footer>
<ul class="tags" aria-label="Tags">
{tags}
</ul>
<p class="tools">{link(self.url(f"/print/{story.slug}"), "Print this story")} ·
<a href="mailto:letters@courier.example?subject={self._numbers[story.slug]}">Write a letter to the
editor</a></p>
</footer>
</article>
<section class="related" aria-labelledby="related"><h2 id="related">Read also</h2>
{self._cards(self._related(story), "related")}
</section>
</main>
{self._sidebar()}"""
        description = summary_of(rendered.text)
        html = self._framed(
            story.title,
            body,
            path=story_path(story),
            description=description,
            section=story.section,
            head=_story_head(story, description),
        )
        return page(html, story.date, f"{story.title}\n{rendered.text}")

    def _rendered(self, story: Story) -> Rendered:
        def address_of(kind: str, name: str) -> str:
            if kind == "shop" and story.date.year < _SHOP_MOVED:
                number = list(self.library.products).index(name) + 1
                return f"http://wrenandoak.example/product.php?id={number}"
            return self.address_of(kind, name)

        return render(story.body, address_of)

    def _printed(self, story: Story) -> Answer:
        rendered = self._rendered(story)
        old = f"/story.php?id={self._numbers[story.slug]}"
        body = f"""<body class="print">
<p class="print-head">The Harbour Courier, {long_date(story.date)}</p>
<h1>{text(story.title)}</h1>
<p>By {text(story.author)}</p>
{rendered.html}
<p class="print-foot">From <a href="{old}">courier.example{old}</a></p>
</body>"""
        html = document(title=story.title, canonical=story_url(story), body=body)
        return page(html, story.date, f"{story.title}\n{rendered.text}")

    def _by_old_number(self, query: Query) -> Answer | None:
        slug = self._by_number.get(query.get("id", ""))
        return moved(story_url(self.library.stories[slug])) if slug else None

    def _related(self, story: Story) -> list[Story]:
        """Those with the same tags, rare tags before common ones."""

        def nearness(other: Story) -> float:
            shared = set(story.tags) & set(other.tags)
            return sum(10 / len(self._tags[tag]) for tag in sorted(shared)) + (
                0.5 if other.section == story.section else 0
            )

        others = [other for other in self._stories if other is not story]
        return sorted(others, key=nearness, reverse=True)[:_RELATED]

    def _ranked(self) -> list[Story]:
        """By how often other stories lead to them."""
        count = Counter(
            name
            for story in self._stories
            for kind, name in named_things(story.body)
            if kind == "news"
        )
        return sorted(self._stories, key=lambda story: -count[story.slug])[:_MOST_READ]

    # Lists

    def _front(self) -> Answer:
        lead, *others = self._stories
        second, rest = others[:4], others[4:]
        shown = {story.slug for story in (lead, *second)}
        sections = "\n".join(self._section_box(section, shown) for section in SECTIONS)
        body = f"""<main class="front">
<article class="lead">
<a href="{attribute(story_url(lead))}"><img src="/img/{lead.slug}.svg"
alt="{_ALT[lead.section]}" width="800" height="450"></a>
<div><p class="kicker">{link(self._section_url(lead.section), lead.section.title())}</p>
<h2>{link(story_url(lead), lead.title)}</h2>
<p>{text(summary_of(self._rendered(lead).text, 320))}</p>
<p class="byline">By {link(self._author_url(lead.author), lead.author)}</p></div>
</article>
<section class="second" aria-label="More of today">
{self._cards(second)}
</section>
<div class="sections">
{sections}
</div>
<p class="more">{link(self.url("/calendar"), f"All {len(rest) + 5} stories in the calendar")}</p>
</main>
{self._sidebar()}"""
        html = self._framed(
            "The Harbour Courier",
            body,
            path="/",
            description="News from Port Ellery: harbour, city, science, culture, sport, business.",
        )
        return page(html, lead.date)

    def _section_box(self, section: str, shown: set[str]) -> str:
        stories = [story for story in self._sections[section] if story.slug not in shown][:4]
        first, rest = stories[0], stories[1:]
        items = "\n".join(f"<li>{link(story_url(story), story.title)}</li>" for story in rest)
        return f"""<section class="section-box">
<h2>{link(self._section_url(section), section.title())}</h2>
{self._card(first)}
<ul>
{items}
</ul></section>"""

    def _add_list(self, path: str, title: str, stories: list[Story]) -> None:
        def make(query: Query) -> Answer | None:
            part = sliced(len(stories), _ON_A_PAGE, query)
            return self._list(path, title, stories, part) if part else None

        self.add_varied(path, make)

    def _list(self, path: str, title: str, stories: list[Story], part: Slice) -> Answer:
        where = path if part.number == 1 else f"{path}?page={part.number}"
        body = f"""<main class="list-page">
<h1>{text(title)}</h1>
{self._cards(stories[part.start : part.stop], "", 220)}
{self._pages(path, part)}
</main>
{self._sidebar()}"""
        html = self._framed(
            title if part.number == 1 else f"{title}, page {part.number}",
            body,
            path=where,
            description=f"{title}: {_counted(len(stories))} in The Harbour Courier.",
            section=path.removeprefix("/section/"),
        )
        return page(html, stories[0].date)

    def _pages(self, path: str, part: Slice) -> str:
        if part.last == 1:
            return ""
        base = self.url(path)
        links = [
            f"<b>{number}</b>"
            if number == part.number
            else link(base if number == 1 else f"{base}?page={number}", number)
            for number in range(1, part.last + 1)
        ]
        if part.number < part.last:
            links.append(link(f"{base}?page={part.number + 1}", "Older stories", rel="next"))
        return f'<nav class="pages" aria-label="Pages">{" ".join(links)}</nav>'

    def _cards(self, stories: Sequence[Story], medium: str = "", length: int = 120) -> str:
        return "\n".join(self._card(story, medium, length) for story in stories)

    def _card(self, story: Story, medium: str = "", length: int = 120) -> str:
        url = story_url(story) + (f"?{_MARK}{medium}" if medium else "")
        return f"""<article class="card"><h3>{link(url, story.title)}</h3>
<p>{text(summary_of(self._rendered(story).text, length))}</p>
<p class="byline"><time datetime="{story.date.isoformat()}">{long_date(story.date)}</time></p>
</article>"""

    def _calendar(self, month: Month) -> Answer | None:
        first, last = self._stories[-1].date, self._stories[0].date
        if month < (first.year, first.month):
            return None
        by_day: dict[int, list[Story]] = defaultdict(list)
        for story in self._days.get((month.year, month.month), []):
            by_day[story.date.day].append(story)

        def cell(day: int) -> str:
            stories = "".join(link(story_url(story), story.title) for story in by_day[day])
            return f"<td><b>{day}</b>{stories}</td>" if day else "<td></td>"

        weeks = "\n".join(f"<tr>{''.join(map(cell, week))}</tr>" for week in month.weeks())
        days = "".join(f'<th scope="col">{name}</th>' for name in _WEEKDAYS)
        before, after = month.moved(-1), month.moved(1)
        links = [
            link(self.url(f"/calendar/{after.path}"), f"Next month: {after.title}", rel="next")
        ]
        if before >= (first.year, first.month):
            url = self.url(f"/calendar/{before.path}")
            links.insert(0, link(url, f"Previous month: {before.title}", rel="prev"))
        months = " ".join(
            link(self.url(f"/calendar/{full.path}"), full.title)
            for full in sorted(Month(*key) for key in self._days)
        )
        body = f"""<main class="list-page">
<h1>Calendar: {month.title}</h1>
<table class="calendar"><thead><tr>{days}</tr></thead>
<tbody>
{weeks}
</tbody></table>
<nav class="pages" aria-label="Months">{" ".join(links)}</nav>
<p class="months">All months with stories: {months}</p>
</main>
{self._sidebar()}"""
        html = self._framed(
            f"Calendar: {month.title}",
            body,
            path=f"/calendar/{month.path}",
            description=f"Stories of The Harbour Courier in {month.title}.",
        )
        return page(html, last)

    # Pages that stand alone

    def leaflet(self, leaflet: Leaflet) -> Answer:
        rendered = self.render(leaflet.body)
        body = f"""<main class="story-page"><article class="story">
<h1>{text(leaflet.title)}</h1>
<div class="story-body">
{rendered.html}
</div></article></main>
{self._sidebar()}"""
        html = self._framed(
            leaflet.title,
            body,
            path=leaflet.path,
            description=leaflet.fields["description"],
            robots=leaflet.fields.get("robots", ""),
        )
        return page(html, OPENING_DAY, f"{leaflet.title}\n{rendered.text}")

    def missing(self) -> Answer:
        body = f"""<main class="story-page"><h1>Page not found</h1>
<p>This page has gone out with the tide. Try {link(self.url("/"), "the front page")} or
{link(self.url("/calendar"), "the calendar")}.</p></main>"""
        html = self._framed("Page not found", body, path="", robots="noindex")
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
        section: str = "",
        head: str = "",
    ) -> str:
        today = self._stories[0].date
        menu = "\n".join(
            f"<li>{link(self._section_url(name), name.title(), **_current(name == section))}</li>"
            for name in SECTIONS
        )
        feed = self.url("/feed.xml")
        name, level = "The Harbour Courier", "h1" if path == "/" else "p"
        return document(
            title=title if path == "/" else f"{title} | {name}",
            description=description,
            canonical=self._canonical(path),
            robots=robots,
            head='<link rel="alternate" type="application/rss+xml" title="All stories" '
            f'href="{feed}">\n{head}',
            body=f"""<body>
<header class="masthead">
<p class="edition">Port Ellery, {_WEEKDAYS[today.weekday()]}, {long_date(today)} · No. 41,207 ·
1.80 EUR</p>
<{level} class="name"><a href="{self.url("/")}">{name}</a></{level}>
<nav aria-label="Sections"><ul>
{menu}
<li>{link(self.url("/calendar"), "Calendar")}</li>
</ul></nav>
</header>
<div class="page">
{body}
</div>
<footer class="imprint">
<p>{link(self.url("/about"), "About us")} · {link(self.url("/contact"), "Contact")} ·
{link(self.url("/privacy"), "Privacy")} · {link(self.url("/subscribe"), "Subscribe")} ·
{link(feed, "RSS")} · {link(self.url("/staff"), "Staff", rel="nofollow")}</p>
<p>Our neighbours: {link(f"http://wrenandoak.example/?{_MARK}footer", "Wren & Oak")} ·
{link("http://longbench.example/", "The Long Bench")} ·
{link("http://lantern.example/", "Lantern")}</p>
<p>© 1871–2024 The Harbour Courier, 14 Tar Street, Port Ellery</p>
</footer>
<input type="checkbox" id="cookies-seen" hidden>
<div class="cookies" role="region" aria-label="Cookie notice"><p>We value your privacy. This
newspaper would like to set cookies, but has none. {link(self.url("/privacy"), "Read more")}</p>
<label for="cookies-seen">Accept all none</label></div>
</body>""",
        )

    def _sidebar(self) -> str:
        items = "\n".join(
            f"<li>{link(story_url(story), story.title)}</li>" for story in self._most_read
        )
        common = sorted(self._tags, key=lambda tag: (-len(self._tags[tag]), tag))[:14]
        tags = " ".join(link(self._tag_url(tag), tag) for tag in common)
        return f"""<aside class="sidebar">
<section><h2>Most read</h2>
<ol>
{items}
</ol></section>
<section><h2>Topics</h2><p class="cloud">{tags}</p></section>
<section class="advert"><h2>Advertisement</h2><p>Mended is better than new. The repair workshop at
{link(f"http://wrenandoak.example/returns?{_MARK}advert", "Wren & Oak")}, Rope Walk.</p></section>
</aside>"""

    def _canonical(self, path: str) -> str:
        plain, mark, query = path.partition("?")
        return self.url(plain) + mark + query if path else ""

    def _section_url(self, section: str) -> str:
        return self.url(f"/section/{section}")

    def _tag_url(self, tag: str) -> str:
        return self.url(f"/tag/{slug_of(tag)}")

    def _author_url(self, author: str) -> str:
        return self.url(f"/author/{slug_of(author)}")

    # For machines

    def _feed(self) -> Answer:
        items = (
            Item(
                story.title,
                story_url(story),
                story.date,
                story.author,
                summary_of(self._rendered(story).text, 300),
            )
            for story in self._stories[:_IN_FEED]
        )
        return rss("The Harbour Courier", self.url("/"), "News from Port Ellery", items)

    def _sitemap(self) -> Answer:
        newest = self._stories[0].date
        lists = ["/", *(f"/section/{section}" for section in SECTIONS)]
        lists += [f"/author/{slug_of(author)}" for author in self._authors]
        lists += [leaf.path for leaf in self.leaflets.values() if "robots" not in leaf.fields]
        entries = [(story_url(story), story.date) for story in self._stories]
        return sitemap([*entries, *((self.url(path), newest) for path in lists)])


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_ALT = {
    "harbour": "Drawing of a fishing boat and a lighthouse",
    "city": "Drawing of a tram in front of old houses",
    "science": "Drawing of an observatory under the stars",
    "culture": "Drawing of a stage with curtains",
    "sport": "Drawing of rowing boats on the river",
    "business": "Drawing of a crane and containers",
    "opinion": "Drawing of a sheet of paper and a pencil",
}


def _picture(story: Story) -> Answer:
    return Answer(scene(story.section, story.slug).encode(), SVG, modified=story.date)


def _story_head(story: Story, description: str) -> str:
    image = at(COURIER, f"/img/{story.slug}.svg")
    tags = [
        ("og:type", "article"),
        ("og:title", story.title),
        ("og:description", description),
        ("og:url", story_url(story)),
        ("og:image", image),
        ("article:published_time", story.date.isoformat()),
        ("article:section", story.section.title()),
    ]
    lines = [f'<meta property="{name}" content="{attribute(value)}">' for name, value in tags]
    lines.append(
        json_ld(
            {
                "@type": "NewsArticle",
                "headline": story.title,
                "datePublished": story.date.isoformat(),
                "author": {"@type": "Person", "name": story.author},
                "articleSection": story.section.title(),
                "keywords": list(story.tags),
                "image": image,
                "publisher": {"@type": "NewsMediaOrganization", "name": "The Harbour Courier"},
            }
        )
    )
    return "\n".join(lines)


def _current(is_current: bool) -> dict[str, str]:
    return {"aria_current": "page"} if is_current else {}


def _counted(stories: int) -> str:
    return "1 story" if stories == 1 else f"{stories} stories"
