import pytest

from gossamer.extract.document import MAX_CHARACTERS
from gossamer.extract.docx import DocxProcessor
from gossamer.extract.draft import PageDraft, finished
from gossamer.extract.sniff import DOCX
from gossamer.records import Directives, Outcome, PageContent, RawPage, Unread
from gossamer.urls import Resolver
from tests.documents import docx, docx_members, paragraph, run, word_xml, zipped

HEADINGS = (
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="My own"/>'
    '<w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Circle"><w:name w:val="Circle"/>'
    '<w:basedOn w:val="Circle"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Level"><w:name w:val="Section"/><w:pPr>'
    '<w:outlineLvl w:val="2"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Bullets"><w:name w:val="Bullets"/><w:pPr><w:numPr>'
    '<w:numId w:val="3"/></w:numPr></w:pPr></w:style>'
)


def processed(body: bytes, tags: tuple[str, ...] = ()) -> PageDraft | Unread:
    page = RawPage("https://example.org/dir/file.docx", DOCX, "", body, tags)
    return DocxProcessor("Gossamer", Resolver()).read(page)


def read(body: bytes, tags: tuple[str, ...] = ()) -> PageContent:
    draft = processed(body, tags)
    assert not isinstance(draft, Unread), draft
    return finished([draft])[0]


def unread(body: bytes) -> str:
    found = processed(body)
    assert isinstance(found, Unread), found
    assert found.outcome is Outcome.UNREADABLE
    return found.detail


def pieces(body: str, styles: str = "") -> list[tuple[str, str]]:
    content = read(docx(body, styles=styles))
    return list(zip(content.classes, content.text.split("\n"), strict=True))


# Text and classes


def test_paragraphs_and_runs() -> None:
    body = f"<w:p>{run('Hel')}{run('lo  ')}{run('world')}</w:p><w:p/>{paragraph('1 < 2 & 3')}"
    assert pieces(body) == [("p", "Hello world"), ("p", "1 < 2 & 3")]


def test_headings_by_the_names_of_their_styles() -> None:
    body = (
        paragraph("One", "berschrift1")
        + paragraph("Own", "Own")
        + paragraph("Level", "Level")
        + paragraph("Circle", "Circle")
        + paragraph("None", "Nowhere")
    )
    assert pieces(body, styles=HEADINGS) == [
        ("1", "One"),
        ("1", "Own"),
        ("3", "Level"),
        ("p", "Circle"),
        ("p", "None"),
    ]


def test_headings_without_a_table_of_styles() -> None:
    names = ("Title", "Heading1", "Heading2", "Heading3", "Heading4", "Heading9", "Heading10")
    body = "".join(paragraph(name, name) for name in names)
    assert "".join(letter for letter, _ in pieces(body)) == "112344p"


def test_a_paragraph_with_its_own_place_in_the_outline() -> None:
    body = paragraph("Two", properties='<w:outlineLvl w:val="1"/>') + paragraph(
        "Text", "Heading1", '<w:outlineLvl w:val="9"/>'
    )
    assert pieces(body) == [("2", "Two"), ("1", "Text")]


def test_lists() -> None:
    number = '<w:numPr><w:numId w:val="%d"/></w:numPr>'
    body = (
        paragraph("item", properties=number % 1)
        + paragraph("styled", "Bullets")
        + paragraph("not any more", "Bullets", number % 0)
        + paragraph("numbered heading", "Heading2", number % 1)
        + paragraph("bullet", "ListBullet")
    )
    assert pieces(body, styles=HEADINGS) == [
        *(("l", "item"), ("l", "styled"), ("p", "not any more")),
        *(("2", "numbered heading"), ("l", "bullet")),
    ]


def test_quotes_and_code() -> None:
    body = paragraph("said", "Quote") + paragraph("x = 1", "HTMLPreformatted")
    styles = '<w:style w:styleId="HTMLPreformatted"><w:name w:val="HTML Preformatted"/></w:style>'
    assert pieces(body, styles=styles) == [("q", "said"), ("x", "x = 1")]


def test_tables() -> None:
    cells = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("a", "b"))
    body = f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>{paragraph('after')}"
    assert pieces(body) == [("c", "a"), ("c", "b"), ("p", "after")]


def test_breaks_tabs_and_hyphens() -> None:
    body = f"<w:p>{run('a')}<w:r><w:tab/></w:r>{run('b')}<w:r><w:br/></w:r>{run('c')}<w:r>\
<w:noBreakHyphen/></w:r>{run('d')}</w:p>"
    assert pieces(body) == [("p", "a b"), ("p", "c-d")]


def test_what_is_not_text() -> None:
    body = (
        f"<w:p><w:moveFrom>{run('moved away')}</w:moveFrom>{run('stays')}"
        "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        f"<w:ins>{run(' with more')}</w:ins>{run('hidden', '<w:vanish/>')}"
        f"""{run("!", '<w:vanish w:val="0"/>')}</w:p>"""
    )
    assert pieces(body) == [("p", "stays with more!")]


def test_a_text_box_is_read_once() -> None:
    box = f"<w:txbxContent>{paragraph('in the box')}</w:txbxContent>"
    body = (
        f"<w:p>{run('around ')}<w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>{run('it')}</w:p>"
    )
    assert pieces(body) == [("p", "in the box"), ("p", "around it")]


