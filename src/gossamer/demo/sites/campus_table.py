"""Campus Table, universities: one large table, pages with little around them, relative links."""

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from io import StringIO

from gossamer.demo.answers import OPENING_DAY, Answer, page
from gossamer.demo.furniture import sitemap
from gossamer.demo.html import attribute, document, json_ld, link, text
from gossamer.demo.library import (
    CAMPUS_TABLE,
    WHERE,
    Library,
    article_url,
    slug_of,
    university_path,
    university_url,
)
from gossamer.demo.reading import Leaflet, University
from gossamer.demo.site import Query, Site

_COLUMNS: dict[str, tuple[str, Callable[[University], str | int]]] = {
    "name": ("University", lambda university: university.name),
    "city": ("City", lambda university: university.city),
    "country": ("Country", lambda university: university.country),
    "founded": ("Founded", lambda university: university.founded),
    "kind": ("Kind", lambda university: university.kind),
}
_STANDARD = "founded"
_WORTH_SORTING = 20


class CampusTable(Site):
    host = CAMPUS_TABLE
    forbidden = ("/search",)

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._universities = sorted(
            library.universities.values(), key=lambda entry: (entry.founded, entry.name)
        )
        self._countries: dict[str, list[University]] = defaultdict(list)
        self._continents: dict[str, list[University]] = defaultdict(list)
        self._centuries: dict[str, list[University]] = defaultdict(list)
        for university in self._universities:
            self._countries[university.country].append(university)
            self._continents[university.continent].append(university)
            self._centuries[_century(university.founded)].append(university)
            path = university_path(university)
            self.add(path, self._university, university)
        for name, members in self._countries.items():
            self._add_table(_country_path(name), f"Universities in {_the(name)}", members)
        for name, members in self._continents.items():
            self._add_table(_continent_path(name), f"Universities in {name}", members)
        for name, members in self._centuries.items():
            self._add_table(f"/founded/{slug_of(name)}", f"Founded in the {name}", members)
        for kind in ("public", "private"):
            members = [entry for entry in self._universities if entry.kind == kind]
            self._add_table(f"/kind/{kind}", f"{kind.title()} universities", members)
        self._add_table("/", "Universities of the world", self._universities)
        self.add("/countries", self._all_countries)
        self.add("/universities.csv", self._csv)
        self.add("/sitemap.xml", self._sitemap)
        self.move("/index.html", "/")
        self.move("/table.html", "/")
        for university in self._universities:
            self.move(f"/u/{university.slug}.html", university_path(university))

    # Tables

    def _add_table(self, path: str, title: str, members: Sequence[University]) -> None:
        self.add_varied(path, self._table, path, title, members)

    def _table(self, path: str, title: str, members: Sequence[University], query: Query) -> Answer:
        column = query.get("sort", _STANDARD)
        column = column if column in _COLUMNS else _STANDARD
        down = query.get("order") == "desc"
        rows = sorted(members, key=_COLUMNS[column][1], reverse=down)
        can_sort = len(members) >= _WORTH_SORTING
        heads = "".join(
            f"<th scope=col>{_sort_link(name, shown, column, down) if can_sort else shown}</th>"
            for name, (shown, _) in _COLUMNS.items()
        )
        cells = "\n".join(self._row(path, university) for university in rows)
        oldest = min(members, key=lambda university: university.founded)
        first = link(_from(path, university_path(oldest)), oldest.name)
        which = "the oldest of them: " if len(members) > 1 else ""
        hint = " Click on a heading to sort." if can_sort else ""
        body = f"""<h1>{text(title)}</h1>
<p>{_counted(len(members))}, {which}{first} ({oldest.founded}).{hint}</p>
<div class=wide><table class=big>
<thead><tr>{heads}</tr></thead>
<tbody>
{cells}
</tbody>
</table></div>"""
        return page(
            self._framed(
                title,
                body,
                path=path,
                description=f"{title}: {_counted(len(members))} with city, country and year.",
            )
        )

    def _row(self, path: str, university: University) -> str:
        name = link(_from(path, university_path(university)), university.name)
        country = link(_from(path, _country_path(university.country)), university.country)
        return (
            f"<tr><td>{name}</td><td>{text(university.city)}</td><td>{country}</td>"
            f"<td class=n>{university.founded}</td><td>{university.kind}</td></tr>"
        )

    def _all_countries(self) -> Answer:
        parts = []
        for continent in sorted(self._continents):
            names = sorted({university.country for university in self._continents[continent]})
            items = "\n".join(
                f"<li>{link(_from('/countries', _country_path(name)), name)} "
                f"({len(self._countries[name])})</li>"
                for name in names
            )
            head = link(_from("/countries", _continent_path(continent)), continent)
            parts.append(f"<h2>{head}</h2>\n<ul class=columns>\n{items}\n</ul>")
        body = "<h1>Countries</h1>\n" + "\n".join(parts)
        return page(
            self._framed(
                "Countries",
                body,
                path="/countries",
                description=f"The {len(self._countries)} countries of Campus Table.",
            )
        )

    # A university

    def _university(self, university: University) -> Answer:
        path = university_path(university)
        said = (
            f"{_named(university)} is a {university.kind} university in {university.city}, "
            f"{_the(university.country)}. "
            f"By its own account it was founded in {university.founded}."
        )
        native = f"<p class=native>{text(university.native_name)}</p>"
        rows = [
            ("City", self._lantern(university.city)),
            ("Country", self._country(path, university.country)),
            (
                "Continent",
                link(_from(path, _continent_path(university.continent)), university.continent),
            ),
            ("Founded", self._founded(path, university)),
            ("Kind", link(_from(path, f"/kind/{university.kind}"), university.kind)),
        ]
        facts = "\n".join(
            f"<tr><th scope=row>{name}</th><td>{value}</td></tr>" for name, value in rows
        )
        people = "\n".join(f"<li>{self._lantern(person)}</li>" for person in university.notable)
        body = f"""<h1>{text(university.name)}</h1>
{native if university.native_name else ""}
<p>{text(said)}</p>
<p>{text(university.known_for)}</p>
<table class=facts>
{facts}
</table>
<h2>People</h2>
<p>Some who studied or taught here:</p>
<ul>
{people}
</ul>
{self._mentioned(university)}
{self._neighbours(path, university)}"""
        html = self._framed(
            university.name,
            body,
            path=path,
            description=f"{said} {university.known_for}",
            head=self._data(university),
        )
        native_line = [university.native_name] if university.native_name else []
        main = [university.name, *native_line, said, university.known_for, *university.notable]
        return page(html, OPENING_DAY, "\n".join(main))

    def _lantern(self, name: str) -> str:
        """A name, linked to the encyclopedia where that has an article."""
        article = self.library.articles.get(name)
        return link(article_url(article), name) if article else text(name)

    def _country(self, path: str, country: str) -> str:
        article = self.library.articles.get(country)
        more = f" ({link(article_url(article), 'in Lantern')})" if article else ""
        return link(_from(path, _country_path(country)), country) + more

    def _founded(self, path: str, university: University) -> str:
        century = _century(university.founded)
        return (
            f"{university.founded} ({link(_from(path, f'/founded/{slug_of(century)}'), century)})"
        )

    def _mentioned(self, university: University) -> str:
        mentions = self.library.mentions.get(("universities", university.slug), [])
        if not mentions:
            return ""
        items = "\n".join(
            f"<li>{link(mention.url, mention.title)}, {text(WHERE[mention.kind])}</li>"
            for mention in mentions
        )
        return f"<h2>Elsewhere</h2>\n<ul>\n{items}\n</ul>"

    def _neighbours(self, path: str, university: University) -> str:
        place = self._universities.index(university)
        links = []
        if place > 0:
            older = self._universities[place - 1]
            links.append(link(_from(path, university_path(older)), f"← {older.name}", rel="prev"))
        if place + 1 < len(self._universities):
            younger = self._universities[place + 1]
            links.append(
                link(_from(path, university_path(younger)), f"{younger.name} →", rel="next")
            )
        return f"<p class=neighbours>By age: {' | '.join(links)}</p>"

    def _data(self, university: University) -> str:
        return json_ld(
            {
                "@type": "CollegeOrUniversity",
                "name": university.name,
                **({"alternateName": university.native_name} if university.native_name else {}),
                "foundingDate": str(university.founded),
                "address": {
                    "@type": "PostalAddress",
                    "addressLocality": university.city,
                    "addressCountry": university.country,
                },
            }
        )

    # Pages that stand alone

    def leaflet(self, leaflet: Leaflet) -> Answer:
        rendered = self.render(leaflet.body)
        html = self._framed(
            leaflet.title,
            f"<h1>{text(leaflet.title)}</h1>\n{rendered.html}",
            path=leaflet.path,
            description=leaflet.fields["description"],
            robots=leaflet.fields.get("robots", ""),
        )
        return page(html, OPENING_DAY, f"{leaflet.title}\n{rendered.text}")

    def missing(self) -> Answer:
        # Its links cannot be relative: it stands at any address.
        body = (
            '<h1>Not in the table</h1>\n<p>There is no such page. <a href="/">To the table</a></p>'
        )
        html = self._framed("Not in the table", body, path="", robots="noindex")
        return Answer(html.encode(), status=404)

    def _framed(
        self,
        title: str,
        body: str,
        *,
        path: str,
        description: str = "",
        robots: str = "",
        head: str = "",
    ) -> str:
        def here(target: str) -> str:
            return _from(path, target) if path else target

        continents = " | ".join(
            link(here(_continent_path(name)), name) for name in sorted(self._continents)
        )
        centuries = " | ".join(
            link(here(f"/founded/{slug_of(name)}"), name.removesuffix(" century"))
            for name in self._centuries
        )
        return document(
            title=f"{title} (Campus Table)",
            description=description,
            canonical=self.url(path) if path else "",
            robots=robots,
            head=head,
            style=here("/style.css"),
            body=f"""<body>
<div id=top><a href="{attribute(here("/"))}"><b>Campus Table</b></a>
<span>Universities of the world, in order of age</span></div>
<div id=menu>{link(here("/"), "The table")} | {link(here("/countries"), "Countries")} |
{continents}</div>
<div id=main>
{body}
</div>
<div id=bottom>
<p>By century of foundation: {centuries}</p>
<p>{link(here("/kind/public"), "Public")} | {link(here("/kind/private"), "Private")} |
{link(here("/universities.csv"), "All as CSV")} | {link(here("/about"), "About")} |
{link(here("/corrections"), "Corrections")} | {link(here("/changes"), "Changes")}</p>
<p>People and places are explained in {link("http://lantern.example/", "Lantern")}.</p>
</div>
</body>""",
        )

    # For machines

    def _csv(self) -> Answer:
        out = StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["name", "city", "country", "continent", "founded", "kind", "url"])
        rows.writerows(
            [
                *(entry.name, entry.city, entry.country, entry.continent),
                *(entry.founded, entry.kind, university_url(entry)),
            ]
            for entry in self._universities
        )
        return Answer(out.getvalue().encode(), "text/csv; charset=utf-8", modified=OPENING_DAY)

    def _sitemap(self) -> Answer:
        paths = ["/", "/countries", *map(university_path, self._universities)]
        paths += [_country_path(name) for name in self._countries]
        paths += [_continent_path(name) for name in self._continents]
        paths += [leaf.path for leaf in self.leaflets.values() if "robots" not in leaf.fields]
        return sitemap((self.url(path), OPENING_DAY) for path in paths)


def _from(path: str, target: str) -> str:
    """A relative link from one path to another."""
    return "../" * (path.count("/") - 1) + target.lstrip("/") or "./"


def _country_path(country: str) -> str:
    return f"/country/{slug_of(country)}"


def _continent_path(continent: str) -> str:
    return f"/continent/{slug_of(continent)}"


def _century(year: int) -> str:
    number = (year - 1) // 100 + 1
    ending = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending} century"


def _the(country: str) -> str:
    """As part of a sentence."""
    plural = ("United", "Netherlands", "Philippines", "Czech Republic", "Dominican Republic")
    return f"the {country}" if country.startswith(plural) else country


def _named(university: University) -> str:
    return f"The {university.name}" if " of " in university.name else university.name


def _counted(number: int) -> str:
    return "1 university" if number == 1 else f"{number} universities"


def _sort_link(name: str, shown: str, column: str, down: bool) -> str:
    if name != column:
        return link(f"?sort={name}", shown)
    return link(
        f"?sort={name}" + ("" if down else "&order=desc"), f"{shown} {'▼' if down else '▲'}"
    )
