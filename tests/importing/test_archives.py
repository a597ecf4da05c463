import gzip
import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import UsageError
from gossamer.importing import archives
from gossamer.importing.archives import Broken, Record, Shape, records, shape_of

from .warcs import in_frames, in_members, record, response, trained, warcinfo, written

Pack = Callable[[list[bytes]], bytes]

URLS = [f"http://a.test/{number}" for number in range(4)]
RECORDS = [response(url) for url in URLS]


def read(path: Path, start: int = 0, *, exact: bool = True) -> tuple[list[str], list[Broken]]:
    """The URLs of whole records, and the broken places."""
    urls, broken = [], []
    for found in records(path, shape_of(path), start, exact=exact):
        if isinstance(found, Broken):
            broken.append(found)
        else:
            found.skip()
            if not found.broken:
                urls.append(found.url)
    return urls, broken


# Packings


def test_plain(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", b"".join(RECORDS))
    assert shape_of(path) == Shape("", can_be_entered=True)
    assert read(path) == (URLS, [])
    places = [found.place for found in records(path, shape_of(path))]
    assert places[2] == len(RECORDS[0]) + len(RECORDS[1])
    assert read(path, places[2]) == (URLS[2:], [])


def test_a_member_for_each_record(tmp_path: Path) -> None:
    path = written(tmp_path / "anything.bin", in_members(RECORDS))
    assert shape_of(path) == Shape("gzip", can_be_entered=True)
    assert read(path) == (URLS, [])
    first = len(gzip.compress(RECORDS[0]))
    assert [found.place for found in records(path, shape_of(path))][1] == first
    assert read(path, first) == (URLS[1:], [])


@pytest.mark.parametrize("cut", [500, 1000])
def test_members_that_hold_no_single_record(tmp_path: Path, cut: int) -> None:
    data = b"".join(RECORDS)
    path = written(tmp_path / "a.warc.gz", in_members([data[:cut], data[cut:]]))
    assert shape_of(path) == Shape("gzip", can_be_entered=False)
    assert read(path) == (URLS, [])
    assert read(path, 2) == (URLS[2:], [])


def test_one_member_for_all(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc.gz", gzip.compress(b"".join(RECORDS)))
    assert shape_of(path) == Shape("gzip", can_be_entered=False)
    assert read(path) == (URLS, [])
    assert [found.place for found in records(path, shape_of(path))] == [0, 1, 2, 3]


def test_a_first_record_longer_than_one_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_LOOK_BYTES", 100)
    large = response("http://a.test/large", random.Random(1).randbytes(5_000))
    path = written(tmp_path / "a.warc.gz", in_members([large, *RECORDS]))
    assert shape_of(path).can_be_entered
    path = written(tmp_path / "b.warc.gz", gzip.compress(large + b"".join(RECORDS)))
    assert not shape_of(path).can_be_entered


def test_zstd_with_a_dictionary_and_without(tmp_path: Path) -> None:
    plain = in_frames(RECORDS, tmp_path / "a.warc.zst")
    assert shape_of(plain) == Shape("zstd", can_be_entered=False)
    assert read(plain) == (URLS, [])
    with_dictionary = in_frames(RECORDS, tmp_path / "b.warc.zst", trained(RECORDS))
    assert read(with_dictionary) == (URLS, [])


@pytest.mark.parametrize("version", ["0.17", "0.18", "1.0", "1.1"])
def test_versions(tmp_path: Path, version: str) -> None:
    path = written(tmp_path / "a.warc", response(URLS[0], version=version) + RECORDS[1])
    assert read(path) == (URLS[:2], [])


def test_bare_line_feeds(tmp_path: Path) -> None:
    data = b"".join(response(url, line="\n") for url in URLS)
    path = written(tmp_path / "a.warc", data)
    assert shape_of(path) == Shape("", can_be_entered=True, bare_lines=True)
    assert read(path) == (URLS, [])


# What is no WARC file


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"<html>hello</html>", "begins with '<html>hello"),
        (gzip.compress(b"<html>hello</html>"), "begins with '<html>hello"),
        (b"\x1f\x8b\x08 not gzip at all", "cannot be unpacked"),
        (b"filedesc://x.arc 0.0.0.0 2002 text/plain 76\n", "an ARC file"),
        (b"WARC/9.9\r\nWARC-Type: response\r\n\r\n", "its version is not known"),
    ],
)
def test_no_warc_file(tmp_path: Path, data: bytes, reason: str) -> None:
    path = written(tmp_path / "a.warc", data)
    with pytest.raises(UsageError, match=reason) as refused:
        shape_of(path)
    assert str(path) in str(refused.value)


