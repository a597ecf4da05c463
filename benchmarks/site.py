"""A site of any size, generated: the same pages for every crawler and on every machine.

Page `n` depends on nothing but `n` and the number of pages, and costs well under a tenth of a
millisecond to make, so that 100,000 pages need not lie in memory. A page is about 20 KB with
about 50 links and 230 elements, half of it text (the medians of a real encyclopedia):
navigation, running text with links in it, pictures, lists, a table, a footer.

Every page but the first is one of the eight children of the page `(n - 1) // 8`, so the whole
site is reached breadth-first within a few levels; the other links lead to pages at random.
"""

import random
from collections.abc import Callable

from benchmarks.vocabulary import (
    ADJECTIVES,
    ADVERBS,
    PATTERNS,
    PEOPLE,
    PLACES,
    REASONS,
    TIMES,
    TOPICS,
    VERBS_BASE,
    VERBS_PAST,
    Topic,
)

CHILDREN = 8
SENTENCES_PER_TOPIC = 2_000
CONTENT_LINKS = 32
SENTENCES_PER_LINK = 3
DISALLOWED = "/account/login"  # linked from every page, forbidden by robots.txt

ROBOTS = b"User-agent: *\nDisallow: /account/\nDisallow: /search\nDisallow: /*?print=\n"

_STYLE = "".join(
    f".c{i}{{margin:{i % 7}px {i % 5}px;padding:{i % 9}px;font-size:{90 + i}%}}" for i in range(12)
)


def sentence(rng: random.Random, topic: Topic) -> str:
    """One grammatical sentence about the topic."""
    words: dict[str, Callable[[], str]] = {
        "n": lambda: rng.choice(topic.nouns),
        "N": lambda: rng.choice(topic.plurals),
        "a": lambda: rng.choice(ADJECTIVES),
        "p": lambda: rng.choice(PLACES),
        "w": lambda: rng.choice(PEOPLE),
        "v": lambda: rng.choice(VERBS_PAST),
        "b": lambda: rng.choice(VERBS_BASE),
        "d": lambda: rng.choice(ADVERBS),
        "t": lambda: rng.choice(TIMES),
        "r": lambda: rng.choice(REASONS),
        "x": lambda: str(rng.randint(3, 900)),
    }
    first, *rest = rng.choice(PATTERNS).split("{")
    text = first + "".join(words[part[0]]() + part[2:] for part in rest)
    for vowel in "aeiou":
        text = text.replace(f" a {vowel}", f" an {vowel}").replace(f"A {vowel}", f"An {vowel}")
    text = text.replace(" an use", " a use").replace("An use", "A use")
    return text[0].upper() + text[1:]


