"""The report on files of documents, as sentences and as JSON."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gossamer.cli.terminal import count, several

if TYPE_CHECKING:
    from gossamer.app.document_loading import LoadReport
    from gossamer.index.field_detection import FieldReport

_MOST_NAMED = 10  # of a kind; --json has all


def report_lines(report: "LoadReport | None") -> Iterator[str]:
    """A sentence for each thing that is not in the index as it is in the files."""
    if report is None:
        return
    if report.bad_lines:
        named = [f"{one.where}: {one.reason}" for one in report.first_bad_lines[:_MOST_NAMED]]
        lines = several(report.bad_lines, "line")
        yield f"{lines} could not be read and {_are(report.bad_lines)} left out:"
        for one in named:
            yield f"  {one}"
        if report.bad_lines > len(named):
            yield f"  and {count(report.bad_lines - len(named))} more"
    if report.duplicates:
        documents = several(report.duplicates, "document")
        yield f"{documents} left out, as the same id occurs again later: the last one counts."
    for field in report.fields:
        if field.left_out:
            yield _misfits(field)
        if field.note:
            yield f"`{field.name}`: {field.note}."
    if report.left_out_fields:
        reasons: dict[str, list[str]] = {}
        for name, why in report.left_out_fields.items():
            reasons.setdefault(why, []).append(f"'{name}'")
        for why, named in reasons.items():
            left_out = several(len(named), "field")
            yield f"{left_out} left out: {_listed(named)} ({why})."
    if report.left_out_count > len(report.left_out_fields):
        yield f"In all, {several(report.left_out_count, 'field')} left out."
    if report.renamed_fields:
        renamed = [f"'{name}' is {field}" for name, field in report.renamed_fields.items()]
        yield f"Names of fields: {_listed(renamed)}."
    kept = {field.name: field.type for field in report.fields}
    overruled = list(report.overruled_types.items())
    for name, type_ in overruled[:_MOST_NAMED]:
        yield (
            f"The field '{name}' keeps its type {kept[name]}, although its values look like "
            f"{type_}s now. 'index build --reset' detects the types again."
        )
    if len(overruled) > _MOST_NAMED:
        yield f"So do {count(len(overruled) - _MOST_NAMED)} more fields; --json names all."
    if report.default_language:
        yield (
            "Documents that are too short to tell their language are read as "
            f"'{report.default_language}'; 'language' in the settings names another one."
        )
    if report.unused_fields:
        names = ", ".join(f"'{name}'" for name in report.unused_fields)
        yield f"Declared, but in no document: {names}."


def _misfits(field: "FieldReport") -> str:
    values = several(field.values, field.type)
    left_out = several(field.left_out, "text")
    return f'`{field.name}`: {values}, {left_out} ("{field.example}", {field.where}) left out.'


def _listed(named: list[str]) -> str:
    more = f" and {count(len(named) - _MOST_NAMED)} more" if len(named) > _MOST_NAMED else ""
    return f"{', '.join(named[:_MOST_NAMED])}{more}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def report_as_json(report: "LoadReport | None") -> dict[str, Any]:
    import msgspec

    if report is None:
        return {"left_out_fields": {}}
    found: dict[str, Any] = msgspec.to_builtins(report)
    found.pop("documents")  # of the files; the index says how many it has
    return found
