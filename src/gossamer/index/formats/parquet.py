"""Parquet files: typed columns, read a batch at a time."""

import math
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from gossamer.errors import UsageError
from gossamer.index.formats.rows import BadRow, RawRow

MAGIC = b"PAR1"
_BATCH = 1_000


def read_parquet(path: Path, name: str) -> Iterator[RawRow | BadRow]:
    """`name`: what the file is called in messages."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist(maps_as_pydicts="lossy"):
                    number += 1
                    value = {key: _plain(one) for key, one in row.items() if one is not None}
                    yield RawRow(value, f"row {number}", msgspec.json.encode(value))
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(
            f"{name} is damaged, or no Parquet file that can be read (after row {number}): {reason}"
        ) from None


def columns_of(path: Path, name: str) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found: list[str] = pq.read_schema(path).names
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"{name} is damaged, or no Parquet file: {reason}") from None
    return found


def _plain(value: Any) -> Any:
    """As JSON would have it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, Decimal):
        return (
            (int(value) if value == value.to_integral_value() else float(value))
            if (value.is_finite())
            else None
        )
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if value is None else str(value)
