"""Typed settings, defined once: options, `gossamer settings` and the reference are made of them.

The only reader of crawler files and of the environment.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator
from pydantic_core import ErrorDetails

from gossamer import __version__
from gossamer.errors import SettingsError

PROJECT_CONTACT = "+https://gossamer.example/crawler"

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
PositiveSeconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def _setting(default: Any, group: str, help_text: str) -> Any:
    return Field(default=default, description=help_text, json_schema_extra={"group": group})


class CrawlSettings(BaseModel):
    """Every setting of a crawl. 0 means 'no limit' wherever a limit is a number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # What to crawl
    seeds: tuple[str, ...] = _setting((), "What to crawl", "Addresses to start from.")
    name: str = _setting(
        "", "What to crawl", "Name of the crawler; made from the first seed's host if empty."
    )
    scope: Literal["host", "domain", "anywhere"] = _setting(
        "host",
        "What to crawl",
        "Which links are followed: to the seeds' hosts, to their registrable domains, or all.",
    )

    # Limits
    max_pages: Count = _setting(
        0, "Limits", "Stop after this many pages with an answer; 0: no limit."
    )
    max_documents: Count = _setting(0, "Limits", "Stop after this many documents; 0: no limit.")
    max_depth: Count | None = _setting(
        None, "Limits", "Follow links at most this many steps from a seed; 0: seeds only."
    )
    max_seconds: Seconds = _setting(
        0, "Limits", "Stop after this much time, over all sittings; 0: no limit."
    )
    max_bytes_per_host: Count = _setting(
        0, "Limits", "Take at most this many bytes from a host; 0: no limit."
    )

    # Politeness
    agent_name: str = _setting(
        "Gossamer", "Politeness", "Our name: in the User-Agent, and looked for in robots.txt."
    )
    contact: str = _setting(
        "", "Politeness", "A web or mail address in the User-Agent, for the owners of sites."
    )
    obey_robots: bool = _setting(True, "Politeness", "Obey robots.txt and robots directives.")
    robots_lifetime_seconds: PositiveSeconds = _setting(
        86_400, "Politeness", "Read a robots.txt again after this long."
    )
    robots_retry_seconds: PositiveSeconds = _setting(
        60, "Politeness", "Ask again this soon for a robots.txt that could not be had."
    )
    delay_seconds: Literal["auto"] | Seconds = _setting(
        "auto",
        "Politeness",
        "Pause between two requests to a host; 'auto' takes the host's own response time, "
        "and at least one second on the public internet.",
    )
    max_delay_seconds: PositiveSeconds = _setting(
        600, "Politeness", "The longest Crawl-delay or Retry-After that we sit out."
    )
    connections_per_host: Positive = _setting(1, "Politeness", "Connections to one host at once.")

    # Fetching
    connections: Positive = _setting(128, "Fetching", "Connections at once in each fetcher.")
    connect_timeout_seconds: PositiveSeconds = _setting(
        10, "Fetching", "Longest wait for name, connection and TLS."
    )
    stall_timeout_seconds: PositiveSeconds = _setting(
        15, "Fetching", "Give up when no byte arrives for this long."
    )
    request_timeout_seconds: PositiveSeconds = _setting(
        30, "Fetching", "Longest time for one request in all."
    )
    max_wire_bytes: Positive = _setting(
        20_000_000, "Fetching", "Refuse a body larger than this as it is sent."
    )
    max_body_bytes: Positive = _setting(
        50_000_000, "Fetching", "Refuse a body that unpacks to more than this."
    )
    take_bytes: Positive = _setting(
        2_000_000, "Fetching", "Read only this much of a page's unpacked body."
    )
    retries: Count = _setting(2, "Fetching", "Further tries after a failure that may pass.")
    retry_backoff_seconds: Seconds = _setting(
        5, "Fetching", "Wait before the first retry; doubled each time, with jitter."
    )
    max_redirects: Count = _setting(10, "Fetching", "Longest chain of redirects to follow.")
    http2: bool = _setting(True, "Fetching", "Speak HTTP/2 where the server offers it over TLS.")
    verify_tls: bool = _setting(True, "Fetching", "Refuse servers with an invalid certificate.")
    cookies: bool = _setting(True, "Fetching", "Keep and send cookies during the run.")
    headers: dict[str, str] = _setting({}, "Fetching", "Headers to send with every request.")
    basic_auth: str = _setting("", "Fetching", "'user:password', sent to the seeds' hosts alone.")
    proxies: tuple[str, ...] = _setting(
        (), "Fetching", "Proxies to rotate over: http://, https:// or socks5://."
    )
    allow_private: bool = _setting(
        False, "Fetching", "Allow private, loopback and link-local addresses."
    )
    resolve: dict[str, str] = _setting(
        {}, "Fetching", "Names with fixed addresses: {'example.test' = '127.0.0.1'}."
    )

    # Stores
    keep_raw: bool = _setting(True, "Stores", "Keep the pages as received, in WARC files.")
    min_free_bytes: Count = _setting(
        200_000_000, "Stores", "Pause when less than this much of the disk is left."
    )
    segment_pages: Positive = _setting(5_000, "Stores", "Pages in one segment.")
    segment_seconds: PositiveSeconds = _setting(
        60, "Stores", "Publish a smaller segment after this long."
    )

    # Machinery
    fetchers: Count = _setting(0, "Machinery", "Fetcher processes; 0: one for each core.")
    queue_servers: Positive = _setting(1, "Machinery", "Queue-server processes.")
    processes: bool = _setting(
        True, "Machinery", "Run the roles as processes; false: all in this one."
    )
    window: Positive = _setting(
        64, "Machinery", "Schedules that may be out or waiting for their turn at once."
    )
    ordered: bool = _setting(True, "Machinery", "Commit results in the order of their schedules.")
    schedule_urls: Positive = _setting(200, "Machinery", "URLs in one schedule at most.")
    schedule_seconds: PositiveSeconds = _setting(
        10, "Machinery", "What a schedule has not started by then goes back to the queue."
    )
    lease_grace_seconds: Seconds = _setting(
        5, "Machinery", "Wait beyond a lease's end before it is sent again."
    )
    hang_seconds: PositiveSeconds = _setting(
        60, "Machinery", "Kill a fetcher that has not been heard of for this long."
    )

    @field_validator("basic_auth")
    @classmethod
    def _has_colon(cls, value: str) -> str:
        if value and ":" not in value:
            raise ValueError("must be 'user:password'")
        return value

    @field_validator("agent_name")
    @classmethod
    def _is_product_token(cls, value: str) -> str:
        if not re.fullmatch(r"[A-Za-z_-]+", value):
            raise ValueError("must be made of letters, '_' and '-' (a robots.txt product token)")
        return value

    @field_validator("headers")
    @classmethod
    def _are_header_lines(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or re.search(
                r"[\r\n\0]", text
            ):
                raise ValueError(f"'{name}' is not a header that can be sent")
        return value

    @field_validator("name")
    @classmethod
    def _is_name(cls, value: str) -> str:
        if value and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", value):
            raise ValueError("must start with a letter or digit and hold letters, digits, . _ -")
        return value

    @property
    def user_agent(self) -> str:
        return f"{self.agent_name}/{__version__} ({self.contact or PROJECT_CONTACT})"

    @property
    def fetcher_count(self) -> int:
        return self.fetchers or len(os.sched_getaffinity(0))

    @property
    def host_connections(self) -> int:
        """A limit on a host's bytes can only hold exactly when one request at a time counts."""
        return 1 if self.max_bytes_per_host else self.connections_per_host

    @property
    def lease_seconds(self) -> float:
        """A request that starts at the very end of the budget may still take its whole time."""
        return self.schedule_seconds + self.request_timeout_seconds


# -- Where things are

DEFAULT_HOME = "gossamer-data"
HOME_VARIABLE = "GOSSAMER_HOME"


def default_home() -> Path:
    """The folder that holds runs and their pages, unless the command names another."""
    return Path(os.environ.get(HOME_VARIABLE) or DEFAULT_HOME)


# -- The list of settings

Kind = Literal["switch", "value", "list", "table"]
"""How a setting is written on a command line: --x/--no-x, once, repeated, repeated NAME=VALUE."""


class Setting(NamedTuple):
    """One setting as people read about it."""

    name: str
    group: str
    kind: Kind
    type_text: str
    default_text: str
    help: str


def list_settings() -> list[Setting]:
    """Every setting of a crawl, in the order of its definition."""
    return [_described(name) for name in CrawlSettings.model_fields]


def setting_from_text(name: str, text: str) -> Any:
    """The value that `text` (from a command line) means for one setting, or for one of its items.

    Raises `ValueError` with what is allowed.
    """
    annotation = _annotation(name)
    if _kind(annotation) in ("list", "table"):
        return text
    try:
        return TypeAdapter(annotation).validate_strings(text)
    except ValidationError:
        raise ValueError(f"must be {_type_text(annotation)}") from None


def _annotation(name: str) -> Any:
    """The type of a field with its bounds, which pydantic keeps apart from the type."""
    field = CrawlSettings.model_fields[name]
    annotation: Any = field.annotation
    return Annotated[(annotation, *field.metadata)] if field.metadata else annotation


def _described(name: str) -> Setting:
    field = CrawlSettings.model_fields[name]
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    annotation = _annotation(name)
    return Setting(
        name,
        str(extra["group"]),
        _kind(annotation),
        _type_text(annotation),
        _default_text(field.default, str(extra["group"])),
        field.description or "",
    )


def _kind(annotation: Any) -> Kind:
    if annotation is bool:
        return "switch"
    origin = get_origin(annotation)
    return "list" if origin is tuple else "table" if origin is dict else "value"


def _type_text(annotation: Any) -> str:
    """What is allowed, so that it can follow 'must be'."""
    origin = get_origin(annotation)
    if origin is Literal:
        *most, last = (f"'{choice}'" for choice in get_args(annotation))
        return f"{', '.join(most)} or {last}" if most else last
    if origin in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not NoneType]
        return " or ".join(_type_text(member) for member in members)
    if origin is Annotated:
        base, *rules = get_args(annotation)
        return _type_text(base) + "".join(_bound_text(rule) for rule in rules)
    if origin is tuple:
        return "a list of texts"
    if origin is dict:
        return "a table of names and texts"
    plain = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    return plain[annotation]


