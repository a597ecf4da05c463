"""Lines of JSON: what is wrong with one is said with its number, and what is odd is kept."""

from pathlib import Path

import pytest

from gossamer.errors import UsageError
from gossamer.index.documents import inferred_fields, left_out_fields, read_json_lines
from gossamer.search.contract import SearchRequest
from tests.searching import SmallIndex, SmallSet

FIELDS = {"title": "text", "text": "text", "price": "number", "date": "date"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": 2, "text": ', "this is not JSON"),
        (b'{"id": 2, "text": "\x00"}', "this is not JSON"),
        (b'{"id": 2, "text": "\xff"}', "this is not JSON"),
        (b'{"id": 2, "text": "\\ud800"}', "this is not JSON"),
        (b'{"id": 2, "price": NaN}', "this is not JSON"),
        (b'{"id": 2, "price": 1e999}', "out of range"),
        (b'{"id": 2, "text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "this is not JSON"),
        (b"[2]", "a document is a JSON object"),
        (b'{"text": "nameless"}', "neither 'id' nor 'url'"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b'{"id": 1, "text": "fine"}\n\n' + line + b"\n")
    with pytest.raises(UsageError, match="line 3: ") as fault:
        list(read_json_lines(path))
    assert message in str(fault.value)


def test_a_mark_of_the_byte_order_is_no_part_of_a_document(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 1, "text": "fine"}\n')
    assert [line.name for line in read_json_lines(path)] == ["1"]


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize(
    "odd",
    [
        {"price": int("9" * 400)},
        {"price": 2**64},
        {"price": {"a": [-(2**70)]}},
        {"date": "2024-13-45"},
        {"title": 5, "date": 5},
        {"": "nameless", "a b": [None, True]},
        {"title": "\x00\x1b[31m", "text": "stone\x00"},
    ],
)
def test_odd_values_do_not_hinder(tmp_path: Path, shards: int, odd: dict[str, object]) -> None:
    index = SmallIndex(tmp_path, FIELDS) if shards == 1 else SmallSet(tmp_path, shards, FIELDS)
    index.write([{"id": "1", "text": "stone", **odd}, {"id": "2", "text": "stone", "price": 3}])
    searcher = index.searcher()
    try:
        answer = searcher.search(SearchRequest("stone", sort="price"))
        assert {hit.id for hit in answer.hits} == {"1", "2"}
    finally:
        searcher.close()


def test_fields_that_no_index_can_have_are_named(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_text('{"id": 1, "text": "a", "my-field": 1}\n{"id": 2, "\u00fcber": 1, "doc": 2}\n')
    left_out = left_out_fields(path)
    assert list(left_out) == ["my-field", "\u00fcber", "doc"]
    assert "letters" in left_out["my-field"]
    assert "its own" in left_out["doc"]
    assert inferred_fields(path) == {"text": "text"}
