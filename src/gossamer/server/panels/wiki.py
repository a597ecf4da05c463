"""What an encyclopedia says: the summary of the article that a wiki finds first."""

import time
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from gossamer.server.panels.contract import PanelContent
from gossamer.server.panels.fetching import FetchFailed, fetch
from gossamer.server.site import Site
from gossamer.server.visitors import Visitor

_LONGEST = 600
_LONGEST_QUERY = 200


class WikiPanel:
    """By the MediaWiki API: any wiki's `api.php`. Where the wiki has no extracts of its articles
    (an extension that most have), the snippet of its own search stands in."""

    name = "wiki"

    def fits(self, site: Site, query: str) -> bool:
        # Operators mean nothing to a wiki, and long texts are no headword.
        return bool(site.settings.wiki) and 0 < len(query) <= _LONGEST_QUERY and ":" not in query

    def content(self, site: Site, visitor: Visitor, query: str) -> PanelContent | None:  # noqa: ARG002
        deadline = time.monotonic() + site.settings.panel_seconds
        api = site.settings.wiki

        def ask(**parameters: str) -> Any:
            wanted = urlencode({"format": "json", "formatversion": "2", **parameters})
            left = max(0.001, deadline - time.monotonic())
            allow = site.settings.wiki_private
            body = fetch(f"{api}?{wanted}", left, allow_private=allow)
            return msgspec.json.decode(body)

        try:
            # Titles first: 'moon' means the article of that name, not one that mentions it often.
            title = _first_title(ask(action="opensearch", search=query, limit="1", namespace="0"))
        except (FetchFailed, msgspec.DecodeError, TypeError, LookupError):
            title = ""
        try:
            if not title:
                found = ask(action="query", list="search", srsearch=query, srlimit="1")
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
        except (FetchFailed, msgspec.DecodeError, TypeError, LookupError):
            return None
        if "missing" in page:
            return None
        return PanelContent("panel_wiki.html", _shown(page, api))


def _first_title(answer: Any) -> str:
    titles = answer[1]
    return str(titles[0]) if titles else ""


def _shown(page: dict[str, Any], api: str) -> dict[str, Any]:
    text = str(page.get("extract", ""))
    thumbnail = page.get("thumbnail")
    return {
        "title": str(page.get("title", "")),
        "text": text if len(text) <= _LONGEST else text[: _LONGEST - 1].rsplit(" ", 1)[0] + " …",
        "url": str(page.get("fullurl", "")),
        "image": str(thumbnail.get("source", "")) if isinstance(thumbnail, dict) else "",
        "source": urlsplit(api).hostname or "",
    }
