"""Which fields documents have, and of which types: from summaries of all their values.

`Summaries` sees every value once and keeps a bounded summary for each field. `detected_fields`
makes fields of them: a field has the type of at least `NEARLY_ALL` of its values, and the values
that do not fit are counted, with the first of them as an example.
"""

import sys
from collections.abc import Iterator, Mapping
from heapq import heappush, heapreplace
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from gossamer.errors import UsageError
from gossamer.index.fields import (
    MOST_FIELDS,
    MOST_TEXT_FIELDS,
    Fields,
    FieldType,
    as_seconds,
    checked_type,
    field_name,
    fields_of,
    refusal,
    with_implied,
)
from gossamer.index.numbers import (
    NumberFormat,
    Shape,
    can_be,
    decimal_sign,
    truth,
    written_number,
)
from gossamer.index.safety import FIELD as SAFETY
from gossamer.lib.hashing import hash64

NEARLY_ALL = 0.9
"""Share of its values that must be of a type for a field to be of that type."""

_MANY = 0.5  # a smaller share of numbers or dates in a field of texts is not worth a note
_LONG_TEXT = 60
_FEW_LONG = 0.05  # of the values: a field with more long ones holds text
_FEW_VALUES = 0.3  # of the values: a field with so few different ones is a keyword
_MOST_NAMES = 5_000
_SKETCH = 256  # hashes that are kept to estimate the number of different values
_LARGEST = sys.float_info.max
_EXAMPLE = 80  # characters of an example
_TEXT_NAMES = frozenset({"title", "text", "body", "name", "description"})
_IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")


class Example(NamedTuple):
    order: int  # of the document, among all
    text: str
    where: str  # in which file and line


class FieldReport(Struct, frozen=True):
    """The detected type of one field and its evidence, as builds report it."""

    name: str
    type: str
    values: int  # that are in the index
    left_out: int = 0  # that are of another type
    example: str = ""  # the first that is left out
    where: str = ""
    note: str = ""
    number_format: NumberFormat | None = None  # if texts are among its numbers


class Detection(NamedTuple):
    fields: Fields
    reports: tuple[FieldReport, ...]
    left_out: dict[str, str]  # names that cannot be fields of this index -> why
    unused: tuple[str, ...]  # declared, but in no document
    overruled: dict[str, str]  # fields that keep their type -> the type of their values by now


class _Distinct:
    """Estimates how many different texts there are, from the smallest of their hashes."""

    def __init__(self) -> None:
        self._smallest: list[int] = []  # a heap of negatives: the largest first
        self._known: set[int] = set()

    def add(self, text: str) -> None:
        value = hash64(text.encode("utf-8", "surrogatepass"))
        if value in self._known:
            return
        if len(self._known) < _SKETCH:
            heappush(self._smallest, -value)
            self._known.add(value)
        elif value < -self._smallest[0]:
            self._known.add(value)
            self._known.remove(-heapreplace(self._smallest, -value))

    def count(self) -> float:
        if len(self._known) < _SKETCH:
            return float(len(self._known))
        share = (-self._smallest[0] + 2**63) / 2**64
        return (_SKETCH - 1) / max(share, 2.0**-64)


