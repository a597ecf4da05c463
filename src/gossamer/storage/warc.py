"""Raw exchanges as WARC/1.1 records, each a gzip member of its own: other tools read them too.

The bytes are written by hand: a general writer costs more than the fetch of the page. What a
server sent can be hostile, so no value of a header can end its line.
"""

import random
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from http import HTTPStatus
from typing import cast

from isal import isal_zlib
from msgspec import Struct

from gossamer.errors import FormatError
from gossamer.records import Exchange, Outcome

_LEVEL = 0  # a page of 20 KB: 0.03 ms to 39 % of its size; level 1: 0.04 to 36, level 3: 0.1 to 35
_GZIP = 16 + 15  # zlib's way to ask for a gzip header around the largest window

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_TOKEN = re.compile(r"[^!#$%&'*+.^_`|~0-9A-Za-z-]")
_LINE_ENDS = re.compile(r"[\r\n\0]+")
_STATUS_LINE = re.compile(r"HTTP/1\.[01] [1-9][0-9]{2}(?: .*)?")

_FRAMING = frozenset({"content-length", "transfer-encoding"})
_SECRETS = frozenset({"authorization", "proxy-authorization", "cookie"})
"""Of the request: archives are passed on, passwords are not."""

_CUT_SHORT = {
    Outcome.TOO_LARGE: "length",
    Outcome.TIMEOUT: "time",
    Outcome.PROTOCOL_ERROR: "disconnect",
}

_Damage = cast(type[Exception], isal_zlib.error)  # its type stub takes it for an instance

Headers = Iterable[tuple[str, str]]


class StoredResponse(Struct, frozen=True):
    """An answer as it was received, content encodings included. Headers that do not describe the
    stored body any more (its chunks are joined) are named `X-Crawler-…`."""

    url: str
    status_line: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """The first header of that name (any case), or ''."""
        for known, value in self.headers:
            if known.lower() == name:
                return value
        return ""


def warcinfo_member(file_name: str, software: str, run: str, now: float) -> bytes:
    """The record that opens a file and says who made it."""
    fields = _header_lines(
        [("software", software), ("isPartOf", run), ("format", "WARC File Format 1.1")]
    )
    return _member(
        "warcinfo",
        _new_id(),
        _date(now),
        f"WARC-Filename: {_one_line(file_name)}\r\nContent-Type: application/warc-fields\r\n",
        fields,
    )


def exchange_members(exchange: Exchange) -> tuple[bytes, bytes]:
    """The response record and the request record of an exchange, compressed; b'' for what there
    is not: no answer came, or the request is not known."""
    if not exchange.status:
        return b"", b""
    uri = f"WARC-Target-URI: {_one_line(exchange.url)}\r\n"
    if exchange.address:
        uri += f"WARC-IP-Address: {_one_line(exchange.address)}\r\n"
    cut = _CUT_SHORT.get(exchange.outcome)
    truncated = f"WARC-Truncated: {cut}\r\n" if cut else ""
    identity, date = _new_id(), _date(exchange.fetched_at)
    response = _member(
        "response",
        identity,
        date,
        f"{uri}{truncated}Content-Type: application/http; msgtype=response\r\n",
        _response_head(exchange),
        exchange.body,
    )
    if not exchange.request_headers:
        return response, b""
    request = _member(
        "request",
        _new_id(),
        date,
        f"{uri}WARC-Concurrent-To: {identity}\r\n"
        "Content-Type: application/http; msgtype=request\r\n",
        _request_head(exchange),
    )
    return response, request


def read_response(member: bytes, name: str) -> StoredResponse:
    """The response in a member that `exchange_members` made; `name` is for the error message."""
    try:
        record = isal_zlib.decompress(member, _GZIP)
    except _Damage as error:
        raise FormatError(f"{name} is damaged: {error}.") from error
    head, _, rest = record.partition(b"\r\n\r\n")
    fields = {field.lower(): value for field, value in _read_header_lines(head)}
    length = fields.get("content-length", "")
    if fields.get("warc-type") != "response" or not length.isdecimal():
        raise FormatError(f"{name} is damaged: there is no response where one should be.")
    http_head, _, body = rest[: int(length)].partition(b"\r\n\r\n")
    status_line = http_head.partition(b"\r\n")[0].decode("latin-1")
    headers = tuple(_read_header_lines(http_head))
    return StoredResponse(fields.get("warc-target-uri", ""), status_line, headers, body)


