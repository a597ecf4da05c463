"""Where settings come from: crawler files, the command line, the environment."""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from gossamer.config.crawl import CrawlSettings
from gossamer.config.index import IndexSettings
from gossamer.config.listing import Model, annotation_of, type_text
from gossamer.config.rank import RankSettings
from gossamer.config.server import ServerSettings
from gossamer.errors import SettingsError, UsageError

DEFAULT_HOME = "gossamer-data"
HOME_VARIABLE = "GOSSAMER_HOME"
CATALOGUE_VARIABLE = "GOSSAMER_CATALOGUE"
PROGRESS_VARIABLE = "GOSSAMER_PROGRESS"
"""Set for jobs: progress goes to the log line by line, whatever else is asked for."""


def default_home() -> Path:
    """The folder that holds runs and their pages, unless the command names another."""
    return Path(os.environ.get(HOME_VARIABLE) or DEFAULT_HOME)


def catalogue_address(home: Path) -> str:
    """The URL of the database of a home: a file in it, unless the environment names another."""
    return os.environ.get(CATALOGUE_VARIABLE) or f"sqlite:///{home.absolute() / 'catalogue.db'}"


# Reading


def load_crawler_file(path: Path) -> dict[str, Any]:
    """The settings that a crawler file gives, checked; raises `SettingsError` with every fault.
    Files that it names are looked for beside it, from wherever the crawl is started."""
    values = _load(path, _CRAWLER)
    for name in _FILE_NAMES & values.keys():
        values[name] = tuple(_beside(path, one) for one in values[name])
    if "seeds" in values:
        values["seeds"] = tuple(
            _beside(path, one) if one.startswith(("./", "../")) or one in (".", "..") else one
            for one in values["seeds"]
        )
    return values


STANDARD_INPUT = "-"
"""In place of the name of a file."""
_FILE_NAMES = frozenset({"seed_files", "block_lists", "plugins"})


def _beside(path: Path, name: str) -> str:
    is_fixed = not name or name == STANDARD_INPUT or name.startswith("~")
    return name if is_fixed else str(path.parent.absolute() / name)


@contextmanager
def blaming(setting: str) -> Iterator[None]:
    """What goes wrong within is the fault of a setting."""
    try:
        yield
    except UsageError as error:
        error.setting = error.setting or setting
        raise


@contextmanager
def pointing_at(path: Path | None, values: Mapping[str, Any]) -> Iterator[None]:
    """Of faults within that one of the `values` of a crawler file is to blame for, the file and
    the line are told."""
    try:
        yield
    except UsageError as error:
        if path is None or error.setting not in values:
            raise
        raise _pointed_at(path, error) from None


def _pointed_at(path: Path, error: UsageError) -> SettingsError:
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        places = [place for place, _ in _placed(tomllib.loads(text), _CRAWLER.table)]
    except (OSError, ValueError):  # it has changed since
        return SettingsError(f"{path}: setting '{error.setting}': {error}")
    place = next(place for place in places if place[-1] == error.setting)
    return SettingsError(
        f"{path}, line {_line_of(text, place)}: setting '{error.setting}': {error}"
    )


def load_index_file(path: Path) -> dict[str, Any]:
    """The same for an index. Files that it names are looked for beside it, too."""
    values = _load(path, _INDEX)
    named = values.keys() & {"synonyms", "dictionary", "unsafe_list"}
    if values.get("profile", "").endswith(".toml"):  # else it is a name
        named.add("profile")
    return {**values, **{name: _beside(path, values[name]) for name in named}}


def load_server_file(path: Path) -> dict[str, Any]:
    """The same for the search site."""
    return _load(path, _SERVER)


def load_rank_file(path: Path) -> dict[str, Any]:
    """The same for link analysis."""
    return _load(path, _RANK)


class _Kind(NamedTuple):
    model: Model
    file: str  # what such a file is called
    table: str  # in which its settings may stand


_CRAWLER = _Kind(CrawlSettings, "crawler file", "crawl")
_INDEX = _Kind(IndexSettings, "index file", "index")
_RANK = _Kind(RankSettings, "rank file", "rank")
_SERVER = _Kind(ServerSettings, "server file", "server")


def _load(path: Path, kind: _Kind) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise SettingsError(f"There is no {kind.file} '{path}'.") from None
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(f"The {kind.file} '{path}' cannot be read: {reason}.") from None
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"{path}: byte {error.start + 1} is not UTF-8, in which the {kind.file} is written."
        ) from None
    text = text.replace("\r\n", "\n")
    tables = _parse_toml(path, text)

    values: dict[str, Any] = {}
    faults: list[tuple[int, str]] = []
    paths: dict[str, tuple[str, ...]] = {}
    for place, value in _placed(tables, kind.table):
        name = place[-1]
        line = _line_of(text, place)
        if name not in kind.model.model_fields:
            faults.append((line, _unknown(name, value, kind)))
        elif name in values:
            faults.append(
                (line, f"setting '{name}' stands both inside and outside of [{kind.table}].")
            )
        else:
            values[name] = _as_setting(value)
            paths[name] = place
    for name, wrong in _faults(values, kind.model):
        place = paths[name]
        faults.append((_line_of(text, place), wrong))
    if faults:
        raise SettingsError(
            "\n".join(f"{path}, line {line}: {fault}" for line, fault in sorted(faults))
        )
    return values


def crawl_settings(file_values: Mapping[str, Any], overrides: Mapping[str, Any]) -> CrawlSettings:
    """The settings of a crawl: `overrides` (the command line) go before the file's values."""
    settings = _checked({**file_values, **overrides}, _CRAWLER)
    assert isinstance(settings, CrawlSettings)
    return settings