class _Summary:
    """Counts over the values of one field."""

    __slots__ = (
        *("documents", "values", "numbers", "truths", "written", "dates", "years", "links"),
        *("images", "texts", "long", "listed", "different", "examples"),
    )

    def __init__(self) -> None:
        self.documents = 0
        self.values = 0
        self.numbers = 0  # JSON numbers and truth values
        self.truths = 0  # texts: 'yes'
        self.written: dict[tuple[str, Shape], int] = {}  # (currency, shape) of texts
        self.dates = 0  # texts that are dates
        self.years = 0  # of these, four digits, which may be a number as well
        self.links = 0  # images among them
        self.images = 0
        self.texts = 0
        self.long = 0
        self.listed = 0  # texts in lists
        self.different = _Distinct()
        self.examples: dict[Any, Example] = {}  # of each kind of value, the first

    def add(self, value: Any, order: int, where: str) -> None:
        """Count a value, and each of a list."""
        self.documents += 1
        if isinstance(value, list):
            for one in value:
                if isinstance(one, str) and one.strip():
                    self.listed += 1
                self._add(one, order, where)
        else:
            self._add(value, order, where)

    def _add(self, value: Any, order: int, where: str) -> None:
        kind: Any
        if isinstance(value, str):
            if not value or value.isspace():
                return
            kind = self._text(value)
        elif isinstance(value, int | float):  # True and False are, too
            kind = "number" if -_LARGEST <= value <= _LARGEST else "infinite"
            self.numbers += kind == "number"
        else:
            return
        self.values += 1
        if kind not in self.examples:
            shown = f"{value:.15g}" if isinstance(value, float) else _short(value)
            self.examples[kind] = Example(order, shown, where)

    def _text(self, text: str) -> Any:
        self.texts += 1
        if len(text) > _LONG_TEXT:
            self.long += 1
        else:
            self.different.add(text)
        if text.startswith(("http://", "https://")) and not any(map(str.isspace, text)):
            self.links += 1
            if text.partition("?")[0].lower().endswith(_IMAGE_ENDINGS):
                self.images += 1
                return "image"
            return "link"
        written = written_number(text)
        is_date = (written is None or written.shape in _DATE_SHAPES) and _is_date(text)
        self.dates += is_date
        if written is not None:
            self.years += is_date
            key = (written.currency, written.shape)
            self.written[key] = self.written.get(key, 0) + 1
            return (*key, is_date)
        if is_date:
            return "date"
        if truth(text) is not None:
            self.truths += 1
            return "truth"
        return "text"

    # Numbers

    def number_format(self, decimal: str) -> NumberFormat:
        """The format of most of its written numbers. `decimal`: the one that is set, or ''."""
        currencies: dict[str, int] = {}
        for (currency, _), count in self.written.items():
            if currency:
                currencies[currency] = currencies.get(currency, 0) + count
        own = max(currencies, key=lambda one: currencies[one], default="")
        shapes: dict[Shape, int] = {}
        for (currency, shape), count in self.written.items():
            if currency in ("", own):
                shapes[shape] = shapes.get(shape, 0) + count
        return NumberFormat(decimal or decimal_sign(shapes), own)

    def fitting_numbers(self, format_: NumberFormat, *, codes: bool) -> int:
        """How many values are numbers in this format. `codes`: also '007' and 'yes'."""
        found = self.numbers + (self.truths if codes else 0)
        for (currency, shape), count in self.written.items():
            if (codes or shape is not Shape.CODE) and _fits(currency, shape, format_):
                found += count
        return found

    def fitting_dates(self) -> int:
        return self.dates + self.numbers

    def first_misfit(self, type_: FieldType, format_: NumberFormat) -> Example | None:
        """The first value that is not of a type."""

        def misfits(kind: Any) -> bool:
            if type_ is FieldType.NUMBER:
                if isinstance(kind, tuple):
                    return not _fits(kind[0], kind[1], format_)
                return kind not in ("number", "truth")
            if isinstance(kind, tuple):
                return not kind[2]
            return kind not in ("date", "number")

        return min((one for kind, one in self.examples.items() if misfits(kind)), default=None)


_DATE_SHAPES = (Shape.WHOLE, Shape.CODE)  # '2024', '20240615', '00010101'


def _is_date(text: str) -> bool:
    return len(text) >= len("2024") and text.lstrip()[:1].isdigit() and as_seconds(text) is not None


def _fits(currency: str, shape: Shape, format_: NumberFormat) -> bool:
    return currency in ("", format_.currency) and can_be(shape, format_.decimal)


def _short(value: Any) -> str:
    if isinstance(value, int):
        if value.bit_length() > 1_000:
            return f"an integer of more than {value.bit_length() // 4} digits"
        return str(value)
    text = " ".join(str(value)[: 4 * _EXAMPLE].split())
    return text if len(text) <= _EXAMPLE else text[: _EXAMPLE - 1] + "…"