def record_heads(data: bytes, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The heads of the records in a run of whole members, with the length of each member; names
    of fields are in lower case. `name` is for the error message."""
    while data:
        unpacker = isal_zlib.decompressobj(_GZIP)
        try:
            record = unpacker.decompress(data)
        except _Damage as error:
            raise FormatError(f"{name} is damaged: {error}.") from error
        if not unpacker.eof:
            raise FormatError(f"{name} is damaged: a record is cut short.")
        head = record.partition(b"\r\n\r\n")[0]
        rest = unpacker.unused_data
        yield (
            len(data) - len(rest),
            {field.lower(): value for field, value in _read_header_lines(head)},
        )
        data = rest


def _member(
    kind: str, identity: str, date: str, fields: str, head: bytes, body: bytes = b""
) -> bytes:
    record_head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {identity}\r\nWARC-Date: {date}\r\n"
        f"{fields}Content-Length: {len(head) + len(body)}\r\n\r\n"
    )
    record = b"".join((_encoded(record_head), head, body, b"\r\n\r\n"))
    compressed: bytes = isal_zlib.compress(record, _LEVEL, _GZIP)
    return compressed


def _date(moment: float) -> str:
    seconds, milliseconds = divmod(round(moment * 1000), 1000)
    return f"{_date_and_time(seconds)}.{milliseconds:03d}Z"


@lru_cache(maxsize=16)
def _date_and_time(seconds: int) -> str:
    """Remembered, because many pages come within a second."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]


def _new_id() -> str:
    """A random UUID (version 4), at a fifth of the cost of `uuid.uuid4`. (A forked process gets
    a new seed.)"""
    digits = f"{random.getrandbits(128):032x}"
    rest = f"4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-{rest}>"


def _response_head(exchange: Exchange) -> bytes:
    lines = _header_lines(_described(exchange.headers, len(exchange.body)))
    return b"%b\r\n%b\r\n" % (_status_line(exchange.status_line, exchange.status), lines)


def _request_head(exchange: Exchange) -> bytes:
    authority, _, path = exchange.url.partition("://")[2].partition("/")
    lines = _request_lines(exchange.request_headers, authority)
    return b"GET /%b HTTP/1.1\r\n%b\r\n" % (_encoded(_one_line(path)), lines)


@lru_cache(maxsize=256)
def _request_lines(headers: tuple[tuple[str, str], ...], authority: str) -> bytes:
    """Remembered, because we send the same to every page of a host."""
    sent = [(name, text) for name, text in headers if name.lower() not in _SECRETS]
    if not any(name.lower() == "host" for name, _ in sent):
        sent.insert(0, ("Host", authority.rpartition("@")[2]))
    return _header_lines(sent)


def _described(headers: tuple[tuple[str, str], ...], length: int) -> Headers:
    """The headers, made to fit a body that is stored whole and in one piece."""
    framing = [
        (known, text.strip()) for name, text in headers if (known := name.lower()) in _FRAMING
    ]
    if not framing or framing == [("content-length", str(length))]:
        return headers
    kept = [
        (f"X-Crawler-{name}" if name.lower() in _FRAMING else name, text) for name, text in headers
    ]
    return [*kept, ("Content-Length", str(length))]


def _header_lines(headers: Headers) -> bytes:
    pairs = tuple(headers)
    lines = "".join([f"{name}: {text}\r\n" for name, text in pairs])
    # Nearly all headers are sound, and that is told faster for all of them at once.
    if (
        lines.count("\n") == lines.count("\r") == len(pairs)
        and "\0" not in lines
        and _are_tokens(tuple([name for name, _ in pairs]))
    ):
        try:
            return lines.encode("latin-1")
        except UnicodeEncodeError:
            pass
    return b"".join(
        b"%b: %b\r\n" % (_NOT_TOKEN.sub("_", name or "_").encode(), _encoded(_one_line(text)))
        for name, text in pairs
    )


@lru_cache(maxsize=256)
def _are_tokens(names: tuple[str, ...]) -> bool:
    """Remembered, because a host sends the same headers with every page."""
    return "" not in names and _TOKEN.fullmatch("".join(names)) is not None


def _one_line(text: str) -> str:
    if "\n" in text or "\r" in text or "\0" in text:
        return _LINE_ENDS.sub(" ", text)
    return text


def _encoded(text: str) -> bytes:
    """Headers are bytes that were read as Latin-1; what cannot be written so is not from them."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


@lru_cache(maxsize=256)
def _status_line(line: str, status: int) -> bytes:
    """As received, if it is HTTP/1; HTTP/2 and 3 have none, and readers of WARC know only 1."""
    if _STATUS_LINE.fullmatch(line) and not _LINE_ENDS.search(line):
        return _encoded(line)
    try:
        reason = HTTPStatus(status).phrase
    except ValueError:
        reason = "Unknown"
    return f"HTTP/1.1 {status:03d} {reason}".encode()


def _read_header_lines(head: bytes) -> list[tuple[str, str]]:
    lines = head.decode("latin-1").split("\r\n")[1:]
    pairs = [line.partition(":") for line in lines if line]
    return [(name, text.strip(" \t")) for name, _, text in pairs]