def test_notes() -> None:
    members = docx_members(paragraph("text"))
    notes = (
        f'<w:footnote w:type="separator">{paragraph("-----")}</w:footnote>'
        f"<w:footnote>{paragraph('a note')}</w:footnote>"
    )
    members["word/footnotes.xml"] = word_xml(notes, "footnotes")
    assert read(zipped(members)).text == "text\na note"


# Links and what it says of itself


def test_links() -> None:
    body = (
        f'<w:p><w:hyperlink r:id="a">{run("two ")}{run("runs")}</w:hyperlink>'
        f'<w:hyperlink r:id="b">{run("mail")}</w:hyperlink>'
        f'<w:hyperlink w:anchor="here">{run("inside")}</w:hyperlink>'
        f'<w:hyperlink r:id="missing">{run("lost")}</w:hyperlink></w:p>'
    )
    content = read(docx(body, {"a": "https://other.example/x#y", "b": "mailto:a@example.org"}))
    assert [(link.url.href, link.anchor) for link in content.links] == [
        ("https://other.example/x", "two runs")
    ]
    assert content.other_links == 1
    assert content.text == "two runsmailinsidelost"


def test_links_in_fields() -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    instruction = '<w:r><w:instrText> HYPERLINK "../up" \\o "tip" </w:instrText></w:r>'
    simple = "<w:fldSimple w:instr=' HYPERLINK \"https://other.example/\" '>%s</w:fldSimple>"
    body = (
        f"<w:p>{mark('begin')}{instruction}{mark('separate')}{run('up')}{mark('end')}"
        f"{simple % run('simple')}"
        f"{mark('begin')}<w:r><w:instrText>PAGE</w:instrText></w:r>{mark('separate')}{run('7')}"
        f"{mark('end')}{mark('end')}</w:p>"
    )
    content = read(docx(body))
    assert [(link.url.href, link.anchor) for link in content.links] == [
        ("https://example.org/up", "up"),
        ("https://other.example/", "simple"),
    ]
    assert content.text == "upsimple7"


def test_title_description_and_language() -> None:
    properties = "<dc:title>A &amp; B</dc:title><dc:subject>About</dc:subject>"
    styles = '<w:docDefaults><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:docDefaults>'
    content = read(docx(paragraph("Guten Tag"), properties=properties, styles=styles))
    assert (content.title, content.description, content.language) == ("A & B", "About", "de")
    described = read(docx("", properties="<dc:description>Remarks</dc:description>"))
    assert (described.title, described.description) == ("", "Remarks")


def test_directives() -> None:
    body = f'<w:p><w:hyperlink r:id="a">{run("x")}</w:hyperlink></w:p>'
    content = read(docx(body, {"a": "/y"}), ("none",))
    assert content.directives == Directives.NOINDEX | Directives.NOFOLLOW
    assert [link.nofollow for link in content.links] == [True]


def test_another_name_of_the_main_part() -> None:
    members = docx_members(paragraph("found"))
    members["word/document2.xml"] = members.pop("word/document.xml")
    relations = members["_rels/.rels"]
    assert isinstance(relations, str)
    members["_rels/.rels"] = relations.replace('"word/document.xml"', '"/word/document2.xml"')
    assert read(zipped(members)).text == "found"


def test_the_strict_kind() -> None:
    members = {
        name: text.replace(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
        )
        for name, text in docx_members(paragraph("Strict", "Heading1")).items()
        if isinstance(text, str)
    }
    assert read(zipped({**members})).classes == "1"


# What cannot be read


def test_a_password() -> None:
    locked = b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le")
    assert unread(locked) == "encrypted: it opens with a password only"


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04", b"text", docx(paragraph("x"))[:-60]])
def test_no_zip(body: bytes) -> None:
    assert unread(body) == "broken: a zip that is damaged or cut off"


def test_no_document_in_the_zip() -> None:
    assert unread(zipped({"a": "b"})) == "broken: there is no word/document.xml in it"


def test_names_in_a_detail_are_harmless() -> None:
    members = docx_members("")
    relations = members["_rels/.rels"]
    assert isinstance(relations, str)
    members["_rels/.rels"] = relations.replace("word/", "\u202e\x85" + "x" * 5_000)
    detail = unread(zipped(members))
    assert detail.startswith("broken: there is no ??xxx")
    assert len(detail) == 200


def test_no_xml() -> None:
    members = docx_members("")
    members["word/document.xml"] = "nonsense"
    assert unread(zipped(members)).startswith("broken: word/document.xml is no proper XML")


def test_xml_that_breaks_off_is_taken_as_far_as_it_goes() -> None:
    members = docx_members("")
    members["word/document.xml"] = word_xml(paragraph("a start") + "<w:p>" + run("and"))[:-30]
    content = read(zipped(members))
    assert content.text == "a start\nand"
    assert content.is_partial
    assert content.note.startswith("taken as far as it could be read: broken: word/document.xml")


def test_broken_parts_that_can_be_done_without() -> None:
    members = docx_members(paragraph("text", "Heading1"))
    for name in ("word/styles.xml", "word/_rels/document.xml.rels", "docProps/core.xml"):
        members[name] = "<broken"
    assert read(zipped(members)).classes == "1"


def test_more_text_than_is_taken() -> None:
    content = read(docx(paragraph("many words " * 1_000) * 200))
    assert content.note == "only the first 2,000,000 characters were taken"
    assert content.is_partial
    assert sum(map(len, content.text.split("\n"))) <= MAX_CHARACTERS
