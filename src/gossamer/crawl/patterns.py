"""Patterns of `include` and `exclude`: which addresses each of them matches.

`*` stands for anything, and the whole address has to match. A pattern with `://` is compared with
the address as it is, one that begins with `/` with its path and query, any other with host, path
and query (on any port, unless it names one); without any `/` it may also be the host alone. What
begins with `re:` is a regular expression, looked for anywhere in the address.

A file of a crawled folder has no host, and its name is compared as it is on the disk, without
escapes. A pattern with `/` is compared with its path: below the folder, with the folder's own name
before it, or (where it begins with `/`) from the root of the disk. One without any `/` is compared
with the names of the file and of every folder that it lies in, below the crawled one.
"""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from gossamer.crawl.local_paths import is_local, path_of
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
    """Addresses like any of these. `seeds`: the folders and files that are crawled."""

    def __init__(self, patterns: Iterable[str], seeds: Iterable[str] = ()) -> None:
        patterns = [pattern.strip() for pattern in patterns]
        self._any = AnyOf(map(expression_of, patterns))
        folders = list(dict.fromkeys(_folder(seed) for seed in seeds if is_local(seed)))
        whole = [pattern for pattern in patterns if _is_whole(pattern)]
        names = [pattern for pattern in patterns if not _is_whole(pattern)] if folders else []
        self._whole = AnyOf(map(expression_of, whole))
        self._paths = AnyOf(path_expression_of(pattern, folders) for pattern in names)

    def match(self, href: str) -> bool:
        if not is_local(href):
            return self._any.found_in(href.encode())
        return self._whole.found_in(href.encode()) or self._paths.found_in(_text(path_of(href)))


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


def path_expression_of(pattern: str, folders: Sequence[str]) -> str:
    """The pattern as a regular expression over the paths of files in any of the folders."""
    below = "|".join(re.escape(folder) for folder in folders)
    if "/" not in pattern:
        return f"(?s)^(?:{below})(?:.*/)?{_glob(pattern, '[^/]*')}(?:/.*)?$"
    beside = "|".join(re.escape(folder[: folder[:-1].rfind("/") + 1]) for folder in folders)
    path = _glob(pattern.removeprefix("/"))
    root = "|/" if pattern.startswith("/") else f"|{beside}"
    return f"(?s)^(?:{below}{root}){path}$"


def _is_whole(pattern: str) -> bool:
    """Whether it is compared with whole addresses, whatever these stand for."""
    return pattern.startswith(_EXPRESSION) or "://" in pattern


def _folder(seed: str) -> str:
    """The path of the folder that a seed names, or in which it lies; with a slash at its end."""
    path = _text(path_of(seed)).decode()
    return path[: path.rfind("/") + 1]


def _text(path: bytes) -> bytes:
    """A path in which bytes that are no text stand for a character that patterns can match."""
    return path.decode("utf-8", "replace").encode()


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
