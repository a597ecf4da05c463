"""What a record says was exchanged: the same `Exchange` that a fetch would have given.

Plain functions of bytes that strangers wrote: nothing here raises for what is in them.
"""

import re

from msgspec import structs

from gossamer.crawl.content_encoding import decode_body
from gossamer.crawl.fetch import MAX_HEADER_BYTES, MAX_HEADER_LINES
from gossamer.crawl.http_head import Headers, parse_head
from gossamer.importing.archives import Record
from gossamer.records import Exchange, Outcome

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_INTERIM = re.compile(rb"HTTP/[0-9.]+ 1[0-9]{2}[ \r\n]")
_MOST_INTERIM = 10
_STATUS = re.compile(rb"HTTP/[0-9.]+ ([0-9]{3})")
_SUCCESS = re.compile(rb"HTTP/[0-9.]+ 2[0-9]")
_REDIRECT = re.compile(rb"HTTP/[0-9.]+ 3[0-9]")
_LONGEST_LOCATION = 16_384
_CHUNK_LINE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]{0,1000})?\r\n")
_LINE_END = re.compile(rb"\r?\n")
_CUT_SHORT = {"time": Outcome.TIMEOUT, "disconnect": Outcome.PROTOCOL_ERROR}
"""What `WARC-Truncated` calls for. Where the length is the reason, the writer chose to keep no
more: that is a page of which not all was read."""

_REPEATED = 304  # what a server would have said instead of the same page again


def exchange_of(record: Record, url: str, max_wire_bytes: int) -> Exchange:
    """`url`: the record's own, as an href."""
    block = record.block(max_wire_bytes + MAX_HEADER_BYTES)
    exchange = Exchange(
        url,
        record.seconds,
        0.0,
        Outcome.OK,
        address=record.header("WARC-IP-Address"),
    )
    if record.kind in ("response", "revisit"):
        exchange = _with_answer(exchange, block, max_wire_bytes)
    else:
        exchange = _with_content(exchange, block, record.header("Content-Type"))
    if record.kind == "revisit" and (not exchange.status or 200 <= exchange.status < 300):
        exchange = _as_repeated(exchange, record)
    elif record.broken:
        exchange = _failed(exchange, Outcome.PROTOCOL_ERROR, f"the record: {record.broken}")
    elif (end := _CUT_SHORT.get(record.header("WARC-Truncated").strip().lower())) is not None:
        exchange = _failed(exchange, end, "cut short when it was fetched")
    if len(exchange.body) > max_wire_bytes or record.length > max_wire_bytes + MAX_HEADER_BYTES:
        exchange = structs.replace(exchange, body=exchange.body[:max_wire_bytes])
        return _failed(exchange, Outcome.TOO_LARGE, f"more than {max_wire_bytes} bytes")
    return exchange


def is_cut_by_writer(record: Record) -> bool:
    return record.header("WARC-Truncated").strip().lower() == "length"


def has_content(start: bytes) -> bool:
    """Whether an HTTP message that begins so is an answer with content."""
    return _SUCCESS.match(start) is not None


def repeats_another(start: bytes) -> bool:
    """Whether a revisit record that begins so says that its content is that of another record: a
    redirect or an error page stands for itself."""
    status = _STATUS.match(start)
    return status is None or status[1] == b"304" or has_content(start)


def redirect_of(record: Record, start: bytes) -> str:
    """Return the target of a redirect, '' if there is none. `start`: the record's first bytes."""
    if not _REDIRECT.match(start):
        return ""
    head, _ = _divided(start + record.block(_LONGEST_LOCATION))
    _, _, headers = parse_head([head])
    return next((text for name, text in headers if name.lower() == "location"), "")


def _failed(exchange: Exchange, outcome: Outcome, detail: str) -> Exchange:
    if exchange.outcome is not Outcome.OK:
        return exchange  # the first reason is the better one
    return structs.replace(exchange, outcome=outcome, detail=detail)


def _with_answer(exchange: Exchange, block: bytes, max_wire_bytes: int) -> Exchange:
    """An HTTP message, as it went over the wire."""
    head, body = _divided(block)
    status, status_line, headers = parse_head([head])
    if not status:
        return _failed(exchange, Outcome.PROTOCOL_ERROR, "no HTTP answer in the record")
    exchange = structs.replace(
        exchange, status=status, status_line=status_line, headers=headers[:MAX_HEADER_LINES]
    )
    if len(headers) > MAX_HEADER_LINES:
        return _failed(exchange, Outcome.PROTOCOL_ERROR, "the headers are too large")
    return _with_body(exchange, body, max_wire_bytes)


def _divided(block: bytes) -> tuple[bytes, bytes]:
    """(head, body) of the final answer: interim ones (1xx) may stand before it."""
    start = 0
    for _ in range(_MOST_INTERIM):
        end = _HEAD_END.search(block, start, start + MAX_HEADER_BYTES)
        if end is None:
            return block[start : start + MAX_HEADER_BYTES], b""
        if not _INTERIM.match(block, start):
            return block[start : end.end()], block[end.end() :]
        start = end.end()
    return b"", b""


def _with_body(exchange: Exchange, body: bytes, max_wire_bytes: int) -> Exchange:
    """Transfer codings are undone, as a client would have. Many writers undo them and leave the
    header: what does not look like chunks is none."""
    codings = _codings(exchange.headers)
    if codings and codings[-1] == "chunked":
        codings.pop()
        joined = joined_chunks(body)
        if joined is not None:
            body, is_whole = joined
            if not is_whole:
                exchange = _failed(exchange, Outcome.PROTOCOL_ERROR, "a chunk is cut short")
    if codings:
        decoded = decode_body(body, codings, max_wire_bytes)
        if decoded.outcome is Outcome.OK:
            body = decoded.body
    return structs.replace(exchange, body=body)


def _codings(headers: Headers) -> list[str]:
    values = [text for name, text in headers if name.lower() == "transfer-encoding"]
    names = [part.strip().lower() for text in values for part in text.split(",")]
    return [name for name in names if name not in ("", "identity")][:4]


def joined_chunks(body: bytes) -> tuple[bytes, bool] | None:
    """What the chunks hold, and whether the last one is there; None: these are no chunks."""
    parts: list[bytes] = []
    position = 0
    while True:
        line = _CHUNK_LINE.match(body, position)
        if line is None:
            return (b"".join(parts), False) if parts else None
        size = int(line[1], 16)
        if size == 0:
            return b"".join(parts), True
        start = line.end()
        parts.append(body[start : start + size])
        if start + size > len(body):
            return b"".join(parts), False
        end = _LINE_END.match(body, start + size)
        position = end.end() if end else start + size


def _with_content(exchange: Exchange, block: bytes, media_type: str) -> Exchange:
    """A resource or a text made of one: there was no answer, its content alone is kept."""
    headers = (("Content-Type", media_type),) if media_type else ()
    return structs.replace(
        exchange, status=200, status_line="HTTP/1.1 200 OK", headers=headers, body=block
    )


def _as_repeated(exchange: Exchange, record: Record) -> Exchange:
    """The same as an earlier record, which is not among the imported ones."""
    earlier = record.header("WARC-Refers-To-Target-URI").strip().strip("<>") or exchange.url
    moment = record.header("WARC-Refers-To-Date").strip()
    detail = f"the same as {earlier[:500]}" + (f" of {moment[:40]}" if moment else "")
    return structs.replace(
        exchange,
        outcome=Outcome.OK,
        status=_REPEATED,
        status_line=f"HTTP/1.1 {_REPEATED} Not Modified",
        body=b"",
        detail=detail,
    )