def _bound_text(rule: Any) -> str:
    if hasattr(rule, "ge"):
        return f", {rule.ge} or more"
    if hasattr(rule, "gt"):
        return f" above {rule.gt}"
    return "".join(_bound_text(part) for part in getattr(rule, "metadata", ()))


def _default_text(default: Any, group: str) -> str:
    if default is None or (default == 0 and group == "Limits"):
        return "no limit"
    if isinstance(default, bool):
        return "true" if default else "false"
    if default in ("", (), {}):
        return "empty"
    return f"{default:_}" if isinstance(default, int) else str(default)


# -- Reading them


def load_crawler_file(path: Path) -> dict[str, Any]:
    """The settings that a crawler file gives, checked; raises `SettingsError` with every fault."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise SettingsError(f"There is no crawler file '{path}'.") from None
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(f"The crawler file '{path}' cannot be read: {reason}.") from None
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"{path}: byte {error.start + 1} is not UTF-8, in which a crawler file is written."
        ) from None
    text = text.replace("\r\n", "\n")
    tables = _parse_toml(path, text)

    values: dict[str, Any] = {}
    faults: list[tuple[int, str]] = []
    paths: dict[str, tuple[str, ...]] = {}
    for place, value in _placed(tables):
        name = place[-1]
        line = _line_of(text, place)
        if name not in CrawlSettings.model_fields:
            faults.append((line, _unknown(name, value)))
        elif name in values:
            faults.append((line, f"setting '{name}' stands both inside and outside of [crawl]."))
        else:
            values[name] = _as_setting(value)
            paths[name] = place
    for name, wrong in _faults(values):
        place = paths[name]
        faults.append((_line_of(text, place), wrong))
    if faults:
        raise SettingsError(
            "\n".join(f"{path}, line {line}: {fault}" for line, fault in sorted(faults))
        )
    return values


def crawl_settings(file_values: Mapping[str, Any], overrides: Mapping[str, Any]) -> CrawlSettings:
    """The settings of a crawl: `overrides` (the command line) go before the file's values."""
    values = {name: _as_setting(value) for name, value in {**file_values, **overrides}.items()}
    faults = [_unknown(name, None) for name in values if name not in CrawlSettings.model_fields]
    known = {name: value for name, value in values.items() if name in CrawlSettings.model_fields}
    faults += [fault for _, fault in _faults(known)]
    if faults:
        raise SettingsError("\n".join(fault[0].upper() + fault[1:] for fault in faults))
    return CrawlSettings.model_validate(known, strict=True)


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