def test_no_file_at_all(tmp_path: Path) -> None:
    for path, reason in ((tmp_path, "is a folder"), (tmp_path / "no", "does not exist")):
        with pytest.raises(UsageError, match=reason):
            shape_of(path)
    with pytest.raises(UsageError, match="that can be read twice"):
        shape_of(Path("/dev/null"))


# Headers


def test_what_a_record_says(tmp_path: Path) -> None:
    data = warcinfo() + response("<http://a.test/x>", date="2024-05-01T12:00:00.500Z")
    first, second = (
        (found.kind, found.url, found.seconds)
        for found in records(written(tmp_path / "a.warc", data), Shape("", True))
        if isinstance(found, Record)
    )
    assert first[:2] == ("", "")
    assert second == ("response", "http://a.test/x", 1714564800.5)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2020-01-01T00:00:00Z", 1577836800.0),
        ("2020-01-01T00:00:00", 1577836800.0),
        ("20200101000000", 1577836800.0),
        ("2020-01-01", 1577836800.0),
        ("2020-01", 1577836800.0),
        ("2020", 1577836800.0),
        ("2020-13-45T00:00:00Z", 0.0),
        ("yesterday", 0.0),
        ("0001-01-01T00:00:00Z", 0.0),
        ("9999-12-31T23:59:59Z", 253402300799.0),
    ],
)
def test_dates(tmp_path: Path, text: str, seconds: float) -> None:
    path = written(tmp_path / "a.warc", response(URLS[0], date=text))
    (found,) = records(path, Shape("", True))
    assert isinstance(found, Record)
    assert found.seconds == seconds


def test_no_more_of_a_block_than_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", record("resource", URLS[0], b"abcdef") + RECORDS[1])
    blocks = [
        found.block(3) for found in records(path, Shape("", True)) if isinstance(found, Record)
    ]
    assert blocks == [b"abc", RECORDS[1].partition(b"\r\n\r\n")[2][:3]]


# Broken ones


def damaged(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF, data[at + 1] ^ 0xFF]) + data[at + 2 :]


@pytest.mark.parametrize("at", [12, 40, 120, -6])
def test_a_damaged_member_costs_itself_alone(tmp_path: Path, at: int) -> None:
    members = [gzip.compress(one) for one in RECORDS]
    members[1] = damaged(members[1], at % len(members[1]))
    path = written(tmp_path / "a.warc.gz", b"".join(members))
    urls, broken = read(path)
    assert [url for url in urls if url != URLS[1]] == [URLS[0], URLS[2], URLS[3]]
    assert [one.place for one in broken] == [len(members[0])]


@pytest.mark.parametrize("junk", [b"junk", b"\0" * 100, b"\x1f\x8b\x08" * 10])
def test_junk_between_members(tmp_path: Path, junk: bytes) -> None:
    data = in_members(RECORDS[:2]) + junk + in_members(RECORDS[2:])
    urls, broken = read(written(tmp_path / "a.warc.gz", data))
    assert urls == URLS
    assert len(broken) == 1
    assert len(in_members(RECORDS[:1])) < broken[0].place <= len(in_members(RECORDS[:2]))


