"""Reads the Parquet file of a segment without reading all of it, and writes one.

Row groups whose statistics rule a condition out are skipped; of the others, the columns of the
condition are read first, and the rest only where a row meets it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from gossamer.errors import FormatError
from gossamer.storage import schema
from gossamer.storage.manifest import SegmentFile
from gossamer.storage.objects import ObjectFile, ObjectStore

Row = dict[str, Any]

_ZSTD_LEVEL = 3
_ROWS_AT_ONCE = 100  # made into Python values, which take several times the memory


@dataclass(frozen=True)
class Condition:
    column: str
    possible: Callable[[Any, Any], bool]  # between a lowest and a highest value
    met: Callable[[Any], Any]  # by each value of a column


def equal(column: str, value: Any) -> Condition:
    return Condition(
        column,
        lambda lowest, highest: bool(lowest <= value <= highest),
        lambda values: pc.equal(values, value),
    )


def earlier(column: str, moment: datetime) -> Condition:
    return Condition(
        column,
        lambda lowest, _: bool(lowest < moment),
        lambda values: pc.less(values, pa.scalar(moment, values.type)),
    )


def starts_with(column: str, prefix: str) -> Condition:
    size = len(prefix)
    return Condition(
        column,
        lambda lowest, highest: bool(lowest[:size] <= prefix <= highest[:size]),
        lambda values: pc.starts_with(values, prefix),
    )


def scan(
    objects: ObjectStore,
    file: SegmentFile,
    conditions: Sequence[Condition],
    columns: Sequence[str],
    backwards: bool = False,
) -> Iterator[Row]:
    """The rows that meet all conditions, in stored order or from the last to the first."""
    for table in read_tables(objects, file, conditions, columns, backwards):
        yield from rows_of(table)


def rows_of(table: Any) -> Iterator[Row]:
    for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
        yield from batch.to_pylist()


def read_tables(
    objects: ObjectStore,
    file: SegmentFile,
    conditions: Sequence[Condition] = (),
    columns: Sequence[str] | None = None,
    backwards: bool = False,
) -> Iterator[Any]:
    """The rows that meet all conditions as Arrow tables, one for each row group that has any:
    all columns that the file has, or those that are named."""
    with _damage_of(file.name):
        # No thread of Arrow may touch a file that is a Python object: if one still does when the
        # interpreter ends, it aborts the process. So nothing is read ahead or by several threads.
        parquet = pq.ParquetFile(
            ObjectFile(objects, file.name, file.bytes),
            page_checksum_verification=True,
            pre_buffer=False,
        )
        schema.check_version(parquet.schema_arrow.metadata, file.name)
        names = parquet.schema_arrow.names if columns is None else columns
        groups = [
            group
            for group in range(parquet.num_row_groups)
            if all(_possible(parquet, group, condition) for condition in conditions)
        ]
    for group in reversed(groups) if backwards else groups:
        with _damage_of(file.name):
            rows = _read_group(parquet, group, conditions, names)
        if not rows.num_rows:
            continue
        if backwards:
            rows = rows.take(pa.array(range(rows.num_rows - 1, -1, -1), pa.int64()))
        yield rows


def table_writer(file: IO[bytes], columns: Any, repeating: Sequence[str]) -> Any:
    """A Parquet file as all of ours are: a call of `write_table` makes a row group."""
    return pq.ParquetWriter(
        file,
        columns,
        compression="zstd",
        compression_level=_ZSTD_LEVEL,
        use_dictionary=list(repeating),
        write_page_checksum=True,
    )


def _possible(parquet: Any, group: int, condition: Condition) -> bool:
    # Every column has one leaf, so that its place is the same for Arrow and for Parquet.
    place = parquet.schema_arrow.get_field_index(condition.column)
    statistics = parquet.metadata.row_group(group).column(place).statistics
    if statistics is None or not statistics.has_min_max:
        return True
    return condition.possible(statistics.min, statistics.max)


def _read_group(
    parquet: Any, group: int, conditions: Sequence[Condition], columns: Sequence[str]
) -> Any:
    if not conditions:
        return parquet.read_row_group(group, columns, use_threads=False).select(columns)
    tested_columns = [condition.column for condition in conditions]
    tested = parquet.read_row_group(group, tested_columns, use_threads=False)
    met = reduce(pc.and_, [condition.met(tested[condition.column]) for condition in conditions])
    if not pc.any(met).as_py():
        return parquet.schema_arrow.empty_table().select(columns)
    return parquet.read_row_group(group, columns, use_threads=False).select(columns).filter(met)


@contextmanager
def _damage_of(name: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise FormatError(f"{name} is damaged: {error}.") from error
