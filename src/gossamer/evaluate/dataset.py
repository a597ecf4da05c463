"""A judged collection: a folder with three files.

    docs.jsonl     one JSON object a line: id, and if it has them title, text and any other fields
    queries.tsv    id TAB text
    qrels.tsv      id of a query TAB id of a document TAB grade; or TREC's four columns: id of a
                   query, iteration (not used), id of a document, grade, with spaces or tabs between

Files are UTF-8; empty lines and a byte order mark are skipped. A grade is a whole number: 0 or
below means judged and not relevant, 1 and above relevant, the higher the more. What cannot be read
is refused with the file and the line. What can be read but does not fit together is counted, since
published collections are full of it: judgments of documents or queries that are not there, queries
without judgments, a pair judged twice (its highest grade counts).

Documents are streamed; of each only its id stays in memory.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gossamer.errors import DatasetError

DOCUMENTS = "docs.jsonl"
QUERIES = "queries.tsv"
JUDGMENTS = "qrels.tsv"
HIGHEST_GRADE = 30
"""Gains double with each grade: what is above was never meant as one."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Document(NamedTuple):
    id: str
    title: str
    text: str
    fields: dict[str, Any]
    """All the others, as JSON has them."""


class Query(NamedTuple):
    id: str
    text: str


class Survey(NamedTuple):
    """What is in a collection, and what in it leads nowhere."""

    documents: int
    queries: int
    judged_queries: int
    """Those with at least one relevant document: the others are left out of every mean."""
    judgments: int
    repeated_judgments: int
    unknown_documents: int
    """Judged documents that are not in the collection: nobody can find them."""
    unknown_queries: int


class Dataset:
    """Queries and judgments in memory, documents on disk."""

    def __init__(self, folder: Path) -> None:
        """Reads queries and judgments. Raises `DatasetError`."""
        self.folder = folder
        self.name = folder.resolve().name
        if not folder.is_dir():
            raise DatasetError(f"{folder} is no folder: it should hold {_file_names()}")
        for name in (DOCUMENTS, QUERIES, JUDGMENTS):
            if not (folder / name).is_file():
                raise DatasetError(f"{folder} has no {name}: it should hold {_file_names()}")
        self.queries, self.empty_queries = _read_queries(folder / QUERIES)
        self.grades, self._repeated = _read_judgments(folder / JUDGMENTS)
        self._document_ids: frozenset[str] | None = None

    grades: Mapping[str, Mapping[str, int]]
    """By query, then by document."""

    def documents(self) -> Iterator[Document]:
        """Every document, in the order of the file. Raises `DatasetError` when it gets there."""
        lines_of: dict[str, int] = {}
        path = self.folder / DOCUMENTS
        for number, line in _lines(path):
            document = _read_document(path, number, line)
            first = lines_of.setdefault(document.id, number)
            if first != number:
                raise _error(path, number, f"document {document.id!r} is on line {first} already")
            yield document
        self._document_ids = frozenset(lines_of)

    def missing_documents(self) -> int:
        """Count the judged documents that the collection lacks: no ranking can find them."""
        judged = {document for grades in self.grades.values() for document in grades}
        for _, line in _lines(self.folder / DOCUMENTS):
            judged.discard(_id_of(line))
        return len(judged)

    def survey(self) -> Survey:
        """Counts; reads the documents if nobody has read them to their end yet."""
        if self._document_ids is None:
            for _ in self.documents():
                pass
        known = self._document_ids
        assert known is not None
        query_ids = {query.id for query in self.queries}
        judged = {document for grades in self.grades.values() for document in grades}
        return Survey(
            documents=len(known),
            queries=len(self.queries),
            judged_queries=sum(
                any(grade > 0 for grade in self.grades.get(query.id, {}).values())
                for query in self.queries
            ),
            judgments=sum(map(len, self.grades.values())),
            repeated_judgments=self._repeated,
            unknown_documents=len(judged - known),
            unknown_queries=len(self.grades.keys() - query_ids),
        )


def _id_of(line: bytes) -> str:
    """The id in a line of documents; '' for one that cannot be read: indexing reports it."""
    try:
        fields = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return str(fields.get("id", "")) if isinstance(fields, dict) else ""


def _read_document(path: Path, number: int, line: bytes) -> Document:
    try:
        fields = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _error(path, number, f"no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise _error(path, number, "a document is a JSON object with an id")
    identity = fields.pop("id", None)
    if isinstance(identity, int) and not isinstance(identity, bool):
        identity = str(identity)
    if not isinstance(identity, str) or not identity:
        raise _error(path, number, "a document needs an id, a text or a whole number")
    texts = []
    for name in ("title", "text"):
        value = fields.pop(name, None)
        if value is not None and not isinstance(value, str):
            raise _error(path, number, f"the {name} of document {identity!r} is no text")
        texts.append(value or "")
    return Document(identity, texts[0], texts[1], fields)


def _read_queries(path: Path) -> tuple[tuple[Query, ...], int]:
    """The queries, and how many are empty: these are skipped, as no ranking can answer them."""
    lines_of: dict[str, int] = {}
    queries = []
    empty = 0
    for number, line in _text_lines(path):
        identity, tab, text = line.partition("\t")
        identity, text = identity.strip(), text.strip()
        if not tab or not identity:
            raise _error(path, number, "a query is an id, a tab and a text")
        first = lines_of.setdefault(identity, number)
        if first != number:
            raise _error(path, number, f"query {identity!r} is on line {first} already")
        if text:
            queries.append(Query(identity, text))
        else:
            empty += 1
    if not queries:
        raise DatasetError(f"{path} holds no query")
    return tuple(queries), empty


def _read_judgments(path: Path) -> tuple[dict[str, dict[str, int]], int]:
    grades: dict[str, dict[str, int]] = {}
    repeated = 0
    for number, line in _text_lines(path):
        columns = _judgment(line)
        if columns is None:
            raise _error(
                *(path, number),
                "a judgment is a query, a document and a grade with tabs between, or TREC's four "
                "columns",
            )
        query, document, grade_text = columns
        grade = _grade(grade_text)
        if grade is None:
            problem = f"grade {grade_text[:40]!r} is no whole number up to {HIGHEST_GRADE}"
            raise _error(path, number, problem)
        of_query = grades.setdefault(query, {})
        repeated += document in of_query
        of_query[document] = max(grade, of_query.get(document, 0))
    if not grades:
        raise DatasetError(f"{path} holds no judgment")
    return grades, repeated


def _judgment(line: str) -> tuple[str, str, str] | None:
    """(query, document, grade) of a line; None: it is none."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) not in (3, 4):
        parts = line.split()
        if len(parts) != 4:
            return None
    if not all(parts):
        return None
    return parts[0], parts[-2], parts[-1]


def _grade(text: str) -> int | None:
    """Negative ones, which some collections give to spam, are not relevant: 0."""
    digits = text.removeprefix("-")
    # `int` reads more than it should (1_0, digits of other scripts), and slowly if it is long.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        return None
    grade = max(0, int(text))
    return grade if grade <= HIGHEST_GRADE else None


def _text_lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in _lines(path):
        try:
            yield number, line.decode()
        except UnicodeDecodeError:
            raise _error(path, number, "not UTF-8") from None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
                if text.strip():
                    yield number, text.rstrip(b"\r\n")
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}") from error


def _error(path: Path, number: int, problem: str) -> DatasetError:
    return DatasetError(f"{path}, line {number}: {problem}")


def _file_names() -> str:
    return f"{DOCUMENTS}, {QUERIES} and {JUDGMENTS}"
