"""A search for other programs: a browser's search box, a feed reader, a spreadsheet."""

import csv as csv_module
import io
from typing import Annotated
from xml.etree.ElementTree import Element, SubElement, tostring  # written, never read

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response

from gossamer.search.checking import MOST_HITS
from gossamer.server import searching
from gossamer.server.asking import Ask
from gossamer.server.pages_views import ViewQuery
from gossamer.server.pages_words import is_web_address

_OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"
_SUGGESTIONS = "application/x-suggestions+json"
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def opensearch(ask: Ask) -> Response:
    """By which a browser adds the site as a search engine."""
    base = ask.base_url
    root = Element("OpenSearchDescription", xmlns=_OPENSEARCH)
    SubElement(root, "ShortName").text = ask.site.settings.name[:16]
    SubElement(root, "Description").text = f"Search with {ask.site.settings.name}"
    SubElement(root, "InputEncoding").text = "UTF-8"
    for kind, path in (
        ("text/html", "/search?q={searchTerms}&page={startPage?}"),
        ("application/rss+xml", "/search.rss?q={searchTerms}&page={startPage?}"),
        (_SUGGESTIONS, "/suggest?q={searchTerms}"),
    ):
        SubElement(root, "Url", type=kind, method="get", template=base + path)
    return _xml(root, "application/opensearchdescription+xml")


class TypedText(Struct, frozen=True):
    q: Annotated[str, Meta(max_length=200)] = ""
    index: str = ""


def suggestions(ask: Ask) -> Response:
    """As browsers ask for them: what was typed, and what it may become."""
    typed = ask.query(TypedText)
    found = searching.suggest(ask.site, ask.visitor, typed.index, typed.q, 10)
    return Response(msgspec.json.encode([typed.q, found]), media_type=_SUGGESTIONS)


def rss(ask: Ask) -> Response:
    query = ask.query(ViewQuery)
    found = searching.search(ask.site, ask.visitor, query, is_private=ask.is_private)
    root = Element("rss", {"version": "2.0", "xmlns:opensearch": _OPENSEARCH})
    channel = SubElement(root, "channel")
    SubElement(channel, "title").text = _clean(f"{query.q} - {ask.site.settings.name}")
    SubElement(channel, "link").text = ask.base_url + query.address()
    SubElement(channel, "description").text = _clean(f"Results for {query.q}")
    SubElement(channel, "opensearch:totalResults").text = str(found.answer.total)
    first = (query.page - 1) * query.limit + 1
    SubElement(channel, "opensearch:startIndex").text = str(first)
    SubElement(channel, "opensearch:itemsPerPage").text = str(query.limit)
    for hit in found.answer.hits:
        item = SubElement(channel, "item")
        SubElement(item, "title").text = _clean(hit.title or hit.url or hit.id)
        if is_web_address(hit.url):
            SubElement(item, "link").text = _clean(hit.url)
        SubElement(item, "description").text = _clean(hit.snippet)
        SubElement(item, "guid", isPermaLink="false").text = _clean(hit.id or hit.url)
    return _xml(root, "application/rss+xml")


def csv(ask: Ask) -> Response:
    """The best documents with their fields, one a line."""
    query = ask.query(ViewQuery)
    wanted = msgspec.structs.replace(query, limit=MOST_HITS)
    found = searching.search(ask.site, ask.visitor, wanted, is_private=ask.is_private)
    hits = found.answer.hits
    names = list(dict.fromkeys(name for hit in hits for name in hit.fields))
    text = io.StringIO()
    writer = csv_module.writer(text)
    writer.writerow(["id", "url", "title", "score", *names])
    for hit in hits:
        cells = [hit.id, hit.url, hit.title, hit.score]
        cells += [hit.fields.get(name, "") for name in names]
        writer.writerow([_cell(value) for value in cells])
    disposition = f'attachment; filename="{found.index.name}.csv"'
    headers = {"content-disposition": disposition}
    return Response(text.getvalue(), 200, headers, "text/csv; charset=utf-8")


def _cell(value: object) -> object:
    """A spreadsheet takes some texts for formulas: a stranger's text must not become one."""
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    if isinstance(value, str) and value.startswith(_FORMULA_SIGNS):
        return "'" + value
    return value


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return "".join(
        character
        for character in text
        if character in "\t\n\r"
        or " " <= character <= "\ud7ff"
        or "\ue000" <= character <= "\ufffd"
        or character >= "\U00010000"
    )


def _xml(root: Element, media_type: str) -> Response:
    body = tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, media_type=media_type)