def _placed(tables: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every setting with the path to it: they stand at the top or in the table [crawl]."""
    for name, value in tables.items():
        if name == "crawl" and isinstance(value, dict):
            for inner, inner_value in value.items():
                yield ("crawl", inner), inner_value
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


def _nearest(name: str) -> str:
    """The setting that was probably meant; '' if none is near. A part of a name is near too."""
    typed = name.lower().replace("-", "_")
    near = difflib.get_close_matches(typed, CrawlSettings.model_fields, 1)
    near += [known for known in CrawlSettings.model_fields if len(typed) > 3 and typed in known]
    return near[0] if near else ""


def _unknown(name: str, value: Any) -> str:
    near = _nearest(name)
    advice = f" Did you mean '{near}'?" if near else ""
    if not near and isinstance(value, dict):
        return f"unknown table [{name}]: settings stand at the top of the file or in [crawl]."
    return f"unknown setting '{name}'.{advice} 'gossamer settings' lists them all."


def _faults(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with values of known settings: (setting, message), one for each setting."""
    try:
        CrawlSettings.model_validate(dict(values), strict=True)
    except ValidationError as error:
        firsts: dict[str, ErrorDetails] = {}
        for details in error.errors():
            firsts.setdefault(str(details["loc"][0]), details)
        return [(name, _wrong(name, values[name], first)) for name, first in firsts.items()]
    return []


def _wrong(name: str, value: Any, details: ErrorDetails) -> str:
    if details["type"] == "value_error":
        allowed = str(details["ctx"]["error"])
    else:
        allowed = f"must be {_type_text(_annotation(name))}"
        if len(details["loc"]) > 1 and isinstance(value, tuple):
            allowed += f" (item {int(details['loc'][1]) + 1} is not a text)"
    shown = "" if name in _MAY_HOLD_SECRETS else f" is {_shown(value)}"
    return f"setting '{name}'{shown}: {allowed}."


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 60 else text[:59] + "…"


# -- Showing them to others

_MAY_HOLD_SECRETS = frozenset({"basic_auth", "headers", "proxies"})


def without_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run for a screen or a log: passwords and header values are blotted out."""
    shown = dict(values)
    if shown.get("basic_auth"):
        shown["basic_auth"] = shown["basic_auth"].split(":", 1)[0] + ":***"
    if shown.get("headers"):
        shown["headers"] = dict.fromkeys(shown["headers"], "***")
    if shown.get("proxies"):
        shown["proxies"] = [re.sub(r"//[^/@]*@", "//***@", proxy) for proxy in shown["proxies"]]
    return shown