class Site:
    """`pages` pages on `hosts` hosts. `bases` are the origins: one for each host, in order."""

    def __init__(self, pages: int, bases: tuple[str, ...], *, seed: int = 1) -> None:
        self.pages = pages
        self.bases = bases
        rng = random.Random(seed)
        self._sentences = [
            [sentence(rng, topic) for _ in range(SENTENCES_PER_TOPIC)] for topic in TOPICS
        ]
        self._titles: list[str] = []
        self._paths: list[str] = []
        for number in range(pages):
            topic = TOPICS[number % len(TOPICS)]
            adjective, noun = rng.choice(ADJECTIVES), rng.choice(topic.nouns)
            place = rng.choice(PLACES)
            self._titles.append(f"The {adjective} {noun} of {place}")
            self._paths.append(
                f"/{topic.name}/{adjective}-{noun}-of-{place.lower()}-{number}.html"
                if number
                else "/"
            )
        self._numbers = {path: number for number, path in enumerate(self._paths)}
        # Links within the one host are root-relative, as on most sites.
        self._hrefs = (
            self._paths if len(bases) == 1 else [self.url(number) for number in range(pages)]
        )

    def url(self, number: int) -> str:
        return self.bases[number % len(self.bases)] + self._paths[number]

    def urls(self) -> list[str]:
        return [self.url(number) for number in range(self.pages)]

    def number(self, path: str) -> int | None:
        """The page at a path, if there is one."""
        return self._numbers.get(path)

    def _targets(self, number: int, rng: random.Random) -> list[int]:
        first = number * CHILDREN + 1
        children = range(first, min(first + CHILDREN, self.pages))
        others = [int(rng.random() * self.pages) for _ in range(CONTENT_LINKS - len(children))]
        targets = [*children, *others]
        rng.shuffle(targets)
        return targets

    def page(self, number: int) -> bytes:
        """The HTML of a page."""
        rng = random.Random(number * 2_654_435_761 + 1)
        topic = TOPICS[number % len(TOPICS)]
        pool = self._sentences[number % len(TOPICS)]
        sentences = rng.choices(pool, k=3 + SENTENCES_PER_LINK * CONTENT_LINKS)
        targets = self._targets(number, rng)
        title = f"{self._titles[number]}, part {number}"
        url = self.url(number)
        parts = [
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{title}</title>\n"
            f'<meta name="description" content="{sentences[0]}">\n'
            f'<meta name="viewport" content="width=device-width">\n'
            f'<link rel="canonical" href="{url}">\n<style>{_STYLE}</style>\n</head>\n'
            f'<body class="page section-{topic.name}">\n'
            f'<header class="site-header"><a class="logo" href="{self._hrefs[0]}">The Almanac</a>\n'
            f'<nav class="main-nav"><ul>\n',
            self._navigation(),
            f'</ul></nav></header>\n<main id="content">\n<article class="c1">\n<h1>{title}</h1>\n'
            f'<p class="lead">{sentences[1]} {sentences[2]}</p>\n',
        ]
        inline, listed = targets[:-8], targets[-8:]
        for index in range(0, len(inline), 2):
            first = 3 + index * SENTENCES_PER_LINK
            text = sentences[first : first + 2 * SENTENCES_PER_LINK]
            noun = topic.nouns[(number + index) % len(topic.nouns)]
            parts.append(self._section(noun, inline[index : index + 2], text))
        parts += [
            self._table(rng, topic),
            '<aside class="related c4"><h2>Related pages</h2>\n<ul>\n',
            *(
                f'<li class="c{target % 16}"><a href="{self._hrefs[target]}" class="related-link">'
                f"{self._titles[target]}</a></li>\n"
                for target in listed
            ),
            "</ul></aside>\n</article>\n</main>\n",
            self._footer(number),
        ]
        return "".join(parts).encode()

    def _navigation(self) -> str:
        return "".join(
            f'<li class="nav-item"><a class="nav-link" href="{self._hrefs[index]}">'
            f"{TOPICS[index % len(TOPICS)].name.title()}</a></li>\n"
            for index in range(1, min(11, self.pages))
        )

    def _section(self, noun: str, targets: list[int], text: list[str]) -> str:
        """A heading, a picture and two paragraphs; the links stand in the running text."""
        links = [
            f'<a class="internal" href="{self._hrefs[target]}" title="{self._titles[target]}">'
            f"{self._titles[target][4:]}</a>"
            for target in targets
        ]
        middle = len(text) // 2
        return (
            f'<section class="c{len(noun)} block" id="{noun}"><h2><span class="headline">'
            f"{noun.title()} and surroundings</span></h2>\n"
            f'<div class="thumb right" style="width:182px"><img class="thumb-image" width="180" '
            f'height="120" src="/images/{noun}.jpg" alt="A drawing of the {noun}">'
            f'<span class="caption"><i>The {noun}</i></span></div>\n'
            f"<p>{' '.join(text[:middle])} See also {' and '.join(links)}.</p>\n"
            f'<p class="body"><b>{noun.title()}:</b> {text[middle]} <em>{text[middle + 1]}</em> '
            f"{' '.join(text[middle + 2 :])}</p></section>\n"
        )

    def _table(self, rng: random.Random, topic: Topic) -> str:
        rows = "".join(
            f'<tr class="row"><td class="c5">{topic.nouns[index]}</td>'
            f'<td class="c6">{PLACES[index]}</td>'
            f'<td class="number" align="right">{int(rng.random() * 1000)}</td></tr>\n'
            for index in range(10)
        )
        return (
            f'<table class="facts c3"><caption>Figures for the {topic.nouns[0]}</caption>\n'
            f"<tr><th>Subject</th><th>Place</th><th>Count</th></tr>\n{rows}</table>\n"
        )

    def _footer(self, number: int) -> str:
        previous, following = (number - 1) % self.pages, (number + 1) % self.pages
        return (
            f'<footer class="site-footer"><p><a rel="prev" href="{self._hrefs[previous]}">Previous'
            f'</a> <a rel="next" href="{self._hrefs[following]}">Next</a> '
            f'<a href="#content">Back to the top</a> <a href="{DISALLOWED}">Sign in</a> '
            f'<a href="https://archive.example/almanac">Archive</a> '
            f'<a href="mailto:editor@almanac.example">Write to us</a></p>\n'
            f"<p>Made for measuring. Every page of this almanac is invented.</p></footer>\n"
            f"<script>window.page = {{number: {number}, ready: true}};</script>\n</body>\n</html>\n"
        )
