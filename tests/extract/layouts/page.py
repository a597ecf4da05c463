"""A page in the making: what is written through `say` is its content, what through `noise` is not.

A layout is a function of a `Page` that returns HTML. As it calls `say` and its kin in the order of
the page, the words that belong to the content are known without looking at the HTML.
"""

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tests.extract.layouts.prose import Prose

Layout = Callable[["Page"], str]

_TOKEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]|[^\W_]+")


class Example(NamedTuple):
    kind: str
    html: str
    gold: str  # the lines of the content
    url: str


class Page:
    def __init__(self, rng: random.Random, prose: Prose) -> None:
        self.rng = rng
        self.prose = prose
        self.gold: list[str] = []
        self.title = prose.title(rng)

    # --- content ---

    def say(self, sentences: int = 3) -> str:
        """Running text."""
        return self.keep(self.noise(sentences))

    def keep(self, text: str) -> str:
        self.gold.append(text)
        return text

    def headline(self) -> str:
        return self.keep(self.title)

    def heading(self) -> str:
        return self.keep(self.prose.title(self.rng))

    def linked(self, sentences: int = 3) -> str:
        """Running text with a link in it."""
        text = self.say(sentences)
        words = text.split(" ")
        if len(words) < 6:
            return text
        first = self.rng.randrange(len(words) - 4)
        words[first] = f'<a href="{self.href()}">{words[first]}'
        words[first + 2] += "</a>"
        return " ".join(words)

    def paragraphs(self, count: int, start: str = "<p>", end: str = "</p>") -> str:
        return "\n".join(f"{start}{self.linked(self.rng.randint(2, 5))}{end}" for _ in range(count))

    def items(self, count: int, start: str = "<li>", end: str = "</li>") -> str:
        return "\n".join(f"{start}{self.say(1)}{end}" for _ in range(count))

    # --- the rest ---

    def noise(self, sentences: int = 1) -> str:
        return self.prose.joint.join(self.prose.sentence(self.rng) for _ in range(sentences))

    def label(self) -> str:
        return self.prose.title(self.rng)

    def word(self) -> str:
        return self.prose.word(self.rng)

    def href(self) -> str:
        return f"/{self.rng.choice('abcdef')}/{self.rng.randrange(10**6)}.html"

    def menu(self, count: int, start: str = "<li>", end: str = "</li>") -> str:
        return "\n".join(
            f'{start}<a href="{self.href()}">{self.word()}</a>{end}' for _ in range(count)
        )

    def stories(self, count: int, start: str = "<li>", end: str = "</li>") -> str:
        """Headlines that lead elsewhere."""
        return "\n".join(
            f'{start}<a href="{self.href()}">{self.label()}</a>{end}' for _ in range(count)
        )

    def cards(self, count: int, start: str = '<div class="card">', tag: str = "h3") -> str:
        """Headlines that lead elsewhere, each with a sentence."""
        return "\n".join(
            f'{start}<a href="{self.href()}"><img src="/i.jpg" alt=""></a><{tag}>'
            f'<a href="{self.href()}">{self.label()}</a></{tag}><p>{self.noise()}</p></div>'
            for _ in range(count)
        )

    def remarks(self, count: int, shape: str) -> str:
        """Readers' comments. `shape` holds {name}, {date} and {text}."""
        return "\n".join(
            shape.format(name=self.name(), date=self.date(), text=self.noise(self.number(1, 3)))
            for _ in range(count)
        )

    def name(self) -> str:
        return self.prose.name(self.rng)

    def date(self) -> str:
        return f"{self.rng.randint(1, 28)} May 20{self.rng.randint(10, 24)}"

    def number(self, least: int, most: int) -> int:
        return self.rng.randint(least, most)


def tokens(text: str) -> Counter[str]:
    """The words of a text; of scripts without spaces, the characters."""
    return Counter(_TOKEN.findall(text.lower()))


def f1(found: str, gold: str) -> float:
    """Of the words, as bags."""
    ours, theirs = tokens(found), tokens(gold)
    shared = (ours & theirs).total()
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0
