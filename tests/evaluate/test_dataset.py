from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.errors import DatasetError
from gossamer.evaluate.dataset import Dataset, Document, Query, Survey

DOCUMENTS = b"""\
{"id": "a", "title": "Ant", "text": "Ants carry leaves.", "votes": 7, "tags": ["insect"]}
{"id": 2, "text": "A page without a title."}

{"id": "c", "title": null}
"""
QUERIES = b"q1\twhat do ants carry\nq2\tpages\twith tabs\n"
JUDGMENTS = b"q1\ta\t3\nq1\tmissing\t1\nq2\t2\t0\nq9\ta\t1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path)


def write(
    folder: Path,
    documents: bytes = DOCUMENTS,
    queries: bytes = QUERIES,
    judgments: bytes = JUDGMENTS,
) -> Path:
    (folder / "docs.jsonl").write_bytes(documents)
    (folder / "queries.tsv").write_bytes(queries)
    (folder / "qrels.tsv").write_bytes(judgments)
    return folder


def test_documents_come_with_all_their_fields(folder: Path) -> None:
    assert list(Dataset(folder).documents()) == [
        Document("a", "Ant", "Ants carry leaves.", {"votes": 7, "tags": ["insect"]}),
        Document("2", "", "A page without a title.", {}),
        Document("c", "", "", {}),
    ]


def test_queries_keep_their_order_and_their_tabs(folder: Path) -> None:
    assert Dataset(folder).queries == (
        Query("q1", "what do ants carry"),
        Query("q2", "pages\twith tabs"),
    )


def test_grades_are_found_by_query_and_document(folder: Path) -> None:
    assert Dataset(folder).grades == {
        "q1": {"a": 3, "missing": 1},
        "q2": {"2": 0},
        "q9": {"a": 1},
    }


def test_the_name_is_that_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "ants"
    folder.mkdir()
    assert Dataset(write(folder)).name == "ants"


def test_what_leads_nowhere_is_counted(folder: Path) -> None:
    expected = Survey(
        documents=3,
        queries=2,
        judged_queries=1,
        judgments=4,
        repeated_judgments=0,
        unknown_documents=1,
        unknown_queries=1,
    )
    dataset = Dataset(folder)
    assert dataset.survey() == expected
    for _ in dataset.documents():
        pass
    (folder / "docs.jsonl").unlink()  # what was read to its end is not read again
    assert dataset.survey() == expected


def test_a_pair_judged_twice_has_its_highest_grade(tmp_path: Path) -> None:
    dataset = Dataset(write(tmp_path, judgments=b"q1\ta\t1\nq1\ta\t2\nq1\ta\t0\n"))
    assert dataset.grades == {"q1": {"a": 2}}
    assert dataset.survey().repeated_judgments == 2


@pytest.mark.parametrize("line", [b"q1 0 a 2", b"q1\t0\ta\t2", b"  q1  Q0   a 2 ", b"q1\t0 a  2"])
def test_the_four_columns_of_trec(tmp_path: Path, line: bytes) -> None:
    dataset = Dataset(write(tmp_path, judgments=line + b"\nq2\tc\t1\n"))
    assert dataset.grades == {"q1": {"a": 2}, "q2": {"c": 1}}


def test_judged_documents_that_are_missing(tmp_path: Path) -> None:
    broken = DOCUMENTS + b"no JSON\n[1]\n"
    dataset = Dataset(write(tmp_path, broken, judgments=b"q1\ta\t1\nq1\t2\t1\nq1\tz\t0\n"))
    assert dataset.missing_documents() == 1


def test_a_negative_grade_means_not_relevant(tmp_path: Path) -> None:
    assert Dataset(write(tmp_path, judgments=b"q1\ta\t-2\n")).grades == {"q1": {"a": 0}}


def test_line_ends_and_marks_of_other_systems_are_read(tmp_path: Path) -> None:
    dataset = Dataset(
        write(
            tmp_path,
            b'\xef\xbb\xbf{"id": "a"}\r\n',
            b"\xef\xbb\xbfq1\tants\r\n\r\n",
            b"\xef\xbb\xbfq1\ta\t1\r\n",
        )
    )
    assert [document.id for document in dataset.documents()] == ["a"]
    assert dataset.queries == (Query("q1", "ants"),)
    assert dataset.grades == {"q1": {"a": 1}}


