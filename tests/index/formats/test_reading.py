"""Files of documents in every format, compressed and in any encoding; broken ones, too."""

import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.errors import UsageError
from gossamer.index.formats import BadRow, FileReader, Row, json_files, rows

DOCUMENTS: list[dict[str, Any]] = [
    {"id": "1", "title": 'Öl, "Lampe"; und\nDocht', "price": 39.5},
    {"id": "2", "title": "Kerze", "price": 4.0},
    {"id": "3", "title": "[{", "price": -1.0},
]


def lines(documents: list[dict[str, Any]] = DOCUMENTS) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents)


def table(delimiter: str) -> str:
    def cell(value: Any) -> str:
        return '"' + str(value).replace('"', '""') + '"'

    rows: list[list[Any]] = [list(DOCUMENTS[0]), *([*one.values()] for one in DOCUMENTS)]
    return "".join(delimiter.join(map(cell, row)) + "\r\n" for row in rows)


def zstandard(data: bytes) -> bytes:
    packed: bytes = pa.Codec("zstd").compress(data, asbytes=True)
    return packed


def parquet(path: Path, rows: list[dict[str, Any]]) -> bytes:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path.read_bytes()


def read(path: Path, data: bytes) -> tuple[list[Row], list[BadRow]]:
    path.write_bytes(data)
    found = list(FileReader(path).rows())
    return [one for one in found if isinstance(one, Row)], [
        one for one in found if isinstance(one, BadRow)
    ]


TEXTS = {
    "JSON Lines": lines(),
    "JSON array": json.dumps(DOCUMENTS, ensure_ascii=False),
    "indented JSON array": json.dumps(DOCUMENTS, ensure_ascii=False, indent=2),
    "CSV": table(","),
    "CSV with semicolons": table(";"),
    "CSV of Excel": "sep=;\r\n" + table(";"),
    "TSV": table("\t"),
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_texts(tmp_path: Path, kind: str, pack: Callable[[bytes], bytes], encoding: str) -> None:
    found, bad = read(tmp_path / "documents", pack(TEXTS[kind].encode(encoding)))
    assert not bad
    assert [row.name for row in found] == ["1", "2", "3"]
    titles = [row.value["title"].replace("\r\n", "\n") for row in found]
    assert titles == [one["title"] for one in DOCUMENTS]
    assert [float(row.value["price"]) for row in found] == [39.5, 4.0, -1.0]
    assert FileReader(tmp_path / "documents").format in kind + " JSON array CSV"


@pytest.mark.parametrize("encoding", ["windows-1252", "iso-8859-15", "cp1251", "shift_jis"])
def test_older_encodings_of_tables(tmp_path: Path, encoding: str) -> None:
    text = {"cp1251": "Керосиновая лампа горит", "shift_jis": "灯油のランプが燃えています"}.get(
        encoding, "Öl für Lampen, größer als früher"
    )
    many = "".join(f'{number},"{text}"\n' for number in range(50))
    found, bad = read(tmp_path / "table.csv", f"id,title\n{many}".encode(encoding))
    assert not bad
    assert {row.value["title"] for row in found} == {text}


def test_a_broken_line_of_a_table_in_utf_8_is_no_other_encoding(tmp_path: Path) -> None:
    good = "".join(f"{number},Öl\n" for number in range(9))
    found, bad = read(tmp_path / "t.csv", b"id,title\n" + good.encode() + b"9,\xff\n10,last\n")
    assert [row.name for row in found] == [*map(str, range(9)), "10"]
    assert bad == [BadRow("line 11", "this is not utf-8: invalid start byte")]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard])
