"""The URL value: as WHATWG reads it, with its host, its site and its key.

A URL has three values. As found, it is a string in a page. Its *href* is what the WHATWG parser
makes of that string, without the fragment: it is what we fetch and store. Its *key* is a hash of
the href under our own normalisation rules: it decides which URLs are the same, and nothing else.

A *host* is the unit of politeness (name, and the port where it is not the scheme's own). A *site*
is a registrable domain, the unit of partitions and budgets.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import ada_url

from gossamer.errors import UrlError
from gossamer.lib.hashing import hash64
from gossamer.lib.public_suffixes import PublicSuffixes
from gossamer.url_keys import PLAIN_KEYS, KeyRules

__all__ = [
    "KEY_VERSION",
    "MAX_URL_LENGTH",
    "PARTITIONS",
    "PLAIN_KEYS",
    "KeyRules",
    "PageResolver",
    "Resolver",
    "Url",
    "ascii_host",
    "from_href",
    "host_of",
    "origin_of",
    "parse",
    "partition_of",
    "site_of",
]

KEY_VERSION = 2
"""Raised whenever `KeyRules.text` changes: keys of two versions must never meet in one set."""

PARTITIONS = 256
MAX_URL_LENGTH = 2048
"""Longer addresses are traps or data, and servers refuse them."""

_IPV4 = re.compile(r"\d+\.\d+\.\d+\.\d+")
_SUFFIXES = PublicSuffixes()
FILE_START = "file:///"
"""Of the hrefs of files on this machine. A person may name one; a page of the web never can."""

_FETCHABLE = ("http://", "https://")
_FETCHABLE_FROM_FILES = (*_FETCHABLE, FILE_START)
_WELL_KNOWN_SCHEMES = frozenset({"mailto", "javascript", "data", "tel", "file", "ftp", "about"})


class Url(NamedTuple):
    """A fetchable URL. Make it with `parse` or `Resolver.resolve`, never by hand."""

    href: str
    host: str
    site: str
    site_hash: int
    key: int

    @property
    def partition(self) -> int:
        return partition_of(self.site_hash)

    @property
    def origin(self) -> str:
        return origin_of(self.href)


def partition_of(site_hash: int) -> int:
    return site_hash & (PARTITIONS - 1)


def origin_of(href: str) -> str:
    """`https://host:port` of an href, without the user's name and password."""
    scheme, _, rest = href.partition("://")
    authority = rest.split("/", 1)[0]
    return f"{scheme}://{authority.rpartition('@')[2]}"


def host_of(href: str) -> str:
    """The host of an href, with the port only where it is not the scheme's own."""
    return href.split("/", 3)[2].rpartition("@")[2]


