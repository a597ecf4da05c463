"""Python files of a person that take part in a crawl: what they may hold, and how they are called.

Such a file defines functions, or classes with methods, of these names:

    def keep_url(url: str, page: str) -> bool
    def on_page(page: PluginPage) -> dict[str, str | float] | None
    media_types = {"text/csv"};  def read(page: RawPage) -> str | dict | None     (of a class)

It is loaded by those processes alone that fetch; whether it can be is tried beforehand in a process
of its own. What it raises later costs a page nothing but a note.
"""

import inspect
import json
import math
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from msgspec import structs

from gossamer.discovery import ListingKind
from gossamer.errors import SettingsError
from gossamer.records import FoundLink, PageContent, Processed, RawPage

ProcessPages = Callable[[Sequence[RawPage], Callable[[int], None]], list[Processed]]

LINK_SCORE = "link_score"
BEST_SCORE = 1_000

_LISTINGS = frozenset(kind.value for kind in ListingKind)
_CHECK_SECONDS = 60.0
_NOTE_LENGTH = 200
_FIELDS_LENGTH = 100_000
_ARGUMENTS = {"keep_url": 2, "on_page": 1, "read": 1}


class PluginPage(NamedTuple):
    """What `on_page` is given."""

    url: str
    title: str
    text: str
    language: str  # 'en', '' where it cannot be told
    links: tuple[FoundLink, ...]  # each has url.href, anchor and nofollow


class EnrichedContent(PageContent, frozen=True, gc=False):
    """A page's content, and what plugins had to say of it."""

    fields: str = ""  # a JSON object
    link_score: int = -1  # of all its links; -1: as usual
    plugin_notes: tuple[str, ...] = ()  # for people: what went wrong


class UserReader(NamedTuple):
    """A reader of media types."""

    media_types: frozenset[str]
    read: Callable[[RawPage], Any]
    file: str


class _Hook(NamedTuple):
    function: Callable[..., Any]
    file: str


