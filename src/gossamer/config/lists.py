"""Lists that people keep in files: a thing a line, `#` before a comment."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.errors import SettingsError


def read_list(path: Path) -> str:
    """The text of a list. Raises `SettingsError` with the file, and the line if that is wrong."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SettingsError(f"{path}, line {line}: this is not UTF-8.") from None


def listed(text: str) -> Iterator[tuple[int, str]]:
    """What stands on the lines that are not empty, with their numbers."""
    # Not splitlines: editors count lines by line feeds, and so do errors.
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        content = line.partition("#")[0].strip()
        if content:
            yield number, content