@lru_cache(maxsize=65_536)
def site_of(host: str) -> tuple[str, int]:
    """The registrable domain of a host, and its hash. An address is its own site."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if name.startswith("[") or _IPV4.fullmatch(name):
        site = name
    else:
        bare = name.rstrip(".")
        site = _SUFFIXES.registrable(bare) or bare or name
    return site, hash64(site.encode())


def ascii_host(name: str) -> str:
    """A name of any script as addresses hold it; '' where it cannot be one."""
    try:
        return str(ada_url.idna_to_ascii(name), "ascii")
    except (ValueError, UnicodeError):
        return ""


def from_href(href: str, rules: KeyRules = PLAIN_KEYS) -> Url:
    """The value of an href, with or without a fragment."""
    fragment = href.find("#")
    if fragment >= 0:
        href = href[:fragment]
    host = host_of(href)
    site, site_hash = site_of(host)
    return Url(href, host, site, site_hash, hash64(rules.text(href).encode()))


def _join(base: str | None, text: str) -> str | None:
    try:
        # A lone surrogate can come out of a broken page; no URL can hold one.
        href: str = ada_url.join_url(base, text) if base else ada_url.URL(text).href
    except (ValueError, UnicodeEncodeError):
        return None
    return href


def parse(text: str, rules: KeyRules = PLAIN_KEYS) -> Url:
    """Read an address that a person typed; raise `UrlError` with advice where it cannot be one.
    Whoever uses its key has to give the rules of the run."""
    href = _join(None, text.strip())
    if href is None:
        if "://" not in text:
            raise UrlError(_without_scheme(text))
        raise UrlError(f"'{text}' is not a valid URL.")
    if not href.startswith(_FETCHABLE_FROM_FILES):
        scheme = href.split(":", 1)[0]
        if "://" not in text and scheme not in _WELL_KNOWN_SCHEMES:
            raise UrlError(_without_scheme(text))
        raise UrlError(f"'{text}' has the scheme '{scheme}': only http and https can be crawled.")
    url = from_href(href, rules)
    if len(url.href) > MAX_URL_LENGTH:
        raise UrlError(f"'{href[:60]}…' is longer than {MAX_URL_LENGTH} characters.")
    return url


def _without_scheme(text: str) -> str:
    """What to tell the person: the address that was meant, where it can be one."""
    rest = text.strip().removeprefix("//")
    if not rest:
        return "The address is empty: write it as 'https://example.org'."
    meant = f"https://{rest}"
    if rest.startswith("/") or _join(None, meant) is None:
        return f"'{text}' has no scheme: write it as 'https://example.org'."
    return f"'{text}' has no scheme: did you mean '{meant}'?"


class Resolver:
    """Resolves the links of many pages, remembering the ones that repeat.

    Most links of a site stand on most of its pages. A link that does not depend on the page's own
    path (`/a`, `https://…`) is remembered for its origin, other relative ones (`b`, `../c`) for
    the folder of the page: looking one up costs a tenth of parsing it. There are two generations:
    when the young one is full the old one is forgotten, and what is still in use moves over.
    """

    def __init__(self, capacity: int = 100_000, rules: KeyRules = PLAIN_KEYS) -> None:
        self.rules = rules
        self._capacity = capacity
        self._size = 0
        self._young: dict[str, _Known] = {}
        self._old: dict[str, _Known] = {}

    def page(self, base: str) -> "PageResolver":
        return PageResolver(self, base)

    def known(self, place: str) -> tuple["_Known", "_Known"]:
        """What has been resolved from an origin or a folder, lately and before."""
        return self._young.setdefault(place, {}), self._old.get(place, _NOTHING)

    def note_size(self) -> None:
        """Another one was remembered."""
        self._size += 1
        if self._size >= self._capacity:
            self._size = 0
            self._old, self._young = self._young, {}


_Known = dict[str, Url | None]
_NOTHING: _Known = {}
_UNKNOWN = Url("", "", "", 0, 0)  # told apart by identity
_PLAIN_RELATIVE = re.compile(r"[\w.~%-][^:]*\Z", re.ASCII)
# 'mailto:', 'javascript:' and the like, of which many pages have some.
_OTHER_SCHEME = re.compile(r"(?!https?:|file:)[a-z][a-z0-9+.-]*+:", re.ASCII | re.IGNORECASE)
# What the parser leaves as it is: no character that it escapes, no segment that it drops.
_PLAIN_PATH = re.compile(r"/(?:[\w~-][\w.~-]*+/?)*+(?:\?[\w.~=&-]*+)?", re.ASCII)


class PageResolver:
    """The resolver of one page: knows its base."""

    __slots__ = ("_allowed", "_base", "_in_folder", "_in_origin", "_origin", "_resolver", "known")

    def __init__(self, resolver: Resolver, base: str) -> None:
        self._resolver = resolver
        self._base = base
        self._allowed = _FETCHABLE_FROM_FILES if base.startswith(FILE_START) else _FETCHABLE
        # With the name and password of the base, if any: its links have them too.
        self._origin = "/".join(base.split("/", 3)[:3])
        self._in_origin = resolver.known(self._origin)
        self._in_folder = resolver.known(base.partition("?")[0].rpartition("/")[0] + "/")
        self.known = self._in_origin[0].get
        """The quick look that mostly suffices: None says nothing."""

    def resolve(self, text: str) -> Url | None:
        """The URL that `text` names on this page; None where nothing can be fetched."""
        if text.startswith(("http://", "https://", "/")):
            young, old = self._in_origin
        elif _PLAIN_RELATIVE.match(text):
            young, old = self._in_folder
        elif _OTHER_SCHEME.match(text):
            return None
        else:
            return self.resolve_once(text)  # may depend on the page itself: '?x', ' #y', 'http:z'
        url = young.get(text, _UNKNOWN)
        if url is _UNKNOWN:
            url = old.get(text, _UNKNOWN)
            if url is _UNKNOWN:
                url = self.resolve_once(text)
            young[text] = url
            self._resolver.note_size()
        return url

    def resolve_once(self, text: str) -> Url | None:
        """The same for an address that is not likely to be met again: it is not remembered."""
        # Most links of most sites are plain: they take a third of the time.
        plain = _PLAIN_PATH.fullmatch(text)
        href = self._origin + text if plain else _join(self._base, text)
        if href is None or not href.startswith(self._allowed):
            return None
        url = from_href(href, self._resolver.rules)
        return url if len(url.href) <= MAX_URL_LENGTH else None

    def based_at(self, text: str) -> "PageResolver":
        """For a page with `<base href>`; an unusable base changes nothing, as in browsers."""
        href = _join(self._base, text)
        if href is None or not href.startswith(self._allowed):
            return self
        return PageResolver(self._resolver, href.partition("#")[0])