def test_parquet(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    columns = {
        "id": [1, 2],
        "price": pa.array([Decimal("1.5"), 2], pa.decimal128(5, 2)),
        "dims": [{"w": 47, "h": None}, None],
        "tags": [["a", "b"], []],
        "rating": [float("nan"), 4.5],
        "at": pa.array([0, 86_400_000_000], pa.timestamp("us", tz="UTC")),
        "raw": [b"x", b"\xff"],
    }
    pq.write_table(pa.table(columns), tmp_path / "plain")
    found, bad = read(tmp_path / "documents", pack((tmp_path / "plain").read_bytes()))
    assert not bad
    assert [(row.name, row.where) for row in found] == [("1", "row 1"), ("2", "row 2")]
    assert found[0].value == {
        "id": 1,
        "price": 1.5,
        "dims": {"w": 47},
        "tags": ["a", "b"],
        "rating": None,
        "at": "1970-01-01T00:00:00+00:00",
        "raw": "x",
    }
    assert found[1].value["rating"] == 4.5


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": 2, "text": ', "this is not JSON"),
        (b'{"id": 2, "text": "\x00"}', "this is not JSON"),
        (b'{"id": 2, "text": "\\ud800"}', "half of a surrogate pair"),
        (b'{"id": 2, "text": "\\ud83d\\ude00", }', "this is not JSON"),
        (b'{"id": 2, "text": "\xff"}', "this is not UTF-8"),
        (b'{"id": true}', "its 'id' is not text or a number"),
        (b'{"documents": [{"id": 2}]}', "write the array 'documents' alone"),
        (b'{"id": 2, "price": NaN}', "this is not JSON"),
        (b'{"id": 2, "price": 1e999}', "out of range"),
        (b'{"id": 2, "price": ' + b"9" * 5_000 + b"}", "out of range"),
        (b'{"id": 2, "text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "this is not JSON"),
        (b"[2]", "a document is a JSON object"),
        (b'{"text": "nameless"}', "neither 'id' nor 'url'"),
        (b'{"id": null, "url": " "}', "neither 'id' nor 'url'"),
        (b'{"id": {"a": 1}}', "its 'id' is not text or a number"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_is_read(
    tmp_path: Path, line: bytes, message: str
) -> None:
    before, after = b'{"id": 1, "text": "fine"}\n\n', b'\n{"id": 3, "text": "fine"}\n'
    found, (bad,) = read(tmp_path / "documents.jsonl", before + line + after)
    assert [row.name for row in found] == ["1", "3"]
    assert bad.where == "line 3"
    assert message in bad.reason
    item = b'[{"id": 1},\n' + line + b',\n{"id": 3}]'
    found, (bad,) = read(tmp_path / "documents.json", item)
    assert [row.name for row in found] == ["1", "3"]
    assert bad.where == "item 2"


def test_a_quote_that_is_missing_costs_one_item_of_an_array(tmp_path: Path) -> None:
    text = json.dumps([{"id": number, "a": {"b": "x"}} for number in range(9)], indent=1)
    broken = text.replace('"id": 3', '"id: 3').encode()
    found, bad = read(tmp_path / "documents.json", broken)
    assert [row.name for row in found] == list("01245678")
    assert [one.where for one in bad] == ["item 4"]


@pytest.mark.parametrize("indent", ["", " ", "\t"])
@pytest.mark.parametrize(
    "broken",
    [
        '{"id": [1, "t": "x"}',
        '{"id": 1, "s": [1,',
        '{"id": 1, "t": "x"',
        '{"id": 1, "t": {"u": "x"',
        '{"id": 1, "t": "x}',
        '{"id": 1, "t": x"}',
        '{"id": 1, "t": "x\\"}',
        '{"id": 1, "t": [{"u": 2},',
    ],
)
def test_an_item_that_is_not_closed_costs_no_other(
    tmp_path: Path, broken: str, indent: str
) -> None:
    items = ['{"id": 2}', '{"id": 3, "t": [{"u": "[}"}]}', broken, '{"id": 4}', '{"id": 5}']
    text = "[\n" + ",\n".join(indent + item for item in items) + "\n]\n"
    found, bad = read(tmp_path / "documents.json", text.encode())
    assert [row.name for row in found] == ["2", "3", "4", "5"]
    assert [one.where for one in bad] == ["item 3"]


@pytest.mark.parametrize(
    "broken",
    [
        '{"id": [1, "t": "x"}',
        '{"id": 1, "s": [1,',
        '{"id": 1, "t": "x"',
        '{"id": 1, "t": "x}',
        '{"id": 1, "s": [{"t": 1},',
    ],
)
def test_so_many_items_that_are_not_closed_are_read_in_one_pass(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many that looking through all that follows each of them would not end."""
    monkeypatch.setattr(json_files, "_MOST_READ_AGAIN", 100_000)
    many = 50_000
    text = "[\n" + ",\n".join([broken, '{"id": 2}'] * many) + "\n]\n"
    found, bad = read(tmp_path / "documents.json", text.encode())
    assert len(found) == many
    assert [one.where for one in bad] == [f"item {2 * number + 1}" for number in range(many)]


def test_items_whose_lines_are_not_indented_may_hold_objects(tmp_path: Path) -> None:
    items = [{"id": "1", "s": [{"w": 1}, {"w": 2}]}, {"id": "2", "s": {"t": [{}, {"w": 2}]}}]
    text = json.dumps([*items, {"id": "3", "s": [{"w": 3}]}], indent=0).replace("3\n", "nul\n")
    found, bad = read(tmp_path / "documents.json", text.encode())
    assert [row.value for row in found] == items
    assert [one.where for one in bad] == ["item 3"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'[{"id": 1}, {"id": 2}', "no end"),
        (b'[{"id": 1}, {"id": 2}]\n[3]', "not read"),
        (b'[{"id": 1}, {"id": 2}, {"id": 3, "t": "', "no end"),
        (b'[{"id": 1}, {"id": 2}, }}]', "this is not JSON"),
    ],
)
def test_an_array_without_an_end(tmp_path: Path, data: bytes, message: str) -> None:
    found, (bad,) = read(tmp_path / "documents.json", data)
    assert [row.name for row in found] == ["1", "2"]
    assert message in bad.reason


def test_bad_rows_of_tables(tmp_path: Path) -> None:
    data = b'ID;Title;T\n1;a;b\n2;short\n3;"open;x\n4;b;c\n\n;no id;x\n5;"two\nlines";x\n6;a;b;c\n'
    found, bad = read(tmp_path / "table.csv", data)
    assert [row.name for row in found] == ["1", "4", "5"]
    assert found[2].value == {"id": "5", "Title": "two\nlines", "T": "x"}
    assert [one.where for one in bad] == ["line 3", "line 4", "line 7", "line 10"]
    assert bad[0].reason == "it has 2 cells, the table has 3 columns"


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("wrong", [[5], [5, 500], [1, 2, 3, 999]])
def test_a_stray_quote_costs_one_row_of_a_table(
    tmp_path: Path, delimiter: str, wrong: list[int]
) -> None:
    rows = [delimiter.join([str(at), "7", f"Item {at}"]) for at in range(1_000)]
    for at in wrong:
        rows[at] = delimiter.join([str(at), "7", '"27 inch monitor'])
    data = "\n".join([delimiter.join(["id", "price", "title"]), *rows]) + "\n"
    found, bad = read(tmp_path / "table.csv", data.encode())
    assert len(found) == 1_000 - len(wrong)
    assert [one.where for one in bad] == [f"line {at + 2}" for at in wrong]
    assert "quote" in bad[0].reason


def test_text_behind_a_closing_quote_belongs_to_its_cell(tmp_path: Path) -> None:
    data = b'id,title,price\n1,"27 inch" monitor,5\n2,5" nail,6\n3,"two\nlines, ""quoted""",7\n'
    found, bad = read(tmp_path / "table.csv", data)
    assert not bad
    titles = [one.value["title"] for one in found]
    assert titles == ["27 inch monitor", '5" nail', 'two\nlines, "quoted"']


def test_columns_of_the_same_name_are_a_list(tmp_path: Path) -> None:
    found, _ = read(tmp_path / "table.csv", b"id,tag,tag,tag\n1,a,,b\n")
    assert found[0].value == {"id": "1", "tag": ["a", "b"]}


def test_lines_that_end_with_a_carriage_return(tmp_path: Path) -> None:
    found, bad = read(tmp_path / "table.csv", b"id,title\r1,a\r2,b\r")
    assert ([row.name for row in found], bad) == (["1", "2"], [])


def test_a_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_ROW", 1_000)
    long = b'{"id": 2, "text": "' + b"x" * 3_000_000 + b'"}\n'
    found, (bad,) = read(tmp_path / "d.jsonl", b'{"id": 1}\n' + long + b'{"id": 3}\n')
    assert [row.name for row in found] == ["1", "3"]
    assert "longer than" in bad.reason


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,2\n", "this is CSV: it needs a column 'id' or 'url', and its columns are: a, b."),
        (b"a\tb\n1\t2\n", "this is TSV: it needs a column"),
        (b"hello world\n", "this is plain text. JSON Lines, a JSON array, CSV"),
        (b"<!DOCTYPE html><p>x", "this is an HTML page"),
        (b"<?xml version='1.0'?><a/>", "this is XML"),
        (b"PK\x03\x04....", "this is a ZIP file"),
        (b"%PDF-1.4", "this is a PDF file"),
        (b"BZh91AY", "bzip2"),
        (b'{\n "id": 1,\n "title": "x"\n}\n', "this is one JSON object over several lines"),
        (b"PAR1 but no more", "no Parquet file"),
        (gzip.compress(gzip.compress(b"x")), "compressed twice"),
        (gzip.compress(lines().encode() * 5_000)[:-100], "is damaged"),
        (zstandard(lines().encode() * 5_000)[:-100], "is damaged"),
        (b"\x1f\x8bnot gzip", "is damaged"),
        (b"\x28\xb5\x2f\xfdnot zstd", "is damaged"),
        (bytes(range(256)), "this is a binary file"),
    ],
)
def test_other_kinds_of_files_are_named(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(UsageError) as fault:
        read(tmp_path / "documents.jsonl", data)
    assert str(tmp_path / "documents.jsonl") in str(fault.value)
    assert message in str(fault.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        list(FileReader(tmp_path / "none").rows())


def test_a_parquet_file_without_ids(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this is Parquet: it needs a column 'id' or 'url'"):
        read(tmp_path / "documents", parquet(tmp_path / "plain", [{"a": 1}]))


def test_a_damaged_parquet_file(tmp_path: Path) -> None:
    many = [{"id": number, "text": f"{number} " * 50} for number in range(5_000)]
    data = bytearray(parquet(tmp_path / "plain", many))
    data[1_000:60_000] = bytes(59_000)
    with pytest.raises(UsageError, match="is damaged"):
        read(tmp_path / "documents", bytes(data))


def test_a_row_has_the_same_version_as_long_as_it_is_the_same(tmp_path: Path) -> None:
    first, _ = read(tmp_path / "a", b'{"id": 1, "a": 1}\n{"id": 2}\n')
    second, _ = read(tmp_path / "a", gzip.compress(b'{"id": 2}\r\n {"id": 1, "a": 2}\n'))
    assert first[1].version == second[0].version
    assert first[0].version != second[1].version


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=400), start=st.sampled_from([b"", b"[", b"[{", b"id,b\n", b"{"]))
def test_no_bytes_break_it(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, start: bytes
) -> None:
    with suppress(UsageError):
        read(tmp_path_factory.getbasetemp() / "documents", start + data)


@settings(max_examples=200, deadline=None)
@given(
    items=st.lists(
        st.dictionaries(
            st.text(max_size=4),
            st.recursive(
                st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=9),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(st.text(max_size=3), inner, max_size=3)
                ),
                max_leaves=6,
            ),
            max_size=4,
        ).map(lambda one: {**one, "id": "x"}),
        max_size=8,
    ),
    indent=st.sampled_from([None, 0, 2]),
    ascii=st.booleans(),
)
def test_every_array_is_read_whole(
    tmp_path_factory: pytest.TempPathFactory,
    items: list[dict[str, Any]],
    indent: int | None,
    ascii: bool,
) -> None:
    path = tmp_path_factory.getbasetemp() / "array.json"
    text = json.dumps(items, indent=indent, ensure_ascii=ascii).encode("utf-8", "replace")
    found, bad = read(path, text)
    assert not bad
    assert [row.value for row in found] == json.loads(text)
