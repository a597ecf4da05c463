import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.content_encoding import decode_body
from gossamer.records import Outcome

CAP = 10_000_000
PAGE = b"<!doctype html>\n" + b"".join(b"<p>paragraph %d</p>\n" % n for n in range(5_000))


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


ENCODERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("x-gzip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "brotli": ("br", lambda data: brotli.compress(data, quality=3)),
}
each_encoding = pytest.mark.parametrize("name", ENCODERS)


@each_encoding
def test_whole_streams(name: str) -> None:
    header, encode = ENCODERS[name]
    decoded = decode_body(encode(PAGE), header.upper(), CAP)
    assert (decoded.outcome, decoded.body, decoded.truncated) == (Outcome.OK, PAGE, False)
    assert decode_body(encode(b""), header, CAP).body == b""
    assert decode_body(b"", header, CAP).outcome is Outcome.OK


@each_encoding
def test_the_bound(name: str) -> None:
    header, encode = ENCODERS[name]
    packed = encode(PAGE)
    assert decode_body(packed, header, len(PAGE)).body == PAGE
    refused = decode_body(packed, header, len(PAGE) - 1)
    assert (refused.outcome, refused.body) == (Outcome.TOO_LARGE, b"")
    assert refused.detail


@each_encoding
def test_a_cut_stream_gives_what_came(name: str) -> None:
    header, encode = ENCODERS[name]
    packed = encode(PAGE)
    decoded = decode_body(packed[: len(packed) // 2], header, CAP)
    assert decoded.outcome is Outcome.OK
    assert decoded.truncated
    assert decoded.body
    assert PAGE.startswith(decoded.body)


@each_encoding
@pytest.mark.parametrize(
    "body",
    [
        PAGE,
        b"hello",
        "Grüße".encode(),
        "<p>é".encode("latin-1"),
        "<p>ä".encode("utf-16"),
        b"%PDF-1",
    ],
)
def test_a_lie_is_taken_as_it_is(name: str, body: bytes) -> None:
    decoded = decode_body(body, ENCODERS[name][0], CAP)
    assert (decoded.outcome, decoded.body, decoded.truncated) == (Outcome.OK, body, False)
    assert decode_body(PAGE, ENCODERS[name][0], 100).outcome is Outcome.TOO_LARGE


@each_encoding
def test_garbage(name: str) -> None:
    decoded = decode_body(b"\xff\x00\x07" + bytes(range(256)) * 4, ENCODERS[name][0], CAP)
    assert (decoded.outcome, decoded.body) == (Outcome.BAD_ENCODING, b"")
    assert decoded.detail


def test_a_corrupted_gzip_stream() -> None:
    packed = gzip.compress(PAGE)
    broken = packed[:50] + b"\xff\x00" * 30 + packed[110:]
    assert decode_body(broken, "gzip", CAP).outcome is Outcome.BAD_ENCODING


def test_members_and_padding() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two")
    for tail in (b"", b"\0" * 100, b"junk"):
        decoded = decode_body(packed + tail, "gzip", CAP)
        assert (decoded.body, decoded.truncated) == (b"one two", False)
    assert decode_body(packed, "gzip", 6).outcome is Outcome.TOO_LARGE
    broken = gzip.compress(b"one ") + b"\x1f\x8b\xff\xff broken"
    assert decode_body(broken, "gzip", CAP).body == b"one "
    assert decode_body(broken, "gzip", CAP).truncated


def test_a_million_members() -> None:
    tiny = gzip.compress(b"")
    assert decode_body(tiny * 1_000 + gzip.compress(b"x"), "gzip", CAP).body == b"x"
    assert decode_body(tiny * 1_000_000, "gzip", CAP).outcome is Outcome.BAD_ENCODING


def test_long_members_behind_the_first() -> None:
    packed = gzip.compress(PAGE) * 20
    assert decode_body(packed, "gzip", CAP).body == PAGE * 20
    decoded = decode_body(packed[:-10], "gzip", CAP)
    assert decoded.truncated
    assert decoded.body.startswith(PAGE * 19)


def test_chains_and_several_headers() -> None:
    twice = gzip.compress(gzip.compress(PAGE))
    assert decode_body(twice, "gzip, gzip", CAP).body == PAGE
    assert decode_body(twice, ["gzip", " GZIP "], CAP).body == PAGE
    mixed = brotli.compress(zlib.compress(PAGE), quality=1)
    assert decode_body(mixed, "deflate, identity, br", CAP).body == PAGE
    assert decode_body(twice, "gzip,gzip,gzip,gzip", CAP).outcome is Outcome.BAD_ENCODING


@pytest.mark.parametrize("header", ["", "identity", "none", " , ", []])
def test_no_encoding(header: str | list[str]) -> None:
    assert decode_body(PAGE, header, CAP).body == PAGE
    assert decode_body(PAGE, header, 10).outcome is Outcome.TOO_LARGE


@pytest.mark.parametrize("header", ["zstd", "compress", "gzip, exi", "x" * 1_000])
def test_unknown_encodings(header: str) -> None:
    decoded = decode_body(PAGE, header, CAP)
    assert decoded.outcome is Outcome.BAD_ENCODING
    assert len(decoded.detail) < 100


def bombs() -> dict[str, tuple[str, bytes]]:
    """Ten gigabytes of zeros each, in about ten megabytes (and fewer for brotli)."""
    million = bytes(1_000_000)
    stream = zlib.compressobj(9, wbits=-15)
    block = stream.compress(million) + stream.flush(zlib.Z_FULL_FLUSH)
    member = gzip.compress(million * 10)
    packer = brotli.Compressor(quality=1)
    block_br = packer.process(million) + packer.flush()
    # A flushed piece of a brotli stream can be repeated after the first, like one of deflate.
    more = packer.process(million) + packer.flush()
    return {
        "one member": ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\3" + block * 10_000),
        "many members": ("gzip", member * 1_000),
        "zlib": ("deflate", b"\x78\x9c" + block * 10_000),
        "raw": ("deflate", block * 10_000),
        "brotli": ("br", block_br + more * 10_000),
        "nested": ("gzip, gzip", gzip.compress(member * 1_000, 1)),
    }


@pytest.mark.parametrize("name", ["one member", "many members", "zlib", "raw", "brotli", "nested"])
def test_a_bomb_is_not_unpacked(name: str) -> None:
    header, bomb = bombs()[name]
    cap = 12_000_000
    tracemalloc.start()
    try:
        decoded = decode_body(bomb, header, cap)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert decoded.outcome is Outcome.TOO_LARGE
    # The output of each layer at its cap, and a copy of what was not read yet.
    assert peak < 4 * cap


@given(st.binary(max_size=2_000), st.sampled_from(["gzip", "deflate", "br", "gzip, br", "x"]))
def test_any_bytes_have_an_outcome(body: bytes, header: str) -> None:
    for data in (body, b"\x1f\x8b\x08" + body, b"\x78\x9c" + body):
        decoded = decode_body(data, header, 1_000)
        assert decoded.outcome in (Outcome.OK, Outcome.BAD_ENCODING, Outcome.TOO_LARGE)
        assert len(decoded.body) <= 1_000
        assert (decoded.outcome is Outcome.OK) or not decoded.body


@given(st.binary(max_size=5_000), st.lists(st.sampled_from(sorted(ENCODERS)), max_size=3))
def test_what_was_encoded_comes_back(body: bytes, names: list[str]) -> None:
    packed = body
    for name in names:
        packed = ENCODERS[name][1](packed)
    decoded = decode_body(packed, ", ".join(ENCODERS[name][0] for name in names), CAP)
    assert (decoded.outcome, decoded.body, decoded.truncated) == (Outcome.OK, body, False)
