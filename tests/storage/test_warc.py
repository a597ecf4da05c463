import io
import re
import uuid
import warnings
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import FormatError
from gossamer.records import Outcome
from gossamer.storage import schema
from gossamer.storage.warc import exchange_members, read_response, warcinfo_member

from .rows import exchange, page_row

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # fastwarc warns of its own old classes
    from fastwarc.warc import ArchiveIterator, WarcRecordType


def records(*members: bytes) -> list[tuple[dict[str, str], Any, bytes]]:
    """(WARC headers, HTTP headers, body) of each record, as another program reads them."""
    found = []
    for record in ArchiveIterator(io.BytesIO(b"".join(members)), parse_http=True):
        body = record.reader.read()
        found.append((dict(record.headers), record.http_headers, body))
    return found


def test_other_programs_read_a_response() -> None:
    response, _ = exchange_members(exchange(body=b"the body"))
    ((warc, http, body),) = records(response)
    assert warc["WARC-Type"] == "response"
    assert warc["WARC-Target-URI"] == "https://example.org/"
    assert warc["WARC-Date"] == "2023-11-14T22:13:20.250Z"
    assert warc["WARC-IP-Address"] == "192.0.2.1"
    identity = warc["WARC-Record-ID"].removeprefix("<urn:uuid:").removesuffix(">")
    assert str(uuid.UUID(identity)) == identity
    assert uuid.UUID(identity).version == 4
    assert http.status_code == 200
    assert http["Content-Type"] == "text/html"
    assert http["Content-Length"] == "8"
    assert body == b"the body"


@pytest.mark.parametrize(
    ("moment", "date"),
    [
        (0.0, "1970-01-01T00:00:00.000Z"),
        (1_700_000_000.123, "2023-11-14T22:13:20.123Z"),
        (1_700_000_000.0004, "2023-11-14T22:13:20.000Z"),
        (1_700_000_000.9996, "2023-11-14T22:13:21.000Z"),
    ],
)
def test_dates_are_those_of_the_page_rows(moment: float, date: str) -> None:
    for member in exchange_members(exchange(fetched_at=moment)):
        ((warc, _, _),) = records(member)
        assert warc["WARC-Date"] == date
    row = schema.staged_pages([page_row(fetched_at=moment)], [(0, 0)]).to_pylist()[0]
    assert row["fetched_at"].strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z" == date


def test_the_request_refers_to_its_response() -> None:
    response, request = exchange_members(exchange("https://example.org/a/b?c=d"))
    (answer, _, _), (asked, _, _) = records(response, request)
    assert asked["WARC-Type"] == "request"
    assert asked["WARC-Concurrent-To"] == answer["WARC-Record-ID"]
    assert asked["WARC-Record-ID"] != answer["WARC-Record-ID"]
    block = zlib.decompress(request, 31).partition(b"\r\n\r\n")[2]
    assert block.startswith(b"GET /a/b?c=d HTTP/1.1\r\nHost: example.org\r\n")


def test_secrets_of_the_request_are_not_archived() -> None:
    sent = (("authorization", "Basic c2VjcmV0"), ("Cookie", "id=c2VjcmV0"), ("Accept", "*/*"))
    _, request = exchange_members(exchange(request_headers=sent))
    block = zlib.decompress(request, 31)
    assert b"c2VjcmV0" not in block
    assert b"Host: example.org\r\n" in block
    assert b"Accept: */*\r\n" in block


def test_what_did_not_happen_has_no_record() -> None:
    assert exchange_members(exchange(status=0, outcome=Outcome.TIMEOUT)) == (b"", b"")
    response, request = exchange_members(exchange(request_headers=()))
    assert response
    assert not request


def test_each_record_is_a_member_of_its_own() -> None:
    response, request = exchange_members(exchange())
    info = warcinfo_member("raw-000001.warc.gz", "gossamer/1", "example.org-1", 0.0)
    for member in (info, response, request):
        unpacker = zlib.decompressobj(31)
        record = unpacker.decompress(member)
        assert unpacker.eof
        assert unpacker.unused_data == b""
        assert record.startswith(b"WARC/1.1\r\n")
        assert record.endswith(b"\r\n\r\n")
    kinds = [headers["WARC-Type"] for headers, _, _ in records(info, response, request)]
    assert kinds == ["warcinfo", "response", "request"]


def test_warcinfo_names_the_run() -> None:
    record = next(
        ArchiveIterator(
            io.BytesIO(warcinfo_member("raw.warc.gz", "gossamer/1", "example.org-1", 0.0)),
            record_types=WarcRecordType.warcinfo,
        )
    )
    assert record.headers["WARC-Filename"] == "raw.warc.gz"
    assert b"isPartOf: example.org-1\r\n" in record.reader.read()


@pytest.mark.parametrize(
    ("received", "stored"),
    [
        ((("Content-Length", "4"),), (("Content-Length", "4"),)),
        ((), ()),
        (
            (("Content-Length", "9"), ("A", "b")),
            (("X-Crawler-Content-Length", "9"), ("A", "b"), ("Content-Length", "4")),
        ),
        (
            (("transfer-encoding", "chunked"),),
            (("X-Crawler-transfer-encoding", "chunked"), ("Content-Length", "4")),
        ),
        (
            (("Content-Length", "4"), ("Content-Length", "4")),
            (
                ("X-Crawler-Content-Length", "4"),
                ("X-Crawler-Content-Length", "4"),
                ("Content-Length", "4"),
            ),
        ),
    ],
)
def test_headers_describe_the_stored_body(
    received: tuple[tuple[str, str], ...], stored: tuple[tuple[str, str], ...]
) -> None:
    response, _ = exchange_members(exchange(headers=received, body=b"body"))
    assert read_response(response, "a.warc.gz").headers == stored
    assert records(response)[0][2] == b"body"


