"""A site: articles in sections, linked as sites link theirs, and whatever else a subclass adds.

Addresses come in several styles, as the programs that serve real sites have them. Every article
has a text of its own; menus and footers are the same on all pages.
"""

import random
from collections.abc import Sequence
from functools import cached_property

from tests.web.message import Answer, Host, Request, document, reply
from tests.web.words import paragraph

SECTIONS = ("travel", "science", "kitchen", "garden", "music", "history", "sport")
RELATED = 5
PER_LIST = 20

_TITLE_WORDS = 4
_STYLES = (
    "/{section}/{slug}.html",
    "/article/{number}",
    "/20{year}/{month:02d}/{slug}/",
    "/?p={number}",
    "/index.php?title={slug}",
    "/wiki/{slug}",
    "/{section}/{number}-{slug}",
    "/show?id={number}&view=full",
    "/events/20{year}-{month:02d}-{day:02d}-{slug}",
    "/library/{letter}/{slug}",
)
STYLES = len(_STYLES)


class Site:
    """Articles in sections, each under one address."""

    def __init__(
        self,
        name: str,
        pages: int = 20,
        *,
        style: int = 0,
        neighbours: Sequence[str] = (),
        seed: int = 0,
        words: int = 60,
        label: str = "",
    ) -> None:
        """`pages`: all of them, the start page and the lists too. `neighbours`: URLs that some of
        the articles link to. `label`: the site's name for itself."""
        self.name = name
        self._label = label or name
        self._style = _STYLES[style % STYLES]
        self._seed = seed * 100_003 + 1
        self._neighbours = neighbours
        self._words = words
        lists = max(1, min(len(SECTIONS), pages // 15)) if pages > 2 else 0
        self.sections = SECTIONS[:lists]
        self._articles = max(0, pages - 1 - lists)
        self._paths = [self._path(number) for number in range(self._articles)]
        self._numbers = {path: number for number, path in enumerate(self._paths)}

    # Addresses

    def _path(self, number: int) -> str:
        slug = "-".join(self.title(number).lower().split())
        return self._style.format(
            section=self._section(number),
            slug=f"{slug}-{number}",
            number=number,
            year=10 + number % 15,
            month=1 + number % 12,
            day=1 + number % 28,
            letter=slug[0],
        )

    def _section(self, number: int) -> str:
        return self.sections[number % len(self.sections)]

    @cached_property
    def article_paths(self) -> tuple[str, ...]:
        return tuple(self._paths)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """All pages that somebody could want."""
        return ("/", *(f"/in/{section}/" for section in self.sections), *self._paths)

    def identity(self, path: str) -> str | None:
        """Which page of the site stands at an address; None: none that is worth a visit."""
        return path if path in self._numbers or path in self._lists else None

    @cached_property
    def _lists(self) -> dict[str, str]:
        return {"/": "", **{f"/in/{section}/": section for section in self.sections}}

    # Pages

    def title(self, number: int) -> str:
        words = paragraph(self._seed + number, _TITLE_WORDS).rstrip(".").split()
        return " ".join(words).capitalize()

    def host(self, purpose: str = "") -> Host:
        return Host(
            self.name, purpose or (self.__doc__ or "").strip(), {"/": self.answer}, self.answer
        )

    def answer(self, request: Request) -> Answer:
        page = self.page(request.path)
        if page is None:
            return reply(404, document("Not found", "<p>Nothing stands here.</p>"))
        return reply(200, page)

    def page(self, path: str) -> str | None:
        """The HTML at a path; None: nothing."""
        number = self._numbers.get(path)
        if number is not None:
            return self.framed(
                self.title(number), self.article(number), f"in {self._section(number)}"
            )
        section = self._lists.get(path)
        if section is None:
            return None
        listed = [at for at in range(self._articles) if not section or self._section(at) == section]
        if not section:
            listed = listed[:PER_LIST]
        links = "".join(
            f'<li><a href="{self._paths[at]}">{self.title(at)}</a></li>\n' for at in listed
        )
        intro = paragraph(self._seed + 50_000 + len(self._lists) * len(section) + listed[-1], 40)
        return self.framed(
            section or self._label, f"<p>{intro}</p><ul>{links}</ul>{self.extra_links()}"
        )

    def article(self, number: int) -> str:
        rng = random.Random(self._seed + number)
        text = "".join(
            f"<p>{paragraph(self._seed + 1_000_000 + 3 * number + part, self._words)}</p>\n"
            for part in range(3)
        )
        related = {rng.randrange(self._articles) for _ in range(RELATED)} | {
            (number + 1) % self._articles
        }
        links = "".join(
            f'<li><a href="{self._paths[at]}">{self.title(at)}</a></li>\n' for at in sorted(related)
        )
        away = ""
        if self._neighbours and rng.random() < 0.2:
            away = f'<p>See also <a href="{rng.choice(self._neighbours)}">a neighbour</a>.</p>'
        return f"{text}{away}<h2>Related</h2><ul>{links}</ul>{self.extra_links(number)}"

    def extra_links(self, number: int = -1) -> str:
        """What a subclass adds to its articles and lists."""
        return ""

    def framed(self, title: str, body: str, where: str = "") -> str:
        """A page between the menu and the footer of the site."""
        menu = "".join(
            f'<li><a href="{path}">{label or "Start"}</a></li>'
            for path, label in self._lists.items()
        )
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"</head>\n<body><nav><ul>{menu}</ul></nav>\n<main><h1>{title}</h1>\n{body}\n</main>\n"
            f"<footer><p>{self._label} {where}</p><p>All rights reserved. Write to us if something"
            f" is wrong with this page.</p></footer></body></html>\n"
        )
