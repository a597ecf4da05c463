"""What the head of a page says about it: title, description, robots, rating, canonical address,
base."""

from typing import NamedTuple

from gossamer.extract.pieces import collapsed
from gossamer.extract.survey import Survey

TITLE_LENGTH = 500
DESCRIPTION_LENGTH = 1000

_TITLE_PARENTS = frozenset({"head", "body", "html"})  # an svg has titles, too


class Metadata(NamedTuple):
    title: str = ""
    description: str = ""
    robots: tuple[str, ...] = ()  # the contents of the elements that concern us
    ratings: tuple[str, ...] = ()  # for whom the page is, as written
    canonical: str = ""  # as written
    base: str = ""  # as written
    refresh: str = ""


def metadata(found: Survey, agent_name: str) -> Metadata:
    named, robots, ratings = _named_metas(found, agent_name.lower())
    title = _title(found) or collapsed(named.get("og:title", ""))
    description = collapsed(named.get("description", "")) or collapsed(
        named.get("og:description", "")
    )
    return Metadata(
        title[:TITLE_LENGTH].rstrip(),
        description[:DESCRIPTION_LENGTH].rstrip(),
        tuple(robots),
        tuple(ratings),
        _canonical(found),
        _base(found),
        named.get("refresh", ""),
    )


def _named_metas(found: Survey, agent_name: str) -> tuple[dict[str, str], list[str], list[str]]:
    """The first content of each name; and all contents that speak to robots, or that rate."""
    named: dict[str, str] = {}
    robots: list[str] = []
    ratings: list[str] = []
    for node in found.metas:
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
        content = attributes.get("content")
        if not name or not content:
            continue
        name = name.strip().lower()
        if name in ("robots", agent_name):
            robots.append(content)
        elif name == "rating":
            ratings.append(content)
        named.setdefault(name, content)
    return named, robots, ratings


def _title(found: Survey) -> str:
    for node in found.titles:
        parent = node.parent
        if parent is not None and parent.tag in _TITLE_PARENTS:
            return collapsed(node.text_lexbor())
    return ""


def _canonical(found: Survey) -> str:
    for node in found.references:
        attributes = node.attributes
        rel = attributes.get("rel")
        if rel and "canonical" in rel.lower().split() and (href := attributes.get("href")):
            return href
    return ""


def _base(found: Survey) -> str:
    """The first base with an href counts, as in browsers."""
    for node in found.bases:
        if href := node.attributes.get("href"):
            return href
    return ""
