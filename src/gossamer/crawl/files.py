"""Files of this machine as pages: their addresses, and the client that reads them.

A folder that a person names as a seed is open to the crawl, with all that lies in it; nothing else
is. Whatever a page links to, and wherever a symbolic link leads, a file outside of these folders is
never read: its path is looked at once it is open, when nobody can change where it leads.
"""

import asyncio
import os
import stat
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gossamer.config import CrawlSettings
from gossamer.crawl.local_paths import href_of, is_local, path_of
from gossamer.crawl.patterns import Patterns
from gossamer.errors import SettingsError
from gossamer.media_types import TEXT_TYPES
from gossamer.records import Exchange, Exclusion, Outcome
from gossamer.urls import FILE_START, Url, from_href, parse

if TYPE_CHECKING:
    from gossamer.crawl.fetch import Request

_INDEX_NAMES = (b"index.html", b"index.htm")
_PATH_STARTS = ("/", "./", "../", "~/")
_SMALL_BYTES = 262_144
"""Read in passing; larger ones by a thread, while the loop goes on."""

_PIECE_BYTES = 1_000_000
_MEDIA_TYPES = {
    **dict.fromkeys(("html", "htm", "xhtml", "shtml"), "text/html"),
    **TEXT_TYPES,
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "odt": "application/vnd.oasis.opendocument.text",
    **dict.fromkeys(("js", "mjs"), "text/javascript"),
    "css": "text/css",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
    "ico": "image/x-icon",
    **dict.fromkeys(("jpg", "jpeg"), "image/jpeg"),
    **dict.fromkeys(("mp3", "ogg", "flac", "wav"), "audio/*"),
    **dict.fromkeys(("mp4", "webm", "mkv", "mov"), "video/*"),
}
"""What names tell for certain. The bytes tell of all others."""


def local_seed(text: str) -> str:
    """The `file:` URL of a folder or file that a person named; '' for anything else."""
    if is_local(text):
        path = Path(os.fsdecode(path_of(parse(text).href)))
    elif text.startswith(_PATH_STARTS) or text in (".", "..", "~"):
        path = Path(text).expanduser().absolute()
    else:
        return ""
    path = Path(os.path.normpath(path))
    if not path.exists():
        raise SettingsError(f"'{text}': no such file or folder.")
    return href_of(bytes(path)) + ("/" if path.is_dir() and path != Path("/") else "")


def walk(seed: str) -> Iterator[Url]:
    """All files below a folder, or the one file that is named. Hidden ones are left out. What can
    turn out to be no file (a pipe, a link that leads nowhere) is told all the same: the visit will
    say what it is. So is a folder that cannot be entered."""
    path = path_of(from_href(seed).href)
    if not os.path.isdir(path):  # noqa: PTH112 - paths are bytes here, as the disk has them
        yield from_href(href_of(path))
        return
    folders = [path.rstrip(b"/") or b"/"]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            yield from_href(href_of(folder.rstrip(b"/") + b"/"))
            continue
        below = []
        for entry in found:
            if entry.name.startswith(b"."):
                continue
            if entry.is_dir(follow_symlinks=False):
                below.append(entry.path)
            elif not (entry.is_symlink() and _leads_into(entry.path, path)):
                yield from_href(href_of(entry.path))
        folders += reversed(below)


def _leads_into(link: bytes, folder: bytes) -> bool:
    """Whether it leads to a folder that is walked where it lies."""
    real, root = os.path.realpath(link), os.path.realpath(folder)
    return os.path.isdir(real) and _is_below(real, root)  # noqa: PTH112


def _is_below(path: bytes, root: bytes) -> bool:
    return path == root or path.startswith(root.rstrip(b"/") + b"/")


class FileScope:
    """A filter of links: files only within the folders that are seeds, and only from files. A page
    of the web can never lead to a file."""

    def __init__(self, settings: CrawlSettings) -> None:
        self._roots = tuple(seed for seed in settings.seeds if is_local(seed))

    def objection(self, url: Url, page: Url, _depth: int) -> Exclusion | None:
        if not url.href.startswith(FILE_START):
            return None
        if page.href.startswith(FILE_START):
            for root in self._roots:
                if url.href == root or (root.endswith("/") and url.href.startswith(root)):
                    return None
        return Exclusion.SCOPE


class FolderPatterns:
    """`include` and `exclude` for the files of a folder. A file that is itself a seed is exempt,
    as a seed on the web is."""

    def __init__(self, settings: CrawlSettings) -> None:
        seeds = tuple(filter(is_local, settings.seeds))
        self._seeds = frozenset(seed for seed in seeds if not seed.endswith("/"))
        self._included = Patterns(settings.include, seeds) if settings.include else None
        self._excluded = Patterns(settings.exclude, seeds)
        paths = [path_of(seed) for seed in seeds]
        self._roots = [(os.path.realpath(path), path.rstrip(b"/")) for path in paths]

    def exclusion(self, url: Url) -> Exclusion | None:
        """Return the objection to a file that was found in a folder; None for web addresses. A
        symbolic link is the file that it leads to, and has to pass by both names."""
        if not is_local(url.href) or url.href in self._seeds:
            return None
        is_refused = self._refuses(url.href) or self.refuses_path(
            os.path.realpath(path_of(url.href))
        )
        return Exclusion.PATTERN if is_refused else None

    def refuses_path(self, real_path: bytes) -> bool:
        """Whether a file, by its path without symbolic links, is left out."""
        for real_root, root in self._roots:
            if _is_below(real_path, real_root):
                # As the seed names it: a seed may itself lead through a symbolic link.
                return self._refuses(href_of(root + real_path[len(real_root.rstrip(b"/")) :]))
        return False  # outside of all folders: the visit refuses it

    def _refuses(self, href: str) -> bool:
        if href in self._seeds:
            return False
        is_included = self._included is None or self._included.match(href)
        return not is_included or self._excluded.match(href)


