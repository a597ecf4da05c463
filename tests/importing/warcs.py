"""WARC files for tests, written by hand: also those that no tool should have written."""

import gzip
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # fastwarc warns of its own old classes
    from fastwarc.stream_io import ZstdWriter, zstd_train_dictionary_from_samples

DATE = "2024-05-01T12:00:00Z"
HTML = "Content-Type: text/html; charset=utf-8\r\n"


def page_html(title: str, *links: str) -> bytes:
    """A page with a text of its own."""
    anchors = "".join(f'<a href="{link}">to {link}</a> ' for link in links)
    words = " ".join(f"{title}{number}" for number in range(30))
    return f"<html><head><title>{title}</title></head><body><p>{words}</p>{anchors}".encode()


def record(
    kind: str,
    uri: str,
    block: bytes,
    *,
    date: str = DATE,
    version: str = "1.1",
    content_type: str = "application/http; msgtype=response",
    length: int | str | None = None,
    headers: Sequence[tuple[str, str]] = (),
    line: str = "\r\n",
) -> bytes:
    has_id = any(name == "WARC-Record-ID" for name, _ in headers)
    pairs = [
        ("WARC-Type", kind),
        *([] if has_id else [("WARC-Record-ID", _id_of(kind, uri, date))]),
        ("WARC-Date", date),
        *([("WARC-Target-URI", uri)] if uri else []),
        ("Content-Type", content_type),
        *headers,
        ("Content-Length", str(len(block) if length is None else length)),
    ]
    head = line.join([f"WARC/{version}", *(f"{name}: {text}" for name, text in pairs)])
    return head.encode() + (2 * line).encode() + block + (2 * line).encode()


def _id_of(*parts: str) -> str:
    return f"<urn:uuid:{abs(hash(parts)):032x}>"


def answer(body: bytes, *, status: str = "200 OK", headers: str = HTML) -> bytes:
    return f"HTTP/1.1 {status}\r\n{headers}\r\n".encode() + body


def response(
    uri: str,
    body: bytes | None = None,
    *,
    status: str = "200 OK",
    http: str = HTML,
    date: str = DATE,
    version: str = "1.1",
    length: int | str | None = None,
    headers: Sequence[tuple[str, str]] = (),
    line: str = "\r\n",
) -> bytes:
    body = page_html(uri.rpartition("/")[2] or "home") if body is None else body
    return record(
        "response",
        uri,
        answer(body, status=status, headers=http),
        date=date,
        version=version,
        length=length,
        headers=headers,
        line=line,
    )


def warcinfo() -> bytes:
    return record("warcinfo", "", b"software: test\r\n", content_type="application/warc-fields")


def chunked(*pieces: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


def in_members(records: Iterable[bytes]) -> bytes:
    """As nearly all tools pack: a gzip member for each record."""
    return b"".join(gzip.compress(one) for one in records)


def in_frames(records: Iterable[bytes], path: Path, dictionary: bytes | None = None) -> Path:
    """In zstd, a frame for each record."""
    with path.open("wb") as file:
        writer = ZstdWriter(file, dictionary=dictionary)
        for one in records:
            writer.write(one)
            writer.finish()
        writer.close()
    return path


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def trained(records: Iterable[bytes]) -> bytes:
    """A dictionary for zstd."""
    samples = [b"%d %b" % (number, one) for one in records for number in range(20)]
    dictionary: bytes = zstd_train_dictionary_from_samples(samples, 2_000)
    return dictionary
