from gossamer.extract.draft import PageDraft, finished
from gossamer.extract.odt import OdtProcessor
from gossamer.extract.sniff import ODT, format_of
from gossamer.records import Outcome, PageContent, RawPage, Unread
from gossamer.urls import Resolver
from tests.documents import odt, odt_members, zipped


def processed(body: bytes) -> PageDraft | Unread:
    page = RawPage("https://example.org/dir/file.odt", ODT, "", body)
    return OdtProcessor("Gossamer", Resolver()).read(page)


def read(body: bytes) -> PageContent:
    draft = processed(body)
    assert not isinstance(draft, Unread), draft
    return finished([draft])[0]


def pieces(body: str, styles: str = "") -> list[tuple[str, str]]:
    content = read(odt(body, styles))
    return list(zip(content.classes, content.text.split("\n"), strict=True))


def test_headings_paragraphs_lists_and_tables() -> None:
    assert pieces(
        '<text:h text:outline-level="1">One</text:h><text:h text:outline-level="5">Five</text:h>'
        "<text:p>A <text:span>short</text:span><text:s/>text</text:p>"
        "<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>cell</text:p></table:table-cell>"
        "</table:table-row></table:table><text:p>after<text:line-break/>a break</text:p>"
    ) == [
        *(("1", "One"), ("4", "Five"), ("p", "A short text"), ("l", "item"), ("c", "cell")),
        *(("p", "after"), ("p", "a break")),
    ]


def test_styles() -> None:
    styles = '<style:style style:name="P1" style:parent-style-name="Quotations"/>'
    assert pieces(
        '<text:p text:style-name="Title">Title</text:p><text:p text:style-name="P1">said</text:p>'
        '<text:p text:style-name="Preformatted_20_Text">x = 1</text:p>',
        styles,
    ) == [("1", "Title"), ("q", "said"), ("x", "x = 1")]


def test_what_is_not_text() -> None:
    assert pieces(
        "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        "<text:p>kept<office:annotation><text:p>a remark</text:p></office:annotation>"
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note"
        "</text:p></text:note-body></text:note> on</text:p>"
    ) == [("p", "kept"), ("p", "a note"), ("p", "on")]


def test_links_and_properties() -> None:
    content = read(
        odt(
            '<text:p><text:a xlink:href="https://other.example/">there</text:a>'
            '<text:a xlink:href="#x">here</text:a></text:p>',
            properties="<dc:title>T</dc:title><dc:subject>S</dc:subject>"
            "<dc:language>fr-FR</dc:language>",
        )
    )
    assert [(link.url.href, link.anchor) for link in content.links] == [
        ("https://other.example/", "there")
    ]
    assert (content.title, content.description, content.language) == ("T", "S", "fr")


def test_it_is_known_by_its_first_bytes() -> None:
    assert format_of(odt("<text:p/>")) == ODT


def test_a_password() -> None:
    members = odt_members("<text:p>x</text:p>")
    members["content.xml"] = b"\x8f\x12 encrypted"
    members["META-INF/manifest.xml"] = (
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        "<m:file-entry><m:encryption-data/></m:file-entry></m:manifest>"
    )
    expected = Unread(Outcome.UNREADABLE, "encrypted: it opens with a password only")
    assert processed(zipped(members)) == expected


def test_broken_ones() -> None:
    assert processed(b"PK") == Unread(
        Outcome.UNREADABLE, "broken: a zip that is damaged or cut off"
    )
    members = odt_members("")
    del members["content.xml"]
    assert processed(zipped(members)) == Unread(
        Outcome.UNREADABLE, "broken: there is no content.xml in it"
    )


def test_content_that_breaks_off() -> None:
    members = odt_members("<text:p>a start</text:p><text:p>and")
    content = read(zipped(members))
    assert (content.text, content.is_partial) == ("a start\nand", True)
