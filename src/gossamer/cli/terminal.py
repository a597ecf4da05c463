"""How text, tables and numbers reach a screen.

Titles, addresses and error texts come from strangers: nothing is printed that a terminal could
take for a command, and rich never reads them as markup.
"""

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from gossamer.lib.counts import count as count
from gossamer.lib.counts import several as several
from gossamer.url_display import readable

if TYPE_CHECKING:
    from rich.console import Console

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS ...
    r"|\x1b[ -/]*[0-~]"
)
_DIRECTION_MARKS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""They can make an address read as another one."""


def harmless(text: str, *, lines: bool = False) -> str:
    """`text` without anything that moves the cursor, colours, or turns the reading direction."""
    text = _ESCAPES.sub("", text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_harmless_character(character, lines) for character in text)


def _harmless_character(character: str, lines: bool) -> str:
    if character in "\n\t":
        return character if lines else " "
    category = unicodedata.category(character)
    if (
        category == "Cc"
        or character in _DIRECTION_MARKS
        or "\U000e0000" <= character <= "\U000e007f"
    ):
        return ""
    if category in ("Zl", "Zp"):
        return "\n" if lines else " "
    return "\ufffd" if category == "Cs" else character


# -- Numbers for people


def rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}"


def size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if abs(number) < 1000:
            return f"{number:.0f} B" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"


def duration(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(when: float | datetime | None) -> str:
    """A time (seconds since 1970, or in any zone) on the user's own clock."""
    if not when:
        return "-"
    time = when if isinstance(when, datetime) else datetime.fromtimestamp(when, UTC)
    return time.astimezone().strftime("%Y-%m-%d %H:%M:%S")


# -- Printing


def console(stream: TextIO | None = None) -> "Console":
    """rich, with all its guessing off: no markup, no emoji codes, no colouring of numbers."""
    from rich.console import Console

    target = stream or sys.stdout
    # rich takes a pipe to be 80 columns wide and would cut addresses in the middle.
    width = None if target.isatty() else 120
    return Console(file=target, markup=False, emoji=False, highlight=False, width=width)


def say(text: str) -> None:
    sys.stdout.write(harmless(text, lines=True) + "\n")


def complain(text: str) -> None:
    sys.stderr.write(harmless(text, lines=True) + "\n")


def write_content(text: str) -> None:
    """A page's own text: exactly as it is for a file or a pipe, harmless for a screen."""
    if sys.stdout.isatty():
        say(text.removesuffix("\n"))
    else:
        sys.stdout.write(text)


def say_json(value: Any) -> None:
    """One object on one line. Escaped to ASCII: nothing in it can reach a terminal as a command."""
    sys.stdout.write(to_json(value) + "\n")


def say_json_list(
    head: dict[str, Any], name: str, rows: Iterable[Any], tail: Callable[[], dict[str, Any]]
) -> None:
    """An object with a list that may be longer than memory: `head`, the list, then `tail()`."""
    begun = False
    try:
        for row in rows:
            sys.stdout.write(", " if begun else f"{to_json(head)[:-1]}, {to_json(name)}: [")
            begun = True
            sys.stdout.write(to_json(row))
    except BaseException:
        if begun:
            sys.stdout.write("\n")  # the error gets a line of its own
        raise
    if not begun:
        sys.stdout.write(f"{to_json(head)[:-1]}, {to_json(name)}: [")
    sys.stdout.write(f"], {to_json(tail())[1:]}\n")


def to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, default=_plain)


def _plain(value: Any) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)


def shown_address(address: str) -> str:
    """An address in a table: with its letters on a screen, as it is in a pipe, where a program
    reads it."""
    return readable(address) if sys.stdout.isatty() else address


def say_pairs(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Labels and their values, one pair a line; figures stand in one column. Nothing is cut."""
    if not rows:
        return
    if title:
        say(f"\n{title}")
    labels = [harmless(label) for label, _ in rows]
    values = [harmless(value) for _, value in rows]
    width = max(map(len, labels))
    # Where all are figures, their last digits stand below each other.
    right = max(map(len, values)) if all(value[:1].isdigit() for value in values) else 0
    for label, value in zip(labels, values, strict=True):
        say(f"  {label:<{width}}  {value:>{right}}".rstrip())


_WIDE = 110


class Column(NamedTuple):
    title: str
    right: bool = False
    width: int | None = None  # fixed, so that the tables of a long list line up
    fold: bool = False  # broken over lines rather than cut
    wide: bool = False  # left out on narrow screens, so that the others have room


def show_rows(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """A table on a screen; in a pipe, lines with tabs between the fields. Streams either way."""
    if not sys.stdout.isatty():
        for row in rows:
            sys.stdout.write("\t".join(harmless(cell) for cell in row) + "\n")
        return
    is_wide = console().width >= _WIDE
    shown = [place for place, column in enumerate(columns) if is_wide or not column.wide]
    columns = [columns[place] for place in shown]
    heading = True
    batch: list[Sequence[str]] = []
    for row in rows:
        batch.append([row[place] for place in shown])
        if len(batch) == 200:
            _print_table(columns, batch, heading)
            heading, batch = False, []
    if batch or heading:
        _print_table(columns, batch, heading)


def _print_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], heading: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=heading, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(
            column.title,
            justify="right" if column.right else "left",
            width=column.width,
            no_wrap=not column.fold,
            overflow="fold" if column.fold else "ellipsis",
        )
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    console().print(table)
