"""Stable 64-bit hashes, signed so that SQLite and Parquet store them as plain integers."""

from xxhash import xxh3_64_intdigest

_SIGN = 1 << 63
_RANGE = 1 << 64


def hash64(data: bytes) -> int:
    """The same number on every machine and in every version of this file format."""
    value: int = xxh3_64_intdigest(data)
    return value - _RANGE if value >= _SIGN else value
