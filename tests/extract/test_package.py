import io
import struct
import zipfile
from collections.abc import Callable

import pytest

from gossamer.extract import package
from gossamer.extract.package import Broken, Handler, Package, Properties, Refused
from tests.documents import zipped


class Names(Handler):
    def __init__(self) -> None:
        self.seen: list[str] = []
        self.characters = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.seen.append(name)

    def text(self, text: str) -> None:
        self.characters += len(text)


def opened(members: dict[str, bytes | str], is_full: Callable[[], bool] = lambda: False) -> Package:
    return Package(zipped(members), is_full)


def parsed(xml: bytes | str) -> Names:
    names = Names()
    opened({"a.xml": xml}).parse("a.xml", names)
    return names


def test_names_are_told_with_their_namespaces() -> None:
    assert parsed('<a xmlns="x:y"><b/><c xmlns=""/></a>').seen == ["x:y a", "x:y b", "c"]


def test_other_encodings() -> None:
    assert (
        parsed("<?xml version='1.0' encoding='utf-16'?><a>ü</a>".encode("utf-16")).characters == 1
    )


@pytest.mark.parametrize("encoding", ["nonsense", "big5", "punycode", "zlib", "utf-7"])
def test_odd_encodings(encoding: str) -> None:
    with pytest.raises(Refused, match="an encoding that no document has"):
        parsed(f"<?xml version='1.0' encoding='{encoding}'?><a>text</a>")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE a [<!ENTITY b "c">]>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE a SYSTEM "http://other.example/a.dtd">',
        '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://other.example/"> %b;]>',
        "<!DOCTYPE a>",
    ],
)
def test_declarations_are_refused(declaration: str) -> None:
    with pytest.raises(Refused, match="declares entities"):
        parsed(f"{declaration}<a>text</a>")


def test_no_xml() -> None:
    with pytest.raises(Broken, match="no proper XML"):
        parsed("<a><b></a>")
    with pytest.raises(Broken, match="no proper XML"):
        parsed("")


def test_depth() -> None:
    assert len(parsed("<a>" * 2_000 + "</a>" * 2_000).seen) == 2_000
    with pytest.raises(Refused, match="2,001 deep"):
        parsed("<a>" * 1_000_000)


def test_a_tag_without_end() -> None:
    with pytest.raises(Broken, match="a tag of more than 1,000,000 bytes"):
        parsed("<a b='" + "c" * 20_000_000)


def test_a_text_of_any_length() -> None:
    assert parsed("<a>" + "text " * 1_000_000 + "</a>").characters == 5_000_000


def test_a_zip_bomb_is_not_unpacked() -> None:
    with pytest.raises(
        Refused, match=r"a zip bomb: a\.xml unpacks from [0-9,]+ to 100,000,000 bytes"
    ):
        parsed(b" " * 100_000_000)


def test_what_packs_less_well_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_BOMB_RATIO", 10_000)
    names = Names()
    body = b"<a>" + b"x" * 70_000_000 + b"</a>"
    with pytest.raises(Broken, match=r"too large: only the first 64,000,000 bytes of a\.xml"):
        opened({"a.xml": body}).parse("a.xml", names)
    assert 60_000_000 < names.characters < 65_000_000


def test_a_part_that_can_be_done_without_is_read_less_far() -> None:
    names = Names()
    opened({"a.xml": b"<a>" + b"x y " * 10_000_000}).parse_if_whole("a.xml", names)
    assert 7_000_000 < names.characters < 9_000_000
    opened({"a.xml": b"<a"}).parse_if_whole("a.xml", names)
    opened({"a.xml": b"<a"}).parse_if_whole("b.xml", names)


def test_a_bomb_among_the_parts_that_can_be_done_without() -> None:
    with pytest.raises(Refused, match="a zip bomb"):
        opened({"a.xml": b" " * 100_000_000}).parse_if_whole("a.xml", Names())


def test_nothing_is_read_once_it_is_full() -> None:
    names = Names()
    opened({"a.xml": "<a/>"}, lambda: True).parse("a.xml", names)
    assert names.seen == []


def test_a_member_that_announces_less_than_it_holds() -> None:
    body = bytearray(zipped({"a.xml": b"<a>" + b"x" * 1_000 + b"</a>"}))
    sizes = body.index(struct.pack("<I", 1_007), body.index(b"PK\x01\x02"))
    body[sizes : sizes + 4] = struct.pack("<I", 500)
    names = Names()
    with pytest.raises(Broken):
        Package(bytes(body), lambda: False).parse("a.xml", names)
    assert names.characters <= 500


def test_too_many_members() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(package.MAX_MEMBERS + 1):
            archive.writestr(zipfile.ZipInfo(str(number)), b"")
    with pytest.raises(Refused, match="20,001 files in it"):
        Package(file.getvalue(), lambda: False)


def test_an_encrypted_member() -> None:
    body = bytearray(zipped({"a.xml": "<a/>"}))
    body[body.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(Refused, match="encrypted: it opens with a password only"):
        Package(bytes(body), lambda: False).parse("a.xml", Names())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_odd_ways_of_packing(method: int) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("a.xml", "<a/>")
    with pytest.raises(Refused, match="packed in a way"):
        Package(file.getvalue(), lambda: False).parse("a.xml", Names())


def test_damage_in_a_member() -> None:
    body = bytearray(zipped({"a.xml": "<a>" + "some text " * 1_000 + "</a>"}))
    body[45:60] = bytes(15)
    with pytest.raises(Broken, match=r"a\.xml cannot be unpacked"):
        Package(bytes(body), lambda: False).parse("a.xml", Names())


def test_properties() -> None:
    properties = Properties()
    opened(
        {
            "a": '<a xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>One &amp; two</dc:title>'
            "<title>other</title><dc:subject/></a>"
        }
    ).parse("a", properties)
    assert (properties["title"], properties["subject"], properties["creator"]) == (
        *("One & two", "", ""),
    )