class _Answer(NamedTuple):
    status: int
    detail: str = ""
    outcome: Outcome = Outcome.OK
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


_OUTSIDE = _Answer(403, "it leads out of the folders that are crawled")
_EXCLUDED = _Answer(403, "it leads to a file that 'include' or 'exclude' leaves out")
_REASONS = {200: "OK", 403: "Forbidden", 404: "Not Found"}


class FilesClient:
    """Reads files as `HttpClient` fetches pages: whatever happens comes back as an `Exchange`."""

    def __init__(self, settings: CrawlSettings) -> None:
        self._roots = tuple(
            os.path.realpath(path_of(seed)) for seed in settings.seeds if is_local(seed)
        )
        has_patterns = settings.include or settings.exclude
        self._patterns = FolderPatterns(settings) if has_patterns else None
        self._max_bytes = settings.max_wire_bytes

    async def fetch(self, request: "Request") -> Exchange:
        started, moment = time.monotonic(), time.time()
        most = self._max_bytes
        if 0 <= request.max_bytes < most:
            most = request.max_bytes
        answer = await self._answer(path_of(request.url), most)
        await asyncio.sleep(0)  # a folder of small files must not keep the loop to itself
        line = f"HTTP/1.1 {answer.status} {_REASONS[answer.status]}" if answer.status else ""
        return Exchange(
            *(request.url, moment, time.monotonic() - started, answer.outcome, answer.detail),
            *(answer.status, line, answer.headers, answer.body),
        )

    async def _answer(self, path: bytes, most: int) -> _Answer:
        try:
            if b"\0" in path:
                return _Answer(404, "no such file")
            kind = os.stat(path).st_mode  # noqa: PTH116
            if stat.S_ISDIR(kind):
                if not self._is_inside(os.path.realpath(path)):
                    return _OUTSIDE
                path = self._index(path)
            elif not stat.S_ISREG(kind):  # opening one may wait, or do something
                return _Answer(403, f"not a file, but {_kind(kind)}")
            return await self._read(path, most)
        except (FileNotFoundError, NotADirectoryError):
            return _Answer(404, "no such file")
        except PermissionError:
            return _Answer(403, "permission denied")
        except OSError as error:
            return _Answer(0, error.strerror or str(error), Outcome.PROTOCOL_ERROR)

    def _is_inside(self, real_path: bytes) -> bool:
        return any(_is_below(real_path, root) for root in self._roots)

    def _index(self, folder: bytes) -> bytes:
        """As servers do: the page of a folder is its index."""
        if not os.access(folder, os.R_OK | os.X_OK):
            raise PermissionError
        names = set(os.listdir(folder))  # noqa: PTH208
        for name in _INDEX_NAMES:
            if name in names:
                return folder.rstrip(b"/") + b"/" + name
        raise FileNotFoundError

    async def _read(self, path: bytes, most: int) -> _Answer:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                return _Answer(403, f"not a file, but {_kind(status.st_mode)}")
            real_path = _real_path(file, path)
            if not self._is_inside(real_path):
                return _OUTSIDE
            if self._patterns is not None and self._patterns.refuses_path(real_path):
                return _EXCLUDED  # by another name: a symbolic link, or a folder's index
            headers = _headers(path, status)
            if status.st_size > most:
                detail = f"more than {most} bytes"
                return _Answer(200, detail, Outcome.TOO_LARGE, headers=headers)
            if status.st_size <= _SMALL_BYTES:
                body = _content(file, most)
            else:
                body = await asyncio.to_thread(_content, file, most)
        finally:
            os.close(file)
        if len(body) > most:  # it has grown meanwhile
            return _Answer(200, f"more than {most} bytes", Outcome.TOO_LARGE, headers=headers)
        return _Answer(200, body=body, headers=headers)


def _content(file: int, most: int) -> bytes:
    pieces = []
    left = most + 1
    while left > 0 and (piece := os.read(file, min(left, _PIECE_BYTES))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _real_path(file: int, path: bytes) -> bytes:
    """Where an open file lies, whatever has become of the path that led to it."""
    try:
        return os.readlink(b"/proc/self/fd/%d" % file)  # noqa: PTH115
    except OSError:
        return os.path.realpath(path)


def _headers(path: bytes, status: os.stat_result) -> tuple[tuple[str, str], ...]:
    ending = path.rpartition(b"/")[2].rpartition(b".")[2].lower()
    media_type = _MEDIA_TYPES.get(ending.decode("ascii", "replace"))
    return (
        *((("Content-Type", media_type),) if media_type else ()),
        ("Content-Length", str(status.st_size)),
        ("Last-Modified", formatdate(max(0.0, status.st_mtime), usegmt=True)),
    )


def _kind(mode: int) -> str:
    for is_kind, name in (
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
        (stat.S_ISDIR, "a folder"),
    ):
        if is_kind(mode):
            return name
    return "something else"
