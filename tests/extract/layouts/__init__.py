"""Which words of a page are its content? Pages in fifty layouts of which that is known.

In: a number. Out: the same pages on every machine, each with the words of its content.
Not for: pages as they are on the web in all their variety; but each layout is made as a well known
kind of system makes it, with names, boxes and labels in the places where they have them.
"""

import random
from collections.abc import Callable, Iterator

from tests.extract.layouts import blogs, communities, news, older, reference, world
from tests.extract.layouts.page import Example, Layout, Page, f1
from tests.extract.layouts.prose import ForeignProse, Prose, english

__all__ = ["LAYOUTS", "Example", "examples", "f1"]

LAYOUTS: dict[str, tuple[str, Layout]] = {
    **{
        layout.__name__: ("en", layout)
        for module in (news, blogs, reference, communities, older)
        for layout in module.LAYOUTS
    },
    **{layout.__name__: (language, layout) for language, layout in world.LAYOUTS},
}
"""Name -> language, layout."""


def examples(
    pages_each: int, first: int = 0, prose: Callable[[random.Random], Prose] = english
) -> Iterator[Example]:
    """Pages number `first` and on of each layout."""
    for kind, (language, layout) in LAYOUTS.items():
        for number in range(first, first + pages_each):
            rng = random.Random(f"{kind} {number}")
            page = Page(rng, prose(rng) if language == "en" else ForeignProse(language))
            html = layout(page)
            # Each on a host of its own: no page may profit from the others of its layout.
            url = f"https://{kind.replace('_', '-')}-{number}.example/"
            yield Example(kind, html, "\n".join(page.gold), url)