def index_settings(file_values: Mapping[str, Any], overrides: Mapping[str, Any]) -> IndexSettings:
    """The same for an index."""
    settings = _checked({**file_values, **overrides}, _INDEX)
    assert isinstance(settings, IndexSettings)
    return settings


def server_settings(file_values: Mapping[str, Any], overrides: Mapping[str, Any]) -> ServerSettings:
    """The same for the search site."""
    settings = _checked({**file_values, **overrides}, _SERVER)
    assert isinstance(settings, ServerSettings)
    return settings


def rank_settings(file_values: Mapping[str, Any], overrides: Mapping[str, Any]) -> RankSettings:
    """The same for link analysis."""
    settings = _checked({**file_values, **overrides}, _RANK)
    assert isinstance(settings, RankSettings)
    return settings


def _checked(given: Mapping[str, Any], kind: _Kind) -> BaseModel:
    values = {name: _as_setting(value) for name, value in given.items()}
    fields = kind.model.model_fields
    faults = [_unknown(name, None, kind) for name in values if name not in fields]
    known = {name: value for name, value in values.items() if name in fields}
    faults += [fault for _, fault in _faults(known, kind.model)]
    if faults:
        raise SettingsError("\n".join(fault[0].upper() + fault[1:] for fault in faults))
    return kind.model.model_validate(known, strict=True)


def _parse_toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(
            r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error)
        )
        what, line, column = found.groups() if found else (str(error), None, None)
        if line is None:
            line, column = str(text.count("\n") + 1), str(len(text) - text.rfind("\n"))
        raise SettingsError(
            f"{path}, line {line}, column {column}: this is not TOML: {what}."
        ) from None
    except (ValueError, RecursionError) as error:
        # Numbers of thousands of digits, and brackets nested thousands deep.
        raise SettingsError(f"{path}: this cannot be read as TOML: {error}.") from None


def _placed(tables: Mapping[str, Any], table: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every setting with the path to it: they stand at the top or in that table."""
    for name, value in tables.items():
        if name == table and isinstance(value, dict):
            for inner, inner_value in value.items():
                yield (table, inner), inner_value
        else:
            yield (name,), value


def _line_of(text: str, place: tuple[str, ...]) -> int:
    """The line where a key of a valid TOML text is set (tomllib does not tell).

    A key is set on the last line that names it and before which, read alone, it is not yet set.
    """
    named = re.compile(rf"""(?:^|[\s.\[{{,"'])(?:{re.escape(place[-1])})["']?\s*[=.\]]""")
    lines = text.split("\n")
    answer = 1
    for number, line in enumerate(lines, start=1):
        if not named.search(line):
            continue
        try:
            before: Any = tomllib.loads("\n".join(lines[: number - 1]))
        except tomllib.TOMLDecodeError:
            continue  # in the middle of a text or a list
        for key in place:
            before = before.get(key) if isinstance(before, dict) else None
        if before is not None:
            break
        answer = number
    return answer


def _as_setting(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _nearest(name: str, model: Model) -> str:
    """The setting that was probably meant; '' if none is near. A part of a name is near too."""
    typed = name.lower().replace("-", "_")
    near = difflib.get_close_matches(typed, model.model_fields, 1)
    near += [known for known in model.model_fields if len(typed) > 3 and typed in known]
    return near[0] if near else ""


def _unknown(name: str, value: Any, kind: _Kind) -> str:
    near = _nearest(name, kind.model)
    advice = f" Did you mean '{near}'?" if near else ""
    if not near and isinstance(value, dict):
        return (
            f"unknown table [{name}]: settings stand at the top of the file or in [{kind.table}]."
        )
    command = f"gossamer settings{_kind_argument(kind)}"
    return f"unknown setting '{name}'.{advice} '{command}' lists them all."


def _kind_argument(kind: _Kind) -> str:
    return "" if kind is _CRAWLER else f" {kind.table}"


def _faults(values: Mapping[str, Any], model: Model) -> list[tuple[str, str]]:
    """What is wrong with values of known settings: (setting, message), one for each setting."""
    try:
        model.model_validate(dict(values), strict=True)
    except ValidationError as error:
        firsts: dict[str, ErrorDetails] = {}
        for details in error.errors():
            firsts.setdefault(str(details["loc"][0]), details)
        return [(name, _wrong(name, values[name], first, model)) for name, first in firsts.items()]
    return []


def _wrong(name: str, value: Any, details: ErrorDetails, model: Model) -> str:
    if details["type"] == "value_error":
        allowed = str(details["ctx"]["error"])
    else:
        allowed = f"must be {type_text(annotation_of(name, model))}"
        if len(details["loc"]) > 1 and isinstance(value, tuple):
            allowed += f" (item {int(details['loc'][1]) + 1} is not a text)"
    shown = "" if name in _MAY_HOLD_SECRETS else f" is {_shown(value)}"
    return f"setting '{name}'{shown}: {allowed}."


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 60 else text[:59] + "…"


# Showing them to others

_MAY_HOLD_SECRETS = frozenset({"basic_auth", "headers", "proxies", "catalogue"})


def without_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run for a screen or a log: passwords and header values are blotted out."""
    shown = dict(values)
    if shown.get("basic_auth"):
        shown["basic_auth"] = shown["basic_auth"].split(":", 1)[0] + ":***"
    if shown.get("headers"):
        shown["headers"] = dict.fromkeys(shown["headers"], "***")
    if shown.get("proxies"):
        shown["proxies"] = [re.sub(r"//[^/@]*@", "//***@", proxy) for proxy in shown["proxies"]]
    if shown.get("catalogue"):
        shown["catalogue"] = re.sub(r"//[^/@]*@", "//***@", shown["catalogue"])
    return shown
