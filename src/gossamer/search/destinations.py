"""A query that is an address, or the name of a site, leads there first."""

from typing import NamedTuple

from gossamer.index.fields import FieldType
from gossamer.index.reader import IndexReader
from gossamer.lib.hashing import hash64
from gossamer.matches import Floats, Ints
from gossamer.query.addresses import is_address
from gossamer.query.nodes import Word
from gossamer.search.clauses import Clauses

_SITES = 20
_LONGEST = 2_000  # characters of an address
_MOST_WORDS = 4  # of a name


class Destination(NamedTuple):
    order: tuple[int, int, str]  # of several, the lowest is meant
    number: int


def destination(reader: IndexReader, text: str) -> Destination | None:
    """The document that the whole query names, if it is in the index."""
    words = text[:_LONGEST].split()
    text = "".join(words)
    if len(words) > 1:  # 'wren and oak' names wrenandoak.example
        is_name = len(words) <= _MOST_WORDS and text.isalnum()
        return _home_of_named(reader, text.lower()) if is_name else None
    if not text:
        return None
    address = is_address(text)
    if address is None:
        name = text.lower()
        # A name that the web does not know may be one of this index ('wiki.intranet').
        return ("." in name and _of_host(reader, name)) or _home_of_named(reader, name)
    if address.kind == "host":
        return _of_host(reader, address.host)
    bare = text.partition("://")[2] or text
    return _first_known(reader, [text, *_spellings(bare)])


def name_in(query: str, clauses: Clauses) -> str:
    """The part of a query that may name a document: all of it, or the words beside conditions on
    fields and exclusions."""
    if clauses.required or not (clauses.conditions or clauses.excluded):
        return query
    words = [node.text for node in clauses.optional if isinstance(node, Word) and not node.field]
    return " ".join(words) if len(words) == len(clauses.optional) else ""


def named_bonus(numbers: Ints, scores: Floats, number: int) -> float:
    """Return the points that put the document that the query names first."""
    is_named = numbers == number
    best = float(scores[~is_named].max(initial=0.0))
    return max(0.0, best + 1.0 - float(scores[is_named][0]))


def _spellings(bare: str) -> list[str]:
    forms = [bare, bare + "/"] if "/" not in bare else [bare]
    return [f"{scheme}://{form}" for form in forms for scheme in ("https", "http")]


def _home_pages(host: str) -> list[str]:
    hosts = (host, f"www.{host}", host.removeprefix("www."))
    return [f"{scheme}://{name}/" for name in hosts for scheme in ("https", "http")]


def _home_of_named(reader: IndexReader, name: str) -> Destination | None:
    """'lantern' names lantern.example, if there is such a site; of several, the largest."""
    if reader.fields.type_of("site") is not FieldType.KEYWORD or not name.isascii():
        return None
    for site, documents in reader.finder.keywords("site", f"{name}.", _SITES):
        found = _first_known(reader, _home_pages(site))
        if found is not None:
            return found._replace(order=(1, -documents, site))
    return None


def _of_host(reader: IndexReader, host: str) -> Destination | None:
    """Its home page; or its first document, where the words of addresses are not looked for."""
    home = _first_known(reader, _home_pages(host))
    fields, finder = reader.fields, reader.finder
    names = [name for name in ("host", "site") if fields.type_of(name) is FieldType.KEYWORD]
    if home is not None or not names or "url" in fields.texts:
        return home
    number = finder.first(finder.combined((), [finder.keyword(name, host) for name in names]))
    return None if number is None else Destination((2, number, ""), number)


def _first_known(reader: IndexReader, addresses: list[str]) -> Destination | None:
    for place, address in enumerate(dict.fromkeys(addresses)):
        number = reader.number_of(hash64(address.encode("utf-8", "replace")))
        if number is not None:
            return Destination((0, place, ""), number)
    return None
