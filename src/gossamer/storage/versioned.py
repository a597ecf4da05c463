"""JSON files that name the version of their format, and what to do where one cannot be read."""

from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from gossamer.errors import FormatError

T = TypeVar("T")


def rebuild_advice(index: str = "NAME") -> str:
    """Advice on an index whose files cannot be read."""
    return f"Rebuild the index: 'gossamer index build {index} ...'."


class _Versioned(Struct):
    version: int


def decode_versioned(data: bytes, path: Path, type_: type[T], version: int, advice: str) -> T:
    """Decode a JSON file with a field `version`. Raises `FormatError` with `advice`, a sentence,
    where it is damaged or of another version."""
    try:
        found = msgspec.json.decode(data, type=_Versioned).version
        if found != version:
            raise FormatError(
                f"{path} has version {found}, this version of Gossamer reads {version}. {advice}"
            )
        return msgspec.json.decode(data, type=type_)
    except msgspec.DecodeError as error:
        raise FormatError(f"{path} is damaged ({error}). {advice}") from None
