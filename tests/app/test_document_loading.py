"""Documents from files of all kinds into indexes, and what is reported of them."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.app.indexes import Indexes
from gossamer.config import IndexSettings
from gossamer.errors import IndexFault, UsageError

ENGLISH = IndexSettings(language="en")


def lines(*documents: dict[str, Any]) -> str:
    return "".join(json.dumps(document) + "\n" for document in documents)


def stones(*numbers: int) -> str:
    return lines(*({"id": number, "text": f"stone {number}"} for number in numbers))


@pytest.fixture
def indexes(tmp_path: Path) -> Any:
    with gossamer.open(tmp_path / "home") as found:
        yield found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "documents.jsonl"


def found(indexes: Indexes, query: str = "stone") -> list[str]:
    return sorted(
        hit.id for hit in indexes.search("stones", query, limit=100, deadline_seconds=120).hits
    )


def test_fields_come_from_all_documents(indexes: Indexes, file: Path) -> None:
    file.write_text(stones(*range(1_200)) + lines({"id": "late", "text": "stone", "weight": 7}))
    indexes.build("stones", (), file, ENGLISH)
    assert found(indexes, "weight:7") == ["late"]


def test_what_does_not_fit_is_reported(indexes: Indexes, file: Path) -> None:
    documents = [{"id": at, "text": "stone", "price": at} for at in range(50)]
    documents[16]["price"] = "call us"
    file.write_text(lines(*documents))
    indexes.build("stones", (), file, ENGLISH)
    report = indexes.report("stones")
    assert report is not None
    price = next(field for field in report.fields if field.name == "price")
    assert (price.values, price.left_out, price.example) == (49, 1, "call us")
    assert price.where == "line 17"
    assert len(found(indexes, "price:10..20")) == 10
    file.write_text(lines(*documents[:5]))
    indexes.update("stones")
    report = indexes.report("stones")
    assert report is not None
    assert not any(field.left_out for field in report.fields)


def test_several_files_are_one_source(indexes: Indexes, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(stones(1, 2))
    (tmp_path / "b.csv").write_text("id;text;price\n2;stone of b;39,50\n3;stone;x\n")
    (tmp_path / "c.json.gz").write_bytes(gzip.compress(b'[{"id": 4, "text": "stone"}, {"id": 4}]'))
    files = [tmp_path / name for name in ("a.jsonl", "b.csv", "c.json.gz")]
    indexes.build("stones", (), files, ENGLISH)
    assert found(indexes) == ["1", "2", "3"]  # the last 4 has no text
    assert found(indexes, "of b") == ["2"]
    report = indexes.report("stones")
    assert report is not None
    assert [(one.format, one.documents) for one in report.files] == [
        *(("JSON Lines", 2), ("CSV", 2), ("JSON array", 2))
    ]
    assert (report.documents, report.duplicates) == (4, 2)
    (tmp_path / "b.csv").write_text("id;text\n5;stone\n")
    indexes.update("stones")
    assert found(indexes) == ["1", "2", "5"]


@pytest.mark.parametrize("shards", [1, 2])
def test_of_an_id_that_occurs_twice_the_last_one_counts(
    indexes: Indexes, file: Path, shards: int
) -> None:
    twice = [{"id": "1", "text": f"stone {word}"} for word in ("amber", "basalt", "amber")]
    file.write_text(lines(*twice, {"id": "2", "text": "stone"}, *twice[:2]))
    change = indexes.build("stones", (), file, IndexSettings(language="en", shards=shards))
    assert change.added == 2
    assert found(indexes, "basalt") == ["1"]
    assert found(indexes, "amber") == []
    report = indexes.report("stones")
    assert report is not None
    assert report.duplicates == 4


def test_bad_lines_are_counted_unless_the_build_is_to_stop(indexes: Indexes, file: Path) -> None:
    file.write_text(stones(1) + '{"id": 2,\n[]\n' + stones(3))
    indexes.build("stones", (), file, ENGLISH)
    assert found(indexes) == ["1", "3"]
    report = indexes.report("stones")
    assert report is not None
    assert report.bad_lines == 2
    assert report.first_bad_lines[0].where == f"{file}, line 2"
    strict = IndexSettings(stop_at_bad_lines=True)
    with pytest.raises(UsageError, match="line 2: this is not JSON"):
        indexes.build("stones", (), file, strict)
    assert found(indexes) == ["1", "3"]
    file.write_text("{\n{]\n")
    with pytest.raises(UsageError, match="none of its 2 lines can be read"):
        indexes.update("stones")
    assert found(indexes) == ["1", "3"]


@pytest.mark.parametrize("settings", [ENGLISH, IndexSettings(fields={"text": "text"})])
@pytest.mark.parametrize("rebuilds", [False, True])
def test_an_emptied_file_deletes_nothing_unless_it_is_meant_to(
    indexes: Indexes, file: Path, tmp_path: Path, settings: IndexSettings, rebuilds: bool
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("id,text\n9,stone\n")
    file.write_text(stones(1, 2))

    def change(allow_empty: bool = False) -> None:
        if rebuilds:
            indexes.build("stones", (), [file, other], settings, allow_empty=allow_empty)
        else:
            indexes.update("stones", allow_empty=allow_empty)

    indexes.build("stones", (), [file, other], settings)
    file.write_text("\n")
    for _ in range(2):
        with pytest.raises(IndexFault, match=r"documents.jsonl is empty; it had .* --allow-empty"):
            change()
        assert found(indexes) == ["1", "2", "9"]
    other.write_text("")
    with pytest.raises(IndexFault, match="are empty; they had 3 documents at"):
        change()
    change(allow_empty=True)
    assert found(indexes) == []
    change()  # it is empty now, and stays so
    file.write_text(stones(4))
    change()
    assert found(indexes) == ["4"]


def test_another_file_that_is_empty_deletes_nothing_either(indexes: Indexes, file: Path) -> None:
    file.write_text(stones(1))
    indexes.build("stones", (), file, IndexSettings(fields={"text": "text"}))
    empty = file.with_name("empty.jsonl")
    empty.touch()
    with pytest.raises(IndexFault, match="is empty"):
        indexes.build("stones", (), empty, IndexSettings(fields={"text": "text"}))
    assert found(indexes) == ["1"]


def test_a_new_index_of_nothing_has_no_fields(indexes: Indexes, file: Path) -> None:
    file.touch()
    with pytest.raises(UsageError, match="no documents, so no fields are known"):
        indexes.build("stones", (), file, ENGLISH)
    assert indexes.names() == []
    change = indexes.build("stones", (), file, IndexSettings(fields={"text": "text"}))
    assert change.added == 0


def test_an_update_keeps_the_types(indexes: Indexes, file: Path) -> None:
    documents: list[dict[str, Any]] = [{"id": at, "text": "stone", "kind": at} for at in range(9)]
    file.write_text(lines(*documents))
    indexes.build("stones", (), file, ENGLISH)
    file.write_text(lines(*documents[:3], *({"id": f"x{n}", "kind": "x"} for n in range(5))))
    indexes.update("stones")
    assert indexes.info("stones").fields["kind"] == "number"
    report = indexes.report("stones")
    assert report is not None
    assert next(one for one in report.fields if one.name == "kind").left_out == 5


def test_declared_fields_are_added_to(indexes: Indexes, file: Path) -> None:
    file.write_text(lines({"id": 1, "text": "stone", "dims": {"w": 3}, "code": 7}))
    fields = {"code": "keyword", "dims": {"w": "number", "h": "number"}}
    settings = IndexSettings.model_validate({"fields": fields})
    indexes.build("stones", (), file, settings)
    known = indexes.info("stones").fields
    assert (known["code"], known["dims.w"], known["text"]) == ("keyword", "number", "text")
    report = indexes.report("stones")
    assert report is not None
    assert report.unused_fields == ("dims.h",)
    only = IndexSettings(fields={"text": "text"}, fields_complete=True)
    indexes.build("stones", (), file, only)
    assert list(indexes.info("stones").fields) == ["lang", "text"]


def test_the_number_format_stays_with_the_index(indexes: Indexes, file: Path) -> None:
    file.write_text(lines({"id": 1, "text": "stone", "price": "39,50"}))
    indexes.build("stones", (), file, ENGLISH)
    for query in ("price:39,5", "price:39.5", "price:39,4..39,6"):
        assert found(indexes, query) == ["1"]
    assert found(indexes, "price:3950") == found(indexes, "price:395") == []
    file.write_text(lines({"id": 1, "text": "stone", "price": "1.234"}))
    indexes.update("stones")
    assert found(indexes, "price:1234") == ["1"]
    indexes.build("stones", (), file, IndexSettings(decimal="."))
    assert found(indexes, "price:1.234") == ["1"]
    assert found(indexes, "price:1234") == []


def test_the_standard_input_is_stored(
    indexes: Indexes, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def standard_input(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    file.write_text(stones(1))
    standard_input(gzip.compress(b"id\ttext\n2\tstone\n"))
    indexes.build("stones", (), [file, Path("-")], ENGLISH)
    assert found(indexes) == ["1", "2"]
    standard_input(b"")
    file.write_text(stones(3))
    indexes.update("stones")
    assert found(indexes) == ["2", "3"]
    standard_input(b"{]")
    with pytest.raises(UsageError, match="the standard input: its only line cannot be read"):
        indexes.build("stones", (), Path("-"), ENGLISH)
    indexes.update("stones")
    assert found(indexes) == ["2", "3"]
    with pytest.raises(UsageError, match="'-' is given twice"):
        indexes.build("stones", (), [Path("-"), Path("-")], ENGLISH)
    indexes.build("stones", (), file, ENGLISH)
    home = file.parent / "home" / "indexes"
    assert not [*home.glob(".standard*"), *home.glob("*/standard-input*")]


def test_an_index_can_be_tuned_while_its_file_is_not_there(indexes: Indexes, file: Path) -> None:
    file.write_text(lines({"id": 1, "text": "stone", "dims": {"w": 3}}))
    indexes.build("stones", (), file, ENGLISH)
    file.unlink()
    indexes.tune("stones", {"boost": "log(1 + dims.w)"})
    assert found(indexes) == ["1"]
    with pytest.raises(UsageError, match="cannot be read"):
        indexes.update("stones")
    assert found(indexes) == ["1"]


CARS = ("Motor cars", "Red car", "Brass lanterns", "Brass lantern", "Oak tables", "Oak table")


def test_texts_too_short_to_tell_are_in_the_language_of_most(indexes: Indexes, file: Path) -> None:
    file.write_text(lines(*({"id": at, "title": title} for at, title in enumerate(CARS))))
    indexes.build("stones", (), file, IndexSettings())
    report = indexes.report("stones")
    assert report is not None
    assert report.default_language == "en"
    assert found(indexes, "cars") == ["0", "1"]
    indexes.put_documents("stones", {"id": "9", "title": "Big cars"})
    assert found(indexes, "car") == ["0", "1", "9"]
    file.write_text(lines({"id": "1", "title": "Rote Lampe"}, {"id": "2", "title": "Zwei Lampen"}))
    indexes.update("stones")
    assert found(indexes, "lantern") == []
    assert indexes.info("stones").languages == {"en": 3}, "kept until it is built with reset"


def test_an_index_is_built_again_from_its_own_sources(
    indexes: Indexes, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = stones(*range(5))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
    indexes.build("stones", (), Path("-"), ENGLISH)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    indexes.build("stones", (), None, IndexSettings(shards=2))
    assert (indexes.info("stones").shards, len(found(indexes))) == (2, 5)
    indexes.update("stones")
    assert len(found(indexes)) == 5
    with pytest.raises(UsageError, match="There is no index 'other' to build again"):
        indexes.build("other", (), None, IndexSettings())


def test_a_table_with_usual_headers(indexes: Indexes, tmp_path: Path) -> None:
    table = tmp_path / "goods.csv"
    table.write_text("Id,Product Name,Unit Price\n1,Brass lantern,5\n2,Oak chair,6\n")
    indexes.build("stones", (), table, ENGLISH)
    assert found(indexes, "unit_price:5") == ["1"]
    assert indexes.search("stones", "chairs").hits[0].title == "Oak chair"
    report = indexes.report("stones")
    assert report is not None
    renamed = {"Product Name": "product_name", "Unit Price": "unit_price"}
    assert report.renamed_fields == renamed


def test_documents_without_any_text_are_browsed(indexes: Indexes, file: Path) -> None:
    file.write_text(lines(*({"id": at, "price": at, "stock": -at} for at in range(5))))
    indexes.build("stones", (), file, ENGLISH)
    hits = indexes.search("stones", "", filters={"price": "1..3"}, sort="stock").hits
    assert [hit.id for hit in hits] == ["3", "2", "1"]
    assert found(indexes, "price:2") == ["2"]


def test_a_decimal_sign_that_is_kept_is_named(indexes: Indexes, file: Path) -> None:
    file.write_text(lines({"id": 1, "price": "39,50"}, {"id": 2, "price": "12,00"}))
    indexes.build("stones", (), file, ENGLISH)
    file.write_text(lines({"id": 1, "price": "39.50"}, {"id": 2, "price": "1,200.00"}))
    indexes.update("stones")
    report = indexes.report("stones")
    assert report is not None
    (price,) = report.fields
    assert "with a decimal comma, as before" in price.note
    indexes.build("stones", (), None, ENGLISH, reset=True)
    assert found(indexes, "price:1200") == ["2"]


def test_labels_and_numbers_of_programs_mean_the_same_in_every_format(
    indexes: Indexes, file: Path
) -> None:
    weights = [f"{n // 1000},{n % 1000:03}" for n in range(125, 60_000, 1_217)] + ["0,5"]
    file.write_text(lines(*({"id": at, "weight": one} for at, one in enumerate(weights))))
    indexes.build("stones", (), file, ENGLISH)
    counted = indexes.search("stones", "", facets=["weight"]).facets["weight"]
    assert sum(counted.values()) == len(weights)
    for label, count in counted.items():
        assert indexes.search("stones", "", filters={"weight": label}).total == count, label
    assert indexes.search("stones", "", filters={"weight": 1.342}).total == 1


def test_fields_that_differ_in_capitals_are_apart(indexes: Indexes, file: Path) -> None:
    file.write_text(
        lines({"id": 1, "text": "stone", "Price": 5, "price": 7}, {"id": 2, "PRICE": 6})
    )
    indexes.build("stones", (), file, ENGLISH)
    assert [found(indexes, f"{name}:{value}") for name, value in (("price", 7), ("Price", 5))] == [
        ["1"],
        ["1"],
    ]
    assert found(indexes, "price:5") == []
    assert found(indexes, "PRICE:6") == ["2"]


def test_capitals_in_the_names_of_fields_do_not_matter(indexes: Indexes, file: Path) -> None:
    file.write_text(lines(*({"id": at, "text": "stone", "unitPrice": at} for at in range(3))))
    indexes.build("stones", (), file, ENGLISH)
    answer = indexes.search(
        "stones", "", filters={"unitprice": "1.."}, sort="-UNITPRICE", facets=["unitprice"]
    )
    assert [hit.id for hit in answer.hits] == ["2", "1"]
    assert answer.facets == {"unitPrice": {"1": 1, "2": 1}}


@pytest.mark.parametrize("shards", [1, 2])
def test_documents_without_words_are_changed_one_by_one(
    indexes: Indexes, file: Path, shards: int
) -> None:
    """So many that parts of the index are merged."""
    file.write_text(lines(*({"id": f"n{at}", "price": at, "stock": 5} for at in range(3))))
    indexes.build("stones", (), file, IndexSettings(shards=shards))
    for at in range(12):
        report = indexes.put_documents("stones", {"id": f"p{at}", "price": 100 + at})
        assert (report.added, report.searchable) == (1, True)
    indexes.remove_documents("stones", ["n0", "p3"])
    indexes.update("stones")
    prices = [hit.fields["price"] for hit in indexes.search("stones", "", limit=100).hits]
    assert sorted(prices) == [1, 2, *(100 + at for at in range(12) if at != 3)]
    assert len(found(indexes, "price:100..105")) == 5
