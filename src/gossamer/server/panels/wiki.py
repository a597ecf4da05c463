"""What an encyclopedia says: the summary of the article that a wiki finds first."""

import time
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
from selectolax.lexbor import LexborHTMLParser

from gossamer.server.panels.contract import PanelContent
from gossamer.server.panels.fetching import FetchFailed, fetch
from gossamer.server.site import Site
from gossamer.server.visitors import Visitor

_LONGEST = 600
_LONGEST_QUERY = 200
_NO_ANSWER = (FetchFailed, msgspec.DecodeError, TypeError, LookupError, AttributeError)
"""A wiki that is down, or whose answer is not what one says."""
_NO_TEXT = "style, script, sup.reference, .noprint, .mw-empty-elt"


class WikiPanel:
    """By the MediaWiki API: any wiki's `api.php`."""

    name = "wiki"

    def fits(self, site: Site, query: str) -> bool:
        # Operators mean nothing to a wiki, and long texts are no headword.
        return bool(site.settings.wiki) and 0 < len(query) <= _LONGEST_QUERY and ":" not in query

    def content(self, site: Site, visitor: Visitor, query: str) -> PanelContent | None:  # noqa: ARG002
        settings = site.settings
        found = look_up(
            settings.wiki, query, settings.panel_seconds, allow_private=settings.wiki_private
        )
        return PanelContent("panel_wiki.html", found) if found else None


def look_up(api: str, query: str, seconds: float, *, allow_private: bool) -> dict[str, str] | None:
    """The article that a wiki has for a query: title, text, url, image, source."""
    deadline = time.monotonic() + seconds

    def ask(**parameters: str) -> Any:
        wanted = urlencode({"format": "json", "formatversion": "2", **parameters})
        left = max(0.001, deadline - time.monotonic())
        return msgspec.json.decode(fetch(f"{api}?{wanted}", left, allow_private=allow_private))

    try:
        # Titles first: 'moon' means the article of that name, not one that mentions it often.
        title = _first_title(ask(action="opensearch", search=query, limit="1", namespace="0"))
    except _NO_ANSWER:
        title = ""
    try:
        if not title:
            # Unless told otherwise, a wiki with a search of its own looks at titles alone.
            found = ask(action="query", list="search", srwhat="text", srsearch=query, srlimit="1")
            title = str(found["query"]["search"][0]["title"])
        page = ask(
            action="query",
            titles=title,
            redirects="1",
            prop="extracts|info|pageimages",
            exintro="1",
            explaintext="1",
            exsentences="4",
            inprop="url",
            pithumbsize="320",
        )["query"]["pages"][0]
        if "missing" in page:
            return None
        text = str(page.get("extract", "")).strip()
        if "extract" not in page:
            # Extracts are an extension that most wikis have, and not all: the beginning of the
            # article itself stands in.
            begin = ask(
                action="parse", page=page["title"], section="0", prop="text", disablelimitreport="1"
            )
            text = _plain(begin["parse"]["text"])
        return _shown(page, text, api) if text else None
    except _NO_ANSWER:
        return None


def _first_title(answer: Any) -> str:
    titles = answer[1]
    return str(titles[0]) if titles else ""


def _plain(html: str) -> str:
    """The paragraphs as text, without footnotes, boxes and captions."""
    tree = LexborHTMLParser(html)
    for node in tree.css(_NO_TEXT):
        node.decompose()
    paragraphs = (" ".join(node.text().split()) for node in tree.css(".mw-parser-output > p"))
    return " ".join(filter(None, paragraphs))


def _shown(page: dict[str, Any], text: str, api: str) -> dict[str, str]:
    thumbnail = page.get("thumbnail")
    return {
        "title": str(page.get("title", "")),
        "text": text if len(text) <= _LONGEST else text[: _LONGEST - 1].rsplit(" ", 1)[0] + " …",
        "url": str(page.get("fullurl", "")),
        "image": str(thumbnail.get("source", "")) if isinstance(thumbnail, dict) else "",
        "source": urlsplit(api).hostname or "",
    }