def test_junk_between_plain_records(tmp_path: Path) -> None:
    data = b"".join(RECORDS[:2]) + b"junk\r\n\r\n" + b"".join(RECORDS[2:])
    urls, broken = read(written(tmp_path / "a.warc", data))
    assert urls == URLS
    assert len(broken) == 1


@pytest.mark.parametrize("pack", [b"".join, in_members])
@pytest.mark.parametrize("length", [10, 2_000, "abc", "9" * 30, "-5"])
def test_a_length_that_lies_costs_its_record_alone(
    tmp_path: Path, pack: Pack, length: int | str
) -> None:
    data = pack([RECORDS[0], response("http://a.test/liar", length=length), *RECORDS[1:]])
    urls, broken = read(written(tmp_path / "a.warc", data))
    assert [url for url in urls if "liar" not in url] == URLS
    assert broken


@pytest.mark.parametrize("pack", [b"".join, in_members])
def test_a_file_that_ends_too_early(tmp_path: Path, pack: Pack) -> None:
    data = pack(RECORDS)
    for cut in range(1, 60, 7):
        urls, broken = read(written(tmp_path / "a.warc", data[:-cut]))
        assert urls[:3] == URLS[:3]
        assert len(urls) + len(broken) >= 4 or cut <= 8  # its last lines or its checksum alone


def test_the_rest_of_a_file_that_cannot_be_entered_is_lost(tmp_path: Path) -> None:
    data = gzip.compress(b"".join(RECORDS))
    urls, broken = read(written(tmp_path / "a.warc.gz", damaged(data, len(data) // 2)))
    assert urls == URLS[: len(urls)]
    assert len(broken) == 1
    assert "the rest of the file is lost" in broken[0].reason


def test_a_header_without_end(tmp_path: Path) -> None:
    endless = response("http://a.test/x", headers=[("X-Long", "a" * 1_000_000)])
    urls, broken = read(written(tmp_path / "a.warc", RECORDS[0] + endless + RECORDS[1]))
    assert urls == URLS[:2]
    assert len(broken) == 1


def test_a_file_that_is_broken_throughout_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_BROKEN_PLACES", 5)
    headers = b"WARC/1.0\r\nWARC-Type: response\r\n\r\n\r\n" * 100
    urls, broken = read(written(tmp_path / "a.warc", RECORDS[0] + headers + RECORDS[1]))
    assert urls == URLS[:1]
    assert len(broken) <= 6
    assert "the rest is left out" in broken[-1].reason


# Entering in the middle


def test_the_first_record_behind_a_place(tmp_path: Path) -> None:
    for name, data in (("a.warc", b"".join(RECORDS)), ("a.warc.gz", in_members(RECORDS))):
        path = written(tmp_path / name, data)
        shape = shape_of(path)
        places = [found.place for found in records(path, shape)]
        for place in range(len(data)):
            (first, *_) = [*records(path, shape, place, exact=False), None]
            expected = next((known for known in places if known >= place), None)
            assert (None if first is None else first.place) == expected


@given(
    junk=st.binary(max_size=300),
    pack=st.sampled_from([b"".join, in_members]),
    position=st.integers(0, 4),
)
def test_whatever_stands_between_records_nothing_raises(
    junk: bytes, pack: Pack, position: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = pack(RECORDS[:position])
    rest = pack(RECORDS[position:])
    path = written(tmp_path_factory.mktemp("junk") / "a.warc", data + junk + rest)
    try:
        shape = shape_of(path)
    except UsageError:
        return
    for found in records(path, shape):
        if isinstance(found, Record):
            assert isinstance(found.block(1_000), bytes)


def test_what_is_read_is_closed(tmp_path: Path) -> None:
    """Warnings are errors here: a file that is left open shows."""
    path = written(tmp_path / "a.warc.gz", in_members(RECORDS))
    for _ in range(3):
        next(iter(records(path, shape_of(path))))
    assert io.BytesIO(path.read_bytes()).read(2) == b"\x1f\x8b"