@pytest.mark.parametrize(
    ("received", "status", "stored"),
    [
        ("HTTP/1.1 404 Not here", 404, "HTTP/1.1 404 Not here"),
        ("HTTP/1.0 200 OK", 200, "HTTP/1.0 200 OK"),
        ("HTTP/1.1 200", 200, "HTTP/1.1 200"),
        ("HTTP/2 200", 200, "HTTP/1.1 200 OK"),
        ("HTTP/3 404", 404, "HTTP/1.1 404 Not Found"),
        ("", 599, "HTTP/1.1 599 Unknown"),
        ("HTTP/1.1 200 OK\r\nX: y", 200, "HTTP/1.1 200 OK"),
        ("HTTP/1.1 200 O\rK", 200, "HTTP/1.1 200 OK"),
    ],
)
def test_status_lines_are_of_http_1(received: str, status: int, stored: str) -> None:
    response, _ = exchange_members(exchange(status_line=received, status=status))
    assert read_response(response, "a.warc.gz").status_line == stored
    assert records(response)[0][1].status_code == status


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome.TOO_LARGE, "length"),
        (Outcome.TIMEOUT, "time"),
        (Outcome.PROTOCOL_ERROR, "disconnect"),
        (Outcome.OK, None),
    ],
)
def test_a_body_that_was_cut_short_says_so(outcome: Outcome, reason: str | None) -> None:
    response, _ = exchange_members(exchange(outcome=outcome))
    assert records(response)[0][0].get("WARC-Truncated") == reason


def test_a_damaged_member_is_a_fault_that_names_its_file() -> None:
    response, request = exchange_members(exchange(body=b"body" * 1000))
    changed = bytearray(response)
    changed[len(changed) // 2] ^= 0xFF
    for member in (bytes(changed), response[:-20], b"", b"no gzip", request):
        with pytest.raises(FormatError, match=r"raw-000001\.warc\.gz"):
            read_response(member, "raw-000001.warc.gz")


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("Server", "a\r\nX: y", b"Server: a X: y"),
        ("Server", "a\nX: y", b"Server: a X: y"),
        ("Server", "a\rb", b"Server: a b"),
        ("Server", "a\0b", b"Server: a b"),
        ("Server", "caf\xe9", b"Server: caf\xe9"),
        ("Server", "\u20ac", b"Server: \xe2\x82\xac"),
        ("Server", "\ud800", b"Server: ?"),
        ("", "a", b"_: a"),
        (" folded", "a", b"_folded: a"),
        ("a:b", "c", b"a_b: c"),
        ("X\r\nY", "a", b"X__Y: a"),
        ("\u20ac", "a", b"_: a"),
    ],
)
def test_hostile_headers_are_defused(name: str, text: str, line: bytes) -> None:
    sound = ("Date", "today")
    response, _ = exchange_members(exchange(headers=(sound, (name, text), sound)))
    block = zlib.decompress(response, 31).partition(b"\r\n\r\n")[2]
    head = block.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert head == [b"HTTP/1.1 200 OK", b"Date: today", line, b"Date: today"]


anything = st.text(max_size=30) | st.text("\r\n\0: \tab\x85\u2028é€\ud800", max_size=12)


names = st.sampled_from(["Server", "X-A", "content-length", "Transfer-Encoding"])


@given(
    headers=st.lists(st.tuples(names, anything), max_size=4)
    | st.lists(st.tuples(names | anything, anything), max_size=6),
    status_line=anything,
    url=anything,
    address=anything,
    body=st.binary(max_size=50),
)
def test_no_header_can_leave_its_line(
    headers: list[tuple[str, str]], status_line: str, url: str, address: str, body: bytes
) -> None:
    response, request = exchange_members(
        exchange(
            url,
            status_line=status_line,
            address=address,
            headers=tuple(headers),
            body=body,
            request_headers=(("Accept", "*/*"), *headers),
        )
    )
    record = zlib.decompress(response, 31)
    assert b"\0" not in record.removesuffix(body + b"\r\n\r\n")
    warc_head, _, block = record.partition(b"\r\n\r\n")
    lines = warc_head.split(b"\r\n")
    assert [line.partition(b":")[0] for line in lines] == [
        b"WARC/1.1",
        b"WARC-Type",
        b"WARC-Record-ID",
        b"WARC-Date",
        b"WARC-Target-URI",
        *([b"WARC-IP-Address"] if address else []),
        b"Content-Type",
        b"Content-Length",
    ]
    assert len(block) == int(lines[-1].partition(b":")[2]) + 4
    http_lines = block.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert http_lines[0].startswith(b"HTTP/1.1 200")
    for line in warc_head.split(b"\r\n") + http_lines:
        assert b"\r" not in line
        assert b"\n" not in line
    stored = read_response(response, "a.warc.gz")
    assert stored.body == body
    framing = {"content-length", "transfer-encoding"}
    added = 1 if any(name.lower() in framing for name, _ in headers) else 0
    assert len(stored.headers) in {len(headers), len(headers) + added}
    sound = {"content-length", "x-crawler-content-length", "x-crawler-transfer-encoding"}
    for (name, text), (kept, kept_text) in zip(headers, stored.headers, strict=False):
        assert kept.lower() in sound or re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", kept)
        if re.fullmatch(r"[\x21-\x7e]+", text) and kept.lower() not in sound:
            assert kept_text == text
            assert len(kept) == max(len(name), 1)
    ((_, http, read_body), _) = records(response, request)
    assert http.status_code == 200
    assert read_body == body


@given(st.binary(max_size=2000))
def test_bodies_come_back_as_they_were(body: bytes) -> None:
    response, _ = exchange_members(exchange(body=body))
    assert read_response(response, "a.warc.gz").body == body
