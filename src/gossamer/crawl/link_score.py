"""How promising a link is before anybody has seen where it leads: 0 to 1000.

Where it stands on its page, what is written on it, what its address looks like, how far it is from
a seed; and, where the crawl has a topic, whether any of that speaks of it.
"""

import re
from collections.abc import Iterable

from gossamer.records import FoundLink

BEST = 1_000

_USUAL = 500
_IN_CONTENT, _IN_MENU = 130, -130
_NO_ANCHOR, _EMPTY_ANCHOR, _TELLING_ANCHOR = -60, -40, 60
_LONGEST_TELLING = 120
_NOFOLLOW = -120
_FEW_PARTS, _PART_TOO_MUCH = 3, -20
_PARAMETER = -30
_LONG_ADDRESS, _LONGEST = 100, -60
_STEP, _MOST_STEPS = -15, 10
_TOPIC_IN_ANCHOR, _TOPIC_IN_ADDRESS, _TOPIC_ON_PAGE = 250, 150, 80
_OFF_TOPIC = -150

_FIRST_IDEOGRAPH = "\u2e80"
# Said on links to anything.
_SAYS_NOTHING = re.compile(
    r"[\W\d_]*+(?:click here|here|more|read more|learn more|continue(?: reading)?|next|previous"
    r"|prev|back|home|top|link|details?|mehr|weiterlesen|weiter|zurück|hier|plus|lire la suite"
    r"|suite|más|leer más|siguiente|anterior|mais|leia mais|saiba mais|подробнее|далее|читать"
    r"|更多|詳細|続きを読む)?[\W\d_]*+",
    re.IGNORECASE,
)
_NOT_A_WORD = re.compile(r"[\W_]+")


class Topic:
    """Words, found at the beginnings of words; in scripts that leave no space, anywhere."""

    def __init__(self, words: Iterable[str]) -> None:
        wanted = [" ".join(word.casefold().split()) for word in words if word.strip()]
        self._find = re.compile("|".join(_word(word) for word in wanted)) if wanted else None

    def __bool__(self) -> bool:
        return self._find is not None

    def is_in(self, text: str) -> bool:
        return self._find is not None and self._find.search(text.casefold()) is not None


def _word(word: str) -> str:
    start = "" if word[0] >= _FIRST_IDEOGRAPH else r"(?<!\w)"
    return start + re.escape(word)


class LinkScorer:
    def __init__(self, topic: Iterable[str]) -> None:
        self._topic = Topic(topic)

    def is_about_topic(self, title: str) -> bool:
        return self._topic.is_in(title)

    def score(self, link: FoundLink, depth: int, *, on_topic_page: bool) -> int:
        """`depth` is that of where the link leads."""
        href = link.url.href
        score = _USUAL + (_IN_MENU if link.boilerplate else _IN_CONTENT)
        score += _of_anchor(link.anchor) + _of_address(href)
        score += _STEP * min(depth, _MOST_STEPS)
        if link.nofollow:
            score += _NOFOLLOW
        if self._topic:
            score += self._of_topic(link, href, on_topic_page)
        return min(max(score, 0), BEST)

    def _of_topic(self, link: FoundLink, href: str, on_topic_page: bool) -> int:
        score = 0
        if self._topic.is_in(link.anchor):
            score += _TOPIC_IN_ANCHOR
        if self._topic.is_in(_NOT_A_WORD.sub(" ", href.split("/", 3)[3])):
            score += _TOPIC_IN_ADDRESS
        if on_topic_page:
            score += _TOPIC_ON_PAGE
        return score or _OFF_TOPIC


def _of_anchor(anchor: str) -> int:
    if not anchor:
        return _NO_ANCHOR
    if len(anchor) < _LONGEST_TELLING and _SAYS_NOTHING.fullmatch(anchor):
        return _EMPTY_ANCHOR
    return _TELLING_ANCHOR if len(anchor) <= _LONGEST_TELLING else 0


def _of_address(href: str) -> int:
    parts = href.count("/") - 3
    if href.endswith("/"):
        parts -= 1
    score = _PART_TOO_MUCH * max(0, min(parts + 1, 10) - _FEW_PARTS)
    if "?" in href:
        score += _PARAMETER * min(4, href.count("&") + 1)
    if len(href) > _LONG_ADDRESS:
        score += max(_LONGEST, (_LONG_ADDRESS - len(href)) // 4)
    return score