class Plugins:
    """All that the files define, in their order."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        """Raises `SettingsError` for a file that cannot be loaded."""
        self._url_filters: list[_Hook] = []
        self._page_hooks: list[_Hook] = []
        self.readers: list[UserReader] = []
        for number, path in enumerate(paths):
            self._take(path, _load(path, number))
        self._notes: list[str] = []

    def _take(self, path: str, module: ModuleType) -> None:
        found = 0
        for owner in (module, *_instances(module, path)):
            if (keep := _function(owner, "keep_url", path)) is not None:
                self._url_filters.append(_Hook(keep, path))
                found += 1
            if (on_page := _function(owner, "on_page", path)) is not None:
                self._page_hooks.append(_Hook(on_page, path))
                found += 1
            if owner is not module and hasattr(owner, "media_types"):
                self.readers.append(_reader(owner, path))
                found += 1
        if not found:
            raise SettingsError(
                f"The plugin '{path}' defines nothing that a crawl could use: 'keep_url', "
                "'on_page', or a class with 'media_types' and 'read'."
            )

    @property
    def has_url_filters(self) -> bool:
        return bool(self._url_filters)

    @property
    def has_page_hooks(self) -> bool:
        return bool(self._page_hooks)

    def reads(self, media_type: str) -> bool:
        return any(media_type in reader.media_types for reader in self.readers)

    def keeps(self, url: str, page: str) -> bool:
        """Whether all filters want the link. One that fails has no say."""
        for hook in self._url_filters:
            try:
                if not hook.function(url, page):
                    return False
            except Exception as error:
                self._notes.append(_note(hook, error))
        return True

    def taken_notes(self) -> list[str]:
        """What went wrong in filters since this was asked last."""
        notes, self._notes = self._notes, []
        return notes

    def around(self, process: ProcessPages) -> ProcessPages:
        """The same, and what the plugins have to say of each page with it."""
        if not self._page_hooks:
            return process

        def processed(pages: Sequence[RawPage], at: Callable[[int], None]) -> list[Processed]:
            contents = process(pages, at)
            for position, content in enumerate(contents):
                if isinstance(content, PageContent):
                    at(position)
                    contents[position] = self.enriched(pages[position], content)
            return contents

        return processed

    def enriched(self, page: RawPage, content: PageContent) -> PageContent:
        """The content with what the plugins return for it. A listing is no page of the crawl."""
        if page.media_type in _LISTINGS:
            return content
        view = PluginPage(page.url, content.title, content.text, content.language, content.links)
        fields: dict[str, str | float] = {}
        scores: list[float] = []
        notes: list[str] = []
        for hook in self._page_hooks:
            try:
                returned = hook.function(view)
                if returned is not None:
                    _gather(returned, fields, scores)
            except Exception as error:
                notes.append(_note(hook, error))
        text = json.dumps(fields, ensure_ascii=False, sort_keys=True) if fields else ""
        if len(text) > _FIELDS_LENGTH:
            notes.append(f"plugins: their fields took more than {_FIELDS_LENGTH:,} characters")
            text = ""
        if not (text or scores or notes):
            return content
        score = round(min(max(max(scores), 0), BEST_SCORE)) if scores else -1
        return EnrichedContent(
            **structs.asdict(content), fields=text, link_score=score, plugin_notes=tuple(notes)
        )


def check_plugins(paths: Sequence[str]) -> None:
    """Raises `SettingsError` where a file cannot be loaded. It is tried in another process: what it
    imports is of no use to this one, and it may not come to an end."""
    if not paths:
        return
    command = [sys.executable, "-m", "gossamer.plugins", *(str(Path(path)) for path in paths)]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            command, capture_output=True, text=True, timeout=_CHECK_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise SettingsError(
            f"The plugins {_shown(paths)} cannot be used: loading them takes longer than "
            f"{_CHECK_SECONDS:g} seconds."
        ) from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise SettingsError(
            said[-1] if said else f"The plugins {_shown(paths)} end the process that loads them."
        )


def _shown(paths: Sequence[str]) -> str:
    return ", ".join(f"'{path}'" for path in paths)


# Loading


def _load(path: str, number: int) -> ModuleType:
    file = Path(path)
    name = f"gossamer_plugin_{number}_{file.stem}"
    try:
        source = file.read_bytes()
        module = ModuleType(name)
        module.__file__ = str(file)
        sys.modules[name] = module  # dataclasses and the like look for their module there
        exec(compile(source, str(file), "exec"), module.__dict__)  # noqa: S102 - what it is for
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from None
    except SyntaxError as error:
        raise _refused(path, f"line {error.lineno}: {error.msg}") from None
    except ValueError as error:  # a source with null bytes
        raise _refused(path, _place(error, path) + str(error)) from None
    except (Exception, SystemExit) as error:
        raise _refused(path, f"{_place(error, path)}{_named(error)}") from None
    return module


def _instances(module: ModuleType, path: str) -> Iterable[object]:
    """One of each class of the file that has a part in the crawl."""
    for name, value in list(vars(module).items()):
        if (
            inspect.isclass(value)
            and value.__module__ == module.__name__
            and not name.startswith("_")
            and any(hasattr(value, wanted) for wanted in (*_ARGUMENTS, "media_types"))
        ):
            try:
                yield value()
            except Exception as error:
                raise _refused(path, f"{_place(error, path)}{name}(): {_named(error)}") from None


def _function(owner: object, name: str, path: str) -> Callable[..., Any] | None:
    function = getattr(owner, name, None)
    if function is None:
        return None
    count = _ARGUMENTS[name]
    try:
        inspect.signature(function).bind(*range(count))
    except (TypeError, ValueError):
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        place = f"line {line}: " if line else ""
        plural = "s" if count > 1 else ""
        raise _refused(path, f"{place}'{name}' must take {count} argument{plural}") from None
    if inspect.iscoroutinefunction(function):
        raise _refused(path, f"'{name}' must be an ordinary function, not an async one")
    return function  # type: ignore[no-any-return]


def _reader(owner: Any, path: str) -> UserReader:
    types = owner.media_types
    if isinstance(types, str) or not all(isinstance(one, str) and "/" in one for one in types):
        raise _refused(path, f"'media_types' of {type(owner).__name__} must be a set of texts")
    read = _function(owner, "read", path)
    if read is None:
        raise _refused(path, f"{type(owner).__name__} has 'media_types', and no 'read'")
    return UserReader(frozenset(one.lower() for one in types), read, path)


def _refused(path: str, why: str) -> SettingsError:
    return SettingsError(f"The plugin '{path}' cannot be loaded: {why}.")


# Faults


def failure(error: BaseException, file: str) -> str:
    """What a plugin has raised, and where, on one line."""
    return f"plugin {Path(file).name}, {_place(error, file)}{_named(error)}"[:_NOTE_LENGTH]


def _note(hook: _Hook, error: Exception) -> str:
    return failure(error, hook.file)


def _named(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": .")


def _place(error: BaseException, file: str) -> str:
    """'line 7: ', of the innermost call that is in the file."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(Path(file))]
    return f"line {lines[-1]}: " if lines else ""


def _gather(returned: Any, fields: dict[str, str | float], scores: list[float]) -> None:
    if not isinstance(returned, Mapping):
        raise TypeError(f"'on_page' must return a dict or None, not {type(returned).__name__}")
    for name, value in returned.items():
        if not isinstance(name, str) or not isinstance(value, str | int | float):
            raise TypeError(f"the field {name!r} must be a text or a number")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"the field '{name}' must be a finite number")
        if name != LINK_SCORE:
            fields[name] = value
        elif isinstance(value, str):
            raise TypeError(f"'{LINK_SCORE}' must be a number")
        else:
            scores.append(value)


def main() -> None:
    try:
        Plugins(sys.argv[1:])
    except SettingsError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