class Summaries:
    """Summaries of all fields of some documents."""

    def __init__(self) -> None:
        self._known: dict[str, _Summary] = {}
        self.documents = 0
        self.beyond: dict[str, None] = {}  # some of the names beyond `_MOST_NAMES`
        self.has_urls = False

    def add(self, values: Mapping[str, Any], where: str) -> None:
        """Count the values of a document, by the paths of its fields."""
        self.documents += 1
        known = self._known
        for name, value in values.items():
            if value is None or value == "" or value == [] or name == "id":
                continue
            summary = known.get(name)
            if summary is None:
                if len(known) >= _MOST_NAMES:
                    if len(self.beyond) < _MOST_NAMES:
                        self.beyond[name] = None
                    continue
                summary = known[name] = _Summary()
            summary.add(value, self.documents, where)
        if values.get("url"):
            self.has_urls = True

    def names(self) -> Iterator[str]:
        return iter(self._known)

    def get(self, name: str) -> _Summary | None:
        return self._known.get(name)


def detected_fields(
    summaries: Summaries,
    declared: Mapping[str, str],
    *,
    is_complete: bool = False,
    decimal: str = "",
    known: Fields | None = None,
    marks_safety: bool = False,
    implies: bool = True,
) -> Detection:
    """Fields for documents with these summaries. `declared`: name -> type, which detection only
    adds to, or with `is_complete` does not even add to. `known`: fields of the index so far, which
    keep their types. `marks_safety`: the index marks what a list names, in a field of its own.
    `implies`: with fields for what is known of documents beside their own ones."""
    declared = {field_name(name): type_text for name, type_text in declared.items()}
    types = {name: checked_type(name, type_text) for name, type_text in declared.items()}
    left_out: dict[str, str] = {}
    overruled: dict[str, str] = {}
    if not is_complete:
        kept = {field.name: field.type for field in known.all} if known else {}
        _add_detected(summaries, types, kept, left_out, decimal)
        overruled = _overruled(summaries, types, kept, declared, decimal)
    if marks_safety:
        if types.get(SAFETY, FieldType.KEYWORD) is not FieldType.KEYWORD:
            raise UsageError(
                f"The field '{SAFETY}' holds what 'unsafe_list' marks: make it a keyword."
            )
        types[SAFETY] = FieldType.KEYWORD
    formats: dict[str, NumberFormat] = {}
    reports = []
    for name, type_ in types.items():
        summary = summaries.get(name)
        if summary is None:
            continue
        format_ = summary.number_format(decimal)
        before, note = _number_format(known, name), ""
        if before.decimal and not decimal:
            if format_.decimal not in ("", before.decimal):
                note = _kept_sign(before.decimal)
            format_ = msgspec.structs.replace(format_, decimal=before.decimal)
        if type_ is FieldType.NUMBER:
            formats[name] = format_
        report = _report(name, type_, summary, format_, name in declared)
        reports.append(msgspec.structs.replace(report, note=note) if note else report)
    texts = {name: type_.value for name, type_ in types.items()}
    unused = tuple(name for name in declared if summaries.get(name) is None)
    if implies:
        texts = with_implied(texts, summaries.has_urls)
    fields = fields_of(texts, {}, formats)
    return Detection(fields, tuple(reports), left_out, unused, overruled)


def _number_format(known: Fields | None, name: str) -> NumberFormat:
    field = next((one for one in known.all if one.name == name), None) if known else None
    return field.number_format if field else NumberFormat()


def _add_detected(
    summaries: Summaries,
    types: dict[str, FieldType],
    kept: Mapping[str, FieldType],
    left_out: dict[str, str],
    decimal: str,
) -> None:
    """Add the detected fields to `types`: those that most documents have, where they are more than
    an index can have."""
    found: dict[str, FieldType] = {}
    for name in dict.fromkeys((*kept, *summaries.names())):  # in the order of the index so far
        summary = summaries.get(name)
        if name in types or summary is None:
            continue
        if why := refusal(name):
            left_out[name] = why
            continue
        found[name] = kept.get(name) or _type_of(name, summary, decimal)
    texts = sum(type_ is FieldType.TEXT for type_ in types.values())
    room = MOST_FIELDS - len(types) - _IMPLIED
    chosen: set[str] = set()
    for name in sorted(found, key=lambda name: (name not in kept, -_documents(summaries, name))):
        is_text = found[name] is FieldType.TEXT
        if is_text and texts >= MOST_TEXT_FIELDS:
            left_out[name] = f"an index has {MOST_TEXT_FIELDS} text fields at most"
        elif len(chosen) >= room:
            left_out[name] = f"an index has {MOST_FIELDS} fields at most"
        else:
            chosen.add(name)
            texts += is_text
    types |= {name: type_ for name, type_ in found.items() if name in chosen}
    for name in summaries.beyond:
        left_out[name] = f"the documents have more than {_MOST_NAMES} fields"


