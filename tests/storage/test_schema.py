import pyarrow as pa
import pytest

from gossamer.errors import FormatError
from gossamer.records import PageRow
from gossamer.storage import schema
from gossamer.urls import parse

from .rows import found_link, link_batch, page_row


def test_every_field_of_the_records_is_a_column() -> None:
    assert set(PageRow.__struct_fields__) <= set(schema.STAGED_PAGES.names)
    assert set(schema.STAGED_PAGES.names) <= set(schema.PAGES.names)
    assert set(schema.REPEATING_PAGE_COLUMNS) <= set(schema.PAGES.names)
    assert set(schema.REPEATING_LINK_COLUMNS) <= set(schema.LINKS.names)


def test_files_say_their_format() -> None:
    for table in (schema.STAGED_PAGES, schema.PAGES, schema.LINKS):
        schema.check_version(table.metadata, "a file")
    for metadata in (None, {}, {b"gossamer.format": b"999"}):
        with pytest.raises(FormatError, match=r"a\.parquet"):
            schema.check_version(metadata, "a.parquet")


def test_rows_become_columns() -> None:
    row = page_row(via=("https://a.test/", "https://b.test/"), fetched_at=1_700_000_000.2504)
    (read,) = schema.staged_pages([row], [(10, 20)]).to_pylist()
    assert read["url"] == "https://example.org/"
    assert read["via"] == ["https://a.test/", "https://b.test/"]
    assert read["outcome"] == "ok"
    assert read["fetched_at"].isoformat() == "2023-11-14T22:13:20.250000+00:00"
    assert read["content_hash"] == -5
    assert (read["warc_offset"], read["warc_length"]) == (10, 20)


def test_hashes_use_all_64_bits() -> None:
    rows = [page_row(content_hash=-(2**63)), page_row(content_hash=2**63 - 1)]
    batch = schema.staged_pages(rows, [(0, 0), (0, 0)])
    assert batch["content_hash"].to_pylist() == [-(2**63), 2**63 - 1]
    with pytest.raises(OverflowError):
        schema.staged_pages([page_row(content_hash=2**63)], [(0, 0)])


def test_one_broken_text_does_not_cost_the_others() -> None:
    rows = [
        page_row(title="sound ü", via=("https://a.test/",)),
        page_row(title="lone \ud800 surrogate", via=("https://\udfff.test/",)),
    ]
    batch = schema.staged_pages(rows, [(0, 0), (0, 0)])
    assert batch["title"].to_pylist() == ["sound ü", "lone ? surrogate"]
    assert batch["via"].to_pylist() == [["https://a.test/"], ["https://?.test/"]]
    links = link_batch("https://a.test/", found_link("https://b.test/", anchor="\udc80"))
    assert links["anchor"].to_pylist() == ["?"]


def test_links_become_rows_of_their_page() -> None:
    a, b, c = (parse(f"https://{name}.test/") for name in "abc")
    columns = schema.LinkColumns()
    assert (len(columns), columns.batch().num_rows) == (0, 0)
    marked = found_link(c.href, anchor="to c", nofollow=True, boilerplate=True)
    columns.add(a.href, [found_link(b.href), marked])
    columns.add("https://empty.test/", [])
    columns.add(b.href, [found_link(a.href, anchor="to a", nofollow=True)])
    assert len(columns) == 3
    batch = columns.batch()
    assert batch.schema.equals(schema.LINKS, check_metadata=True)
    assert [tuple(row.values()) for row in batch.to_pylist()] == [
        (a.href, b.href, b.key, "anchor", False, False),
        (a.href, c.href, c.key, "to c", True, True),
        (b.href, a.href, a.key, "to a", True, False),
    ]


def test_numbers_past_a_column_stay_at_its_end() -> None:
    batch = schema.staged_pages([page_row(status=99_999), page_row(status=404)], [(0, 0)] * 2)
    assert batch["status"].to_pylist() == [2**15 - 1, 404]


def test_no_column_is_nullable_or_nested_deeper_than_a_list() -> None:
    for field in schema.PAGES:
        assert not field.nullable
        assert field.type.num_fields <= 1
    assert schema.PAGES.field("fetched_at").type == pa.timestamp("ms", "UTC")
