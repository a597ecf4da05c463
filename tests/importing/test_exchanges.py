import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.importing.archives import Record, Shape, records
from gossamer.importing.exchanges import exchange_of, is_cut_by_writer, joined_chunks
from gossamer.records import Exchange, Outcome

from .warcs import HTML, answer, chunked, record, response, written

URL = "http://a.test/page"
MOST = 10_000


def exchange(tmp_path: Path, data: bytes, most: int = MOST) -> Exchange:
    path = written(tmp_path / "one.warc", data)
    reading = records(path, Shape("", True))
    found = next(reading)
    assert isinstance(found, Record)
    return exchange_of(found, URL, most)


def test_an_answer(tmp_path: Path) -> None:
    one = exchange(
        tmp_path,
        response(URL, b"<p>hello", http=HTML, headers=[("WARC-IP-Address", "192.0.2.7")]),
    )
    assert (one.outcome, one.status, one.status_line) == (Outcome.OK, 200, "HTTP/1.1 200 OK")
    assert one.headers == (("Content-Type", "text/html; charset=utf-8"),)
    assert (one.body, one.url, one.address) == (b"<p>hello", URL, "192.0.2.7")
    assert (one.fetched_at, one.seconds) == (1714564800.0, 0.0)


def test_interim_answers_stand_before_the_final_one(tmp_path: Path) -> None:
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
    block = b"HTTP/1.1 100 Continue\r\n\r\n" + interim + answer(b"body", status="404 Not Found")
    one = exchange(tmp_path, record("response", URL, block))
    assert (one.status, one.body) == (404, b"body")


def test_http2_and_bare_line_feeds(tmp_path: Path) -> None:
    one = exchange(tmp_path, record("response", URL, b"HTTP/2 200\nContent-Type: text/plain\n\nhi"))
    assert (one.status, one.header("content-type"), one.body) == (200, "text/plain", b"hi")


def test_content_encodings_are_left_for_the_reader(tmp_path: Path) -> None:
    body = gzip.compress(b"<p>hello")
    one = exchange(tmp_path, response(URL, body, http=HTML + "Content-Encoding: gzip\r\n"))
    assert one.body == body


def test_chunks_are_joined(tmp_path: Path) -> None:
    http = HTML + "Transfer-Encoding: chunked\r\n"
    one = exchange(tmp_path, response(URL, chunked(b"<p>he", b"llo"), http=http))
    assert (one.outcome, one.body) == (Outcome.OK, b"<p>hello")
    one = exchange(tmp_path, response(URL, chunked(b"<p>he", b"llo")[:-8], http=http))
    assert (one.outcome, one.body) == (Outcome.PROTOCOL_ERROR, b"<p>hello"[: len(one.body)])


def test_chunks_that_the_writer_has_joined(tmp_path: Path) -> None:
    http = HTML + "Transfer-Encoding: chunked\r\n"
    one = exchange(tmp_path, response(URL, b"<p>hello", http=http))
    assert (one.outcome, one.body) == (Outcome.OK, b"<p>hello")


def test_other_transfer_codings_are_undone(tmp_path: Path) -> None:
    http = HTML + "Transfer-Encoding: gzip, chunked\r\n"
    one = exchange(tmp_path, response(URL, chunked(gzip.compress(b"<p>hello")), http=http))
    assert (one.outcome, one.body) == (Outcome.OK, b"<p>hello")


@pytest.mark.parametrize(
    "block", [b"", b"hello", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\0" * 500]
)
def test_no_answer_in_the_record(tmp_path: Path, block: bytes) -> None:
    one = exchange(tmp_path, record("response", URL, block))
    assert (one.outcome, one.status) == (Outcome.PROTOCOL_ERROR, 0)


def test_too_many_headers(tmp_path: Path) -> None:
    one = exchange(tmp_path, response(URL, b"x", http="A: b\r\n" * 2_000))
    assert one.outcome is Outcome.PROTOCOL_ERROR
    assert len(one.headers) == 1_000


def test_too_large(tmp_path: Path) -> None:
    fits = exchange(tmp_path, response(URL, b"x" * MOST))
    assert (fits.outcome, len(fits.body)) == (Outcome.OK, MOST)
    for size in (MOST + 1, 50 * MOST):
        one = exchange(tmp_path, response(URL, b"x" * size))
        assert (one.outcome, one.status, len(one.body)) == (Outcome.TOO_LARGE, 200, MOST)


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("length", Outcome.OK),
        ("time", Outcome.TIMEOUT),
        ("disconnect", Outcome.PROTOCOL_ERROR),
        ("unspecified", Outcome.OK),
    ],
)
def test_cut_short_by_the_writer(tmp_path: Path, reason: str, outcome: Outcome) -> None:
    data = response(URL, b"<p>hel", headers=[("WARC-Truncated", reason)])
    assert exchange(tmp_path, data).outcome is outcome
    (found,) = records(tmp_path / "one.warc", Shape("", True))
    assert isinstance(found, Record)
    assert is_cut_by_writer(found) == (reason == "length")


def test_a_record_that_is_cut_short(tmp_path: Path) -> None:
    one = exchange(tmp_path, response(URL, b"<p>hello and more")[:-10])
    assert one.outcome is Outcome.PROTOCOL_ERROR
    assert "cut short" in one.detail


def test_a_resource_has_its_content_alone(tmp_path: Path) -> None:
    one = exchange(tmp_path, record("resource", URL, b"text", content_type="text/plain"))
    assert (one.outcome, one.status, one.body) == (Outcome.OK, 200, b"text")
    assert one.headers == (("Content-Type", "text/plain"),)


def test_a_revisit_is_not_modified(tmp_path: Path) -> None:
    refers = [("WARC-Refers-To-Target-URI", "http://b.test/"), ("WARC-Refers-To-Date", "2020")]
    one = exchange(tmp_path, record("revisit", URL, answer(b""), headers=refers))
    assert (one.outcome, one.status, one.body) == (Outcome.OK, 304, b"")
    assert one.detail == "the same as http://b.test/ of 2020"
    assert exchange(tmp_path, record("revisit", URL, b"")).status == 304
    moved = answer(b"", status="301 Moved", headers="Location: /x\r\n")
    assert exchange(tmp_path, record("revisit", URL, moved)).status == 301


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=10))
def test_chunks_come_back(pieces: list[bytes]) -> None:
    assert joined_chunks(chunked(*pieces)) == (b"".join(pieces), True)


@given(st.binary(max_size=200))
def test_anything_as_chunks(data: bytes) -> None:
    joined = joined_chunks(data)
    assert joined is None or len(joined[0]) <= len(data)


@given(block=st.binary(max_size=300), kind=st.sampled_from(["response", "resource", "revisit"]))
def test_anything_as_a_block(
    block: bytes, kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    one = exchange(tmp_path_factory.mktemp("any"), record(kind, URL, block), 100)
    assert len(one.body) <= 100 or one.outcome is not Outcome.OK


@given(head=st.binary(max_size=100), body=st.binary(max_size=100))
def test_anything_as_a_head(
    head: bytes, body: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + head + b"\r\n\r\n" + body
    one = exchange(tmp_path_factory.mktemp("any"), record("response", URL, block))
    assert one.status == 200