def _overruled(
    summaries: Summaries,
    types: Mapping[str, FieldType],
    kept: Mapping[str, FieldType],
    declared: Mapping[str, str],
    decimal: str,
) -> dict[str, str]:
    """Fields that keep a type which their values do not have, with the type that they have."""
    found = {}
    for name, type_ in types.items():
        summary = summaries.get(name)
        if name in kept and name not in declared and summary is not None and summary.values:
            own = _type_of(name, summary, decimal)
            if own is not type_:
                found[name] = own.value
    return found


_IMPLIED = 4  # fields that every index of documents may have: lang, site, host, safety


def _documents(summaries: Summaries, name: str) -> int:
    summary = summaries.get(name)
    return summary.documents if summary else 0


def _type_of(name: str, summary: _Summary, decimal: str) -> FieldType:
    if name in _TEXT_NAMES:
        return FieldType.TEXT
    if name == SAFETY:
        return FieldType.KEYWORD  # by which safe search knows what to leave out
    enough = NEARLY_ALL * summary.values
    numbers = summary.fitting_numbers(summary.number_format(decimal), codes=False)
    if summary.values and numbers >= enough:
        return FieldType.NUMBER
    if summary.values and summary.texts:
        if summary.images >= enough:
            return FieldType.IMAGE
        if summary.links >= enough:
            return FieldType.LINK
        if summary.dates - summary.years and summary.dates >= enough:
            return FieldType.DATE
    if summary.long > _FEW_LONG * summary.texts:
        return FieldType.TEXT
    if not summary.texts or summary.listed > summary.texts / 2:
        return FieldType.KEYWORD  # tags
    is_few = summary.different.count() <= max(1.0, _FEW_VALUES * (summary.texts - summary.long))
    return FieldType.KEYWORD if is_few else FieldType.TEXT


def _report(
    name: str, type_: FieldType, summary: _Summary, format_: NumberFormat, is_declared: bool
) -> FieldReport:
    if type_ is FieldType.NUMBER:
        fitting = summary.fitting_numbers(format_, codes=True)
    elif type_ is FieldType.DATE:
        fitting = summary.fitting_dates()
    else:
        note = "" if is_declared else _mixed(summary)
        return FieldReport(name, type_.value, summary.values, note=note)
    misfit = summary.first_misfit(type_, format_) if fitting < summary.values else None
    return FieldReport(
        name,
        type_.value,
        fitting,
        summary.values - fitting,
        misfit.text if misfit else "",
        misfit.where if misfit else "",
        _ambiguous(summary, format_) if type_ is FieldType.NUMBER else "",
        format_ if type_ is FieldType.NUMBER and summary.written else None,
    )


def _mixed(summary: _Summary) -> str:
    """Return the note on a field of which most values, but too few, are numbers or dates."""
    numbers = summary.fitting_numbers(summary.number_format(""), codes=False)
    for count, what in ((numbers, "number"), (summary.dates - summary.years, "date")):
        if _MANY * summary.values < count < NEARLY_ALL * summary.values:
            return (
                f"{count:,} of {summary.values:,} values are {what}s; to have a {what} field, "
                "declare it in [fields]"
            )
    return ""


def _kept_sign(decimal: str) -> str:
    """Return the note on a field whose values have another decimal sign by now."""
    kept, other = ("comma", "point") if decimal == "," else ("point", "comma")
    return (
        f"its numbers are read with a decimal {kept}, as before, although they have a decimal "
        f"{other} now; 'index build --reset' detects it again"
    )


def _ambiguous(summary: _Summary, format_: NumberFormat) -> str:
    """Return the note on numbers whose decimal sign no value shows."""
    if format_.decimal:
        return ""
    for shape, meant in (
        (Shape.POINT_OR_GROUP, "a decimal point"),
        (Shape.COMMA_OR_GROUP, "thousands separators"),
    ):
        for kind, example in summary.examples.items():
            if isinstance(kind, tuple) and kind[1] is shape:
                return (
                    f"'{example.text}' is read with {meant}, as no value shows the decimal sign; "
                    "set 'decimal' if this is wrong"
                )
    return ""
