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
from publicsuffixlist import PublicSuffixList

from gossamer.errors import UrlError
from gossamer.lib.hashing import hash64

KEY_VERSION = 1
"""Raised whenever `_key_text` changes: keys of different versions must never meet in one set."""

PARTITIONS = 256
MAX_URL_LENGTH = 2048
"""Longer addresses are traps or data, and servers refuse them."""

_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"%[0-9a-f]{2}|%[0-9A-F][a-f]|%[a-f][0-9A-F]")
_IPV4 = re.compile(r"\d+\.\d+\.\d+\.\d+")
_SUFFIXES = PublicSuffixList()
_FETCHABLE = ("http://", "https://")
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
        site = _SUFFIXES.privatesuffix(name.rstrip(".")) or name
    return site, hash64(site.encode())


def _key_text(href: str) -> str:
    """Two spellings that no server tells apart get one key: a bare `%`, and the case of escapes."""
    if "%" not in href:
        return href
    return _ESCAPE.sub(lambda match: match[0].upper(), _STRAY_PERCENT.sub("%25", href))


def _from_href(href: str) -> Url:
    fragment = href.find("#")
    if fragment >= 0:
        href = href[:fragment]
    host = host_of(href)
    site, site_hash = site_of(host)
    return Url(href, host, site, site_hash, hash64(_key_text(href).encode()))


def _join(base: str | None, text: str) -> str | None:
    try:
        # A lone surrogate can come out of a broken page; no URL can hold one.
        href: str = ada_url.URL(text, base).href if base else ada_url.URL(text).href
    except (ValueError, UnicodeEncodeError):
        return None
    return href


def parse(text: str) -> Url:
    """Read an address that a person typed; raise `UrlError` with advice where it cannot be one."""
    href = _join(None, text.strip())
    if href is None:
        if "://" not in text:
            raise UrlError(f"'{text}' has no scheme: did you mean 'https://{text.strip()}'?")
        raise UrlError(f"'{text}' is not a valid URL.")
    if not href.startswith(_FETCHABLE):
        scheme = href.split(":", 1)[0]
        if "://" not in text and scheme not in _WELL_KNOWN_SCHEMES:
            raise UrlError(f"'{text}' has no scheme: did you mean 'https://{text.strip()}'?")
        raise UrlError(f"'{text}' has the scheme '{scheme}': only http and https can be crawled.")
    url = _from_href(href)
    if len(url.href) > MAX_URL_LENGTH:
        raise UrlError(f"'{href[:60]}…' is longer than {MAX_URL_LENGTH} characters.")
    return url


def from_href(href: str) -> Url:
    """The value of an href that we stored: it has been through `parse` or `resolve` before."""
    return _from_href(href)


class Resolver:
    """Resolves the links of many pages, remembering the ones that repeat.

    Most links of a site stand on most of its pages. A link that does not depend on the page's own
    path (`/a`, `https://…`) is remembered for its origin, other relative ones (`b`, `../c`) for
    the folder of the page: looking one up costs a tenth of parsing it. There are two generations:
    when the young one is full the old one is forgotten, and what is still in use moves over.
    """

    def __init__(self, capacity: int = 100_000) -> None:
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
_UNKNOWN = object()
_PLAIN_RELATIVE = re.compile(r"[\w.~%-][^:]*\Z", re.ASCII)


class PageResolver:
    """The resolver of one page: knows its base."""

    __slots__ = ("_base", "_in_folder", "_in_origin", "_resolver", "known")

    def __init__(self, resolver: Resolver, base: str) -> None:
        self._resolver = resolver
        self._base = base
        # With the name and password of the base, if any: its links have them too.
        self._in_origin = resolver.known("/".join(base.split("/", 3)[:3]))
        self._in_folder = resolver.known(base.partition("?")[0].rpartition("/")[0] + "/")
        self.known = self._in_origin[0].get
        """The quick look that mostly suffices: None says nothing."""

    def resolve(self, text: str) -> Url | None:
        """The URL that `text` names on this page; None where nothing can be fetched."""
        if text.startswith(("http://", "https://", "/")):
            young, old = self._in_origin
        elif _PLAIN_RELATIVE.match(text):
            young, old = self._in_folder
        else:
            return self._parsed(text)  # may depend on the page itself: '?x', ' #y', 'http:z'
        url = young.get(text, _UNKNOWN)
        if url is _UNKNOWN:
            url = old.get(text, _UNKNOWN)
            if url is _UNKNOWN:
                url = self._parsed(text)
            young[text] = url  # type: ignore[assignment]
            self._resolver.note_size()
        return url  # type: ignore[return-value]

    def _parsed(self, text: str) -> Url | None:
        href = _join(self._base, text)
        if href is None or not href.startswith(_FETCHABLE):
            return None
        url = _from_href(href)
        return url if len(url.href) <= MAX_URL_LENGTH else None

    def based_at(self, text: str) -> "PageResolver":
        """For a page with `<base href>`; an unusable base changes nothing, as in browsers."""
        href = _join(self._base, text)
        if href is None or not href.startswith(_FETCHABLE):
            return self
        return PageResolver(self._resolver, href.partition("#")[0])
