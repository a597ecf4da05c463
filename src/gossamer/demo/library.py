"""Which things does the sample web speak of, where does each lie, and which mention which?"""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote

from gossamer.demo.markup import ARTICLE, named_things
from gossamer.demo.reading import (
    Article,
    Product,
    Story,
    Thread,
    University,
    read_articles,
    read_products,
    read_stories,
    read_subjects,
    read_threads,
    read_universities,
)

LANTERN = "lantern.example"
COURIER = "courier.example"
WREN_AND_OAK = "wrenandoak.example"
CAMPUS_TABLE = "campustable.example"
LONG_BENCH = "longbench.example"

HOSTS = {
    LANTERN: "Lantern, the concise encyclopedia",
    COURIER: "The Harbour Courier, the newspaper of Port Ellery",
    WREN_AND_OAK: "Wren & Oak, a shop for outdoors, kitchen and garden",
    CAMPUS_TABLE: "Campus Table, universities of the world",
    LONG_BENCH: "The Long Bench, a forum for practical questions",
}

WHERE = {
    "news": "in The Harbour Courier",
    "forum": "on The Long Bench",
    "shop": "at Wren & Oak",
    "universities": "in Campus Table",
}
"""Where a thing of a kind is found, for readers."""

# What WHATWG leaves as it is in a path, so that no address has two spellings.
_SAFE = "/()'!,:;*~@&=+$-._"


class Mention(NamedTuple):
    """A page that speaks of something on another site."""

    kind: str
    title: str
    url: str


@dataclass(frozen=True)
class Library:
    articles: dict[str, Article]
    stories: dict[str, Story]
    threads: dict[str, Thread]
    products: dict[str, Product]
    universities: dict[str, University]
    mentions: dict[tuple[str, str], list[Mention]]
    """By kind and name of what is spoken of."""
    subjects: dict[str, list[str]]
    """By the slug of a product: titles of articles on what it is about."""

    def url(self, kind: str, name: str) -> str:
        """Where a thing that a text names lies. A name without a thing is a fault in the texts."""
        match kind:
            case "news":
                return story_url(self.stories[name])
            case "shop":
                return product_url(self.products[name])
            case "forum":
                return thread_url(self.threads[name])
            case "universities":
                return university_url(self.universities[name])
            case _:
                return article_url(self.articles[name])


def at(host: str, path: str) -> str:
    return f"http://{host}{quote(path, safe=_SAFE)}"


def article_path(article: Article) -> str:
    return "/wiki/" + article.title.replace(" ", "_")


def article_url(article: Article) -> str:
    return at(LANTERN, article_path(article))


def story_path(story: Story) -> str:
    return f"/{story.date:%Y/%m/%d}/{story.slug}"


def story_url(story: Story) -> str:
    return at(COURIER, story_path(story))


def product_path(product: Product) -> str:
    return f"/p/{product.slug}"


def product_url(product: Product) -> str:
    return at(WREN_AND_OAK, product_path(product))


def product_picture_path(product: Product) -> str:
    return f"/img/{product.slug}.svg"


def product_picture_url(product: Product) -> str:
    return at(WREN_AND_OAK, product_picture_path(product))


def university_path(university: University) -> str:
    return f"/university/{university.slug}"


def university_url(university: University) -> str:
    return at(CAMPUS_TABLE, university_path(university))


def thread_path(thread: Thread) -> str:
    return f"/thread/{thread.slug}"


def thread_url(thread: Thread) -> str:
    return at(LONG_BENCH, thread_path(thread))


def slug_of(name: str) -> str:
    """As part of a path: small letters without accents, and dashes."""
    plain = normalize("NFKD", name.lower().replace("&", "and")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


@cache
def library() -> Library:
    """Everything, read once."""
    articles = {article.title: article for article in read_articles()}
    stories = {story.slug: story for story in sorted(read_stories(), key=_newest_first)}
    threads = {thread.slug: thread for thread in read_threads()}
    products = {product.slug: product for product in read_products()}
    universities = {university.slug: university for university in read_universities()}
    subjects: dict[str, list[str]] = defaultdict(list)
    mentions: dict[tuple[str, str], list[Mention]] = defaultdict(list)

    def note(source: str, mention: Mention) -> None:
        for named in dict.fromkeys(named_things(source)):
            if named[0] != mention.kind:
                mentions[named].append(mention)

    for story in stories.values():
        note(story.body, Mention("news", story.title, story_url(story)))
    for thread in threads.values():
        source = "\n\n".join(post.body for post in thread.posts)
        note(source, Mention("forum", thread.title, thread_url(thread)))
    for title, slugs in read_subjects().items():
        for slug in slugs:
            subjects[slug].append(title)
            product = products[slug]
            mention = Mention("shop", product.name, product_url(product))
            mentions[ARTICLE, title].append(mention)
    for university in universities.values():
        mention = Mention("universities", university.name, university_url(university))
        for name in (university.city, *university.notable):
            if name in articles:
                mentions[ARTICLE, name].append(mention)
    return Library(
        articles, stories, threads, products, universities, dict(mentions), dict(subjects)
    )


def _newest_first(story: Story) -> tuple[int, str]:
    return -story.date.toordinal(), story.slug
