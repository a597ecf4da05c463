"""Which addresses are the same page: the rules under which an href becomes the text of its key.

Rules change keys, never what is fetched. They take away what makes no other page (session ids,
campaign parameters, the name of a folder's index file) and keep the order of what is left.
"""

import re
from dataclasses import dataclass, field
from typing import Protocol

_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"%[0-9a-f]{2}|%[0-9A-F][a-f]|%[a-f][0-9A-F]")
_AUTHORITY = len("https://")

_SESSION_NAMES = frozenset({"phpsessid", "jsessionid", "cfid", "cftoken"})
_SESSION_PREFIX = "aspsessionid"
# These name other things as well (a story, a talk): only a value that nobody types is a session's.
_SESSION_NAMES_IN_DOUBT = frozenset({"sid", "session_id", "sessionid"})
_SESSION_VALUE = re.compile(r"(?=\D*\d)(?=[^a-zA-Z]*[a-zA-Z])[\w,.%-]{12,}|\w{24,}", re.ASCII)
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;]*", re.IGNORECASE)
# ASP.NET without cookies: '/(S(4v0k3k55qyvr1a45))/page.aspx', with further letters beside the S.
_SESSION_PART = re.compile(r"/\((?:[A-Z]\([\w~-]*\))*S\([\w~-]+\)(?:[A-Z]\([\w~-]*\))*\)(?=/|\Z)")
_REMEMBERED_NAMES = 4_096


class KeySettings(Protocol):
    """Where rules come from: the settings of a crawl."""

    @property
    def drop_parameters(self) -> tuple[str, ...]: ...
    @property
    def drop_session_ids(self) -> bool: ...
    @property
    def index_files(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class KeyRules:
    """The rules of a run. All who make keys for it have to use the same."""

    drop_parameters: tuple[str, ...] = ()
    drop_session_ids: bool = False
    index_files: tuple[str, ...] = ()
    _endings: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _globs: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)
    _dropped: dict[str, bool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [name for name in self.index_files if name]
        spellings = {way(name) for name in names for way in (str, str.lower, str.title, str.upper)}
        spellings |= {name.lower().capitalize() for name in names}
        set_value = object.__setattr__
        set_value(self, "_endings", tuple(sorted("/" + name for name in spellings)))
        globs = tuple(tuple(name.lower().split("*")) for name in self.drop_parameters if name)
        set_value(self, "_globs", globs)
        set_value(self, "_dropped", {})

    @classmethod
    def of(cls, settings: KeySettings) -> "KeyRules":
        return cls(settings.drop_parameters, settings.drop_session_ids, settings.index_files)

    def text(self, href: str) -> str:
        """What is hashed. Two spellings that no server tells apart have one under any rules: a
        bare `%`, the case of escapes, an empty query."""
        if "%" in href:
            href = _ESCAPE.sub(lambda found: found[0].upper(), _STRAY_PERCENT.sub("%25", href))
        if "?" in href or ";" in href or "(" in href or href.endswith(self._endings):
            return self._shortened(href)
        return href

    def _shortened(self, href: str) -> str:
        if not href.startswith("http"):
            return href  # of files on this machine, each is itself
        start = href.find("/", _AUTHORITY)
        path, _, query = href[start:].partition("?")
        if self.drop_session_ids:
            if ";" in path:
                path = _SESSION_IN_PATH.sub("", path)
            if "(" in path:
                path = _SESSION_PART.sub("", path) or "/"
        if path.endswith(self._endings):
            path = path[: path.rindex("/") + 1]
        if query:
            query = "&".join([one for one in query.split("&") if one and not self._drops(one)])
        return f"{href[:start]}{path}?{query}" if query else href[:start] + path

    def _drops(self, parameter: str) -> bool:
        name, _, value = parameter.partition("=")
        name = name.lower()
        drops = self._dropped.get(name)
        if drops is None:
            drops = self._drops_name(name)
            if len(self._dropped) < _REMEMBERED_NAMES:
                self._dropped[name] = drops
        if drops or not self.drop_session_ids:
            return drops
        return name in _SESSION_NAMES_IN_DOUBT and _SESSION_VALUE.fullmatch(value) is not None

    def _drops_name(self, name: str) -> bool:
        if self.drop_session_ids and (name in _SESSION_NAMES or name.startswith(_SESSION_PREFIX)):
            return True
        return any(_matches(glob, name) for glob in self._globs)


PLAIN_KEYS = KeyRules()
"""For where no run's keys are met."""


def _matches(glob: tuple[str, ...], text: str) -> bool:
    """`glob`: what stands between the stars. Taking the first place where each piece fits is
    enough, so this is linear whatever a page calls its parameters."""
    first, *rest = glob
    if not rest:
        return text == first
    *middle, last = rest
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    place, end = len(first), len(text) - len(last)
    for piece in middle:
        place = text.find(piece, place, end)
        if place < 0:
            return False
        place += len(piece)
    return True
