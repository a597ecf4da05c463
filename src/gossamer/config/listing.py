"""The settings as people read about them, and as they write them on a command line."""

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from gossamer.config.crawl import CrawlSettings
from gossamer.config.index import AT_QUERY_TIME

Model = type[BaseModel]
"""Settings of one kind: of a crawl, of an index."""

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


def list_settings(model: Model = CrawlSettings) -> list[Setting]:
    """Every setting of a crawl (or of another kind), in the order of its definition."""
    return [_described(name, model) for name in model.model_fields]


def setting_from_text(name: str, text: str, model: Model = CrawlSettings) -> Any:
    """The value that `text` (from a command line) means for one setting, or for one of its items.

    Raises `ValueError` with what is allowed.
    """
    annotation = annotation_of(name, model)
    if _kind(annotation) in ("list", "table"):
        return text
    try:
        return TypeAdapter(annotation).validate_strings(text)
    except ValidationError:
        raise ValueError(f"must be {type_text(annotation)}") from None


def annotation_of(name: str, model: Model = CrawlSettings) -> Any:
    """The type of a field with its bounds, which pydantic keeps apart from the type."""
    field = model.model_fields[name]
    annotation: Any = field.annotation
    return Annotated[(annotation, *field.metadata)] if field.metadata else annotation


def _described(name: str, model: Model) -> Setting:
    field = model.model_fields[name]
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    annotation = annotation_of(name, model)
    return Setting(
        name,
        str(extra["group"]),
        _kind(annotation),
        type_text(annotation),
        _default_text(field.default, str(extra["group"])),
        field.description or "",
    )


def _kind(annotation: Any) -> Kind:
    if annotation is bool:
        return "switch"
    if isinstance(annotation, UnionType):
        annotation = get_args(annotation)[0]  # or None
    origin = get_origin(annotation)
    return "list" if origin is tuple else "table" if origin is dict else "value"


def type_text(annotation: Any) -> str:
    """What is allowed, so that it can follow 'must be'."""
    origin = get_origin(annotation)
    if origin is Literal:
        *most, last = (f"'{choice}'" for choice in get_args(annotation))
        return f"{', '.join(most)} or {last}" if most else last
    if origin in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not NoneType]
        return " or ".join(type_text(member) for member in members)
    if origin is Annotated:
        base, *rules = get_args(annotation)
        return type_text(base) + "".join(_bound_text(rule) for rule in rules)
    if origin is tuple:
        return "a list of texts"
    if origin is dict:
        values = "texts" if get_args(annotation)[1] is str else "numbers"
        return f"a table of names and {values}"
    plain = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    return plain[annotation]


def _bound_text(rule: Any) -> str:
    if hasattr(rule, "le"):
        return f", up to {rule.le}"
    if hasattr(rule, "ge"):
        return f", {rule.ge} or more"
    if hasattr(rule, "gt"):
        return f" above {rule.gt}"
    return "".join(_bound_text(part) for part in getattr(rule, "metadata", ()))


def _default_text(default: Any, group: str) -> str:
    if default is None and group == AT_QUERY_TIME:
        return "as the profile, or the language, has it"
    if default is None or (default == 0 and group == "Limits"):
        return "no limit"
    if isinstance(default, bool):
        return "true" if default else "false"
    if default in ("", (), {}):
        return "empty"
    if isinstance(default, tuple):
        return ", ".join(default)
    return f"{default:_}" if isinstance(default, int) else str(default)
