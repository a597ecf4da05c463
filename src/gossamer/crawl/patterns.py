"""Which addresses a pattern of a person means.

`*` stands for anything, and the whole address has to match. A pattern with `://` is compared with
the address as it is, one that begins with `/` with its path and query, any other with host, path
and query (on any port, unless it names one); without any `/` it may also be the host alone. What
begins with `re:` is a regular expression, looked for anywhere in the address.
"""

import re
from collections.abc import Iterable
from urllib.parse import quote

from gossamer.lib.expressions import AnyOf, check
from gossamer.records import Exclusion
from gossamer.urls import Url, ascii_host

_EXPRESSION = "re:"
_ANYTHING = "*"
_SCHEME = "https?://"
_USER = "(?:[^/@]*@)?"
_ANY_PORT = "(?::[0-9]+)?"
_KEPT = "".join(map(chr, range(0x21, 0x7F)))  # what an address may hold as it is


class Patterns:
    """Addresses like any of these."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._any = AnyOf(expression_of(pattern) for pattern in patterns)

    def match(self, href: str) -> bool:
        return self._any.found_in(href.encode())


class Included:
    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns

    def objection(self, url: Url, _page: Url, _depth: int) -> Exclusion | None:
        return None if self._patterns.match(url.href) else Exclusion.PATTERN


class Excluded:
    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns

    def objection(self, url: Url, _page: Url, _depth: int) -> Exclusion | None:
        return Exclusion.PATTERN if self._patterns.match(url.href) else None


def check_pattern(pattern: str) -> None:
    """Raises `ValueError` with what is wrong about it."""
    if not pattern.strip():
        raise ValueError("is empty")
    try:
        check(expression_of(pattern))
    except ValueError as error:
        raise ValueError(
            f"cannot be searched for: {error} (look-around and back-references are not known)"
        ) from None


def expression_of(pattern: str) -> str:
    """The pattern as a regular expression over hrefs."""
    pattern = pattern.strip()
    if pattern.startswith(_EXPRESSION):
        return pattern.removeprefix(_EXPRESSION)
    if pattern.startswith("/"):
        return f"^{_SCHEME}[^/]*{_path(pattern)}$"
    scheme, mark, rest = pattern.rpartition("://")
    start = f"^{_glob(scheme.lower())}{mark}" if mark else f"^{_SCHEME}"
    host, slash, path = rest.partition("/")
    port = "" if mark or ":" in host else _ANY_PORT
    host = _host(host)
    if slash:
        return f"{start}{_USER}{_glob(host)}{port}{_path('/' + path)}$"
    return f"{start}{_USER}(?:{_path(rest)}|{_glob(host, '[^/]*')}{port}/.*)$"


def _glob(text: str, anything: str = ".*") -> str:
    return anything.join(re.escape(part) for part in text.split(_ANYTHING))


def _path(text: str) -> str:
    """Letters of all scripts stand in an address as escapes."""
    return _glob(quote(text, safe=_KEPT))


def _host(text: str) -> str:
    """Case makes no difference, and names of other scripts stand in an address in their code."""
    if text.isascii():
        return text.lower()
    return ".".join(label if label.isascii() else ascii_host(label) for label in text.split("."))