@pytest.mark.parametrize("name", ["docs.jsonl", "queries.tsv", "qrels.tsv"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(DatasetError, match=f"has no {name}: it should hold docs.jsonl, queries"):
        Dataset(folder)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="nowhere is no folder"):
        Dataset(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        (b"q1\tants\nq2 bees\n", "queries.tsv, line 2: a query is an id, a tab and a text"),
        (b"q1\t \n", "holds no query"),
        (b"\tants\n", "line 1: a query is an id, a tab and a text"),
        (b"q1\tants\n\nq1\tbees\n", "line 3: query 'q1' is on line 1 already"),
        (b"q1\t\xff\xfe\n", "line 1: not UTF-8"),
        (b"\n", "queries.tsv holds no query"),
    ],
)
def test_bad_queries_are_refused(tmp_path: Path, queries: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        Dataset(write(tmp_path, queries=queries))


@pytest.mark.parametrize(
    ("judgments", "message"),
    [
        (b"q1\ta\n", "qrels.tsv, line 1: a judgment is a query, a document and a grade"),
        (b"q1\ta\t1\nq1 0 a b 1\n", "line 2: a judgment is"),
        (b"q1 a 1\n", "line 1: a judgment is"),
        (b"q1 0 a 1.5\n", "line 1: grade '1.5' is no whole number"),
        (b"q1\ta\t1.5\n", "line 1: grade '1.5' is no whole number up to 30"),
        (b"q1\ta\t31\n", "grade '31' is no whole number"),
        (b"q1\ta\tyes\n", "grade 'yes' is no whole number"),
        (b"q1\ta\t" + b"9" * 10_000 + b"\n", "is no whole number"),
        ("q1\ta\t²\n".encode(), "is no whole number"),
        (b"", "qrels.tsv holds no judgment"),
    ],
)
def test_bad_judgments_are_refused(tmp_path: Path, judgments: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        Dataset(write(tmp_path, judgments=judgments))


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (b'{"id": "a"}\n{"id": ', "docs.jsonl, line 2: no JSON"),
        (b'{"id": "a", "text": "\xff"}\n', "line 1: no JSON"),
        (b"[1]\n", "line 1: a document is a JSON object"),
        (b'{"title": "Ant"}\n', "line 1: a document needs an id"),
        (b'{"id": ""}\n', "line 1: a document needs an id"),
        (b'{"id": true}\n', "line 1: a document needs an id"),
        (b'{"id": "a", "text": 1}\n', "line 1: the text of document 'a' is no text"),
        (b'{"id": 1}\n{"id": "1"}\n', "line 2: document '1' is on line 1 already"),
        (b"[" * 100_000, "line 1: no JSON"),
    ],
)
def test_bad_documents_are_refused(tmp_path: Path, documents: bytes, message: str) -> None:
    dataset = Dataset(write(tmp_path, documents=documents))
    with pytest.raises(DatasetError, match=message):
        list(dataset.documents())


def test_documents_are_streamed(tmp_path: Path) -> None:
    dataset = Dataset(write(tmp_path, documents=b'{"id": "a"}\nbroken\n'))
    assert next(dataset.documents()).id == "a"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(), st.binary(), st.binary())
def test_any_bytes_are_read_or_refused(
    tmp_path: Path, documents: bytes, queries: bytes, judgments: bytes
) -> None:
    write(tmp_path, documents, queries, judgments)
    with suppress(DatasetError):
        Dataset(tmp_path).survey()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["q1", "q2"]), st.sampled_from(["a", "b", "2"]), st.integers(-3, 30)
        ),
        min_size=1,
    )
)
def test_judgments_are_read_back(tmp_path: Path, rows: list[tuple[str, str, int]]) -> None:
    text = "".join(f"{query}\t{document}\t{grade}\n" for query, document, grade in rows)
    grades = Dataset(write(tmp_path, judgments=text.encode())).grades
    for query, document, _ in rows:
        highest = max(grade for q, d, grade in rows if (q, d) == (query, document))
        assert grades[query][document] == max(0, highest)
