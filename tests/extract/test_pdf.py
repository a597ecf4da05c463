import zlib
from collections.abc import Iterator

import pytest

from gossamer.extract import pdf as reader
from gossamer.extract.document import MAX_CHARACTERS
from gossamer.extract.draft import finished
from gossamer.extract.sniff import PDF
from gossamer.records import Directives, Outcome, PageContent, RawPage, Unread
from gossamer.urls import Resolver
from tests.documents import Pdf, pdf, pdf_string
from tests.extract.heavy import HeavyReader, assert_whole, heavy_reader


@pytest.fixture(scope="module")
def heavy() -> Iterator[HeavyReader]:
    with heavy_reader() as running:
        yield running


def read(body: bytes, tags: tuple[str, ...] = ()) -> PageContent:
    page = RawPage("https://example.org/dir/file.pdf", PDF, "", body, tags)
    draft = reader.PdfProcessor("Gossamer", Resolver()).read(page)
    assert not isinstance(draft, Unread), draft
    return finished([draft])[0]


def pieces(content: PageContent) -> list[tuple[str, str]]:
    return list(zip(content.classes, content.text.split("\n"), strict=True))


# Good ones


def test_the_text_of_all_pages() -> None:
    content = read(pdf(["All human beings", "(are) born \\ free"], [], ["Ça et là — fin"]))
    assert pieces(content) == [
        ("p", "All human beings"),
        ("p", "(are) born \\ free"),
        ("p", "Ça et là — fin"),
    ]
    assert content.charset == ""
    assert (content.is_partial, content.note) == (False, "")
    assert content.content_hash != 0


def test_compressed_streams() -> None:
    assert read(pdf(["Packed"], packed=True)).text == "Packed"


def test_what_it_says_of_itself() -> None:
    content = read(
        pdf(["Guten Tag"], title="Über  den\nSchnee ☃", subject="Warum er fällt", language="de-AT")
    )
    assert content.title == "Über den Schnee ☃"
    assert content.description == "Warum er fällt"
    assert content.language == "de"
    assert pieces(content)[0] == ("t", "Über den Schnee ☃")


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Microsoft Word - Report.doc", "Report.doc"),
        ("untitled", ""),
        ("(anonymous)", ""),
        ("Anonymous", ""),
        ("Anonymous letters", "Anonymous letters"),
        ("PowerPoint Presentation", ""),
        (" - ", ""),
        ("Untitled songs", "Untitled songs"),
    ],
)
def test_titles_that_programs_write(written: str, title: str) -> None:
    assert read(pdf(["x"], title=written)).title == title


def test_headings_are_what_the_outline_names() -> None:
    outline = [("Introduction", 0), ("Of  methods", 1), ("Nowhere to be seen", 1)]
    content = read(
        pdf(["1. INTRODUCTION", "Of methods", "text"], ["2 Of methods", "x"], outline=outline)
    )
    assert pieces(content) == [
        ("1", "1. INTRODUCTION"),
        ("p", "Of methods"),  # that one is on the next page
        ("p", "text"),
        ("1", "2 Of methods"),
        ("p", "x"),
    ]


def test_links_and_their_text() -> None:
    links = [
        *((0, 0, "https://other.example/a"), (0, 2, "b?c#d"), (1, 0, "mailto:x@example.org")),
        *((1, 0, "#place"), (0, 0, "https://other.example/a")),
    ]
    content = read(pdf(["the first link", "no link", "a relative one"], ["mail"], links=links))
    assert [(link.url.href, link.anchor) for link in content.links] == [
        ("https://other.example/a", "the first link"),
        ("https://example.org/dir/b?c", "a relative one"),
    ]
    assert content.other_links == 1
    assert not any(link.nofollow for link in content.links)


def test_directives() -> None:
    content = read(pdf(["x"], links=[(0, 0, "/y")]), ("noindex, nofollow",))
    assert content.directives == Directives.NOINDEX | Directives.NOFOLLOW
    assert [link.nofollow for link in content.links] == [True]


def test_something_in_front_of_the_header() -> None:
    assert read(b"junk of a server\n" + pdf(["still read"])).text == "still read"


def test_a_document_that_opens_without_a_password() -> None:
    """Encrypted all the same: so that it cannot be changed, for example."""
    assert read(pdf(["for all to read"], opens_with="")).text == "for all to read"


def test_no_text_at_all() -> None:
    content = read(pdf([]))
    assert (content.text, content.content_hash) == ("", 0)


# Broken ones


def test_a_password(heavy: HeavyReader) -> None:
    unread = heavy.unread(pdf(["secret"], opens_with="sesame"), PDF)
    expected = Unread(Outcome.UNREADABLE, "encrypted: it opens with a password only")
    assert unread == expected


def test_an_unknown_encryption(heavy: HeavyReader) -> None:
    body = pdf(["secret"], opens_with="").replace(b"/Filter/Standard", b"/Filter/Stranger")
    unread = heavy.unread(body, PDF)
    assert unread.outcome is Outcome.UNREADABLE
    assert unread.detail.startswith("encrypted")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"%PDF-",
        b"%PDF-1.7\n%%EOF",
        b"not at all",
        pdf(["x"])[:200],
        b"%PDF-1.7\n" + b"(" * 5_000_000,
        b"%PDF-1.7\n" + b"<<" * 5_000_000,
        b"%PDF-1.7\n" + b"1 0 obj\n<<>>\nendobj\n" * 300_000,
    ],
    ids=["empty", "header", "nothing", "other", "cut", "strings", "dictionaries", "objects"],
)
def test_broken(heavy: HeavyReader, body: bytes) -> None:
    unread = heavy.unread(body, PDF)
    assert unread.outcome is Outcome.UNREADABLE
    assert unread.detail.startswith("broken: ")


def test_a_document_without_its_end_is_mended(heavy: HeavyReader) -> None:
    whole = pdf(["the first page"], ["the second page"])
    body = whole[: whole.rindex(b"xref\n0")] + b"trailer<</Root 1 0 R>>"
    assert heavy.content(body, PDF).text == "the first page\nthe second page"


def test_pages_that_are_not_there(heavy: HeavyReader) -> None:
    file = one_page()
    file.objects[2] = b"<</Type/Pages/Count 3/Kids[4 0 R 99 0 R 98 0 R]>>"
    content = heavy.content(file.bytes(), PDF)
    assert content.text == "Hi"
    assert (content.is_partial, content.note) == (True, "2 of 3 pages cannot be read")


# Bombs


def one_page(content: bytes = b"BT /F1 12 Tf 50 750 Td (Hi) Tj ET", resources: bytes = b"") -> Pdf:
    """Objects: 1 catalogue, 2 tree, 3 font, 4 page, 5 its content."""
    file = Pdf(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Count 1/Kids[4 0 R]>>",
            3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            4: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R"
            b"/Resources<</Font<</F1 3 0 R>>%s>>>>" % resources,
        }
    )
    file.add_stream(content, packed=True)
    return file


def many_pages(announced: int, kids: int) -> bytes:
    file = one_page()
    file.objects[2] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (announced, b"4 0 R " * kids)
    return file.bytes()


def test_a_million_pages(heavy: HeavyReader) -> None:
    content = heavy.content(many_pages(1_000_000, 1_000_000), PDF)
    assert content.text == "\n".join(["Hi"] * reader.MAX_PAGES)
    assert content.note == "only the first 5,000 of 1,000,000 pages were read"
    assert content.is_partial


def test_billions_of_announced_pages(heavy: HeavyReader) -> None:
    assert heavy.content(many_pages(2_000_000_000, 1), PDF).text == "Hi"


def test_a_tree_of_pages_that_leads_in_a_circle(heavy: HeavyReader) -> None:
    file = one_page()
    file.objects[2] = b"<</Type/Pages/Count 10/Kids[2 0 R 2 0 R]>>"
    unread = heavy.unread(file.bytes(), PDF)
    assert unread.detail == "broken: none of its pages can be read (10 are announced)"


def test_a_deep_tree_of_pages(heavy: HeavyReader) -> None:
    file = one_page()
    inner = 4
    for _ in range(20_000):
        inner = file.add(b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % inner)
    file.objects[2] = b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % inner
    assert_whole(heavy.processed(file.bytes(), PDF))


def test_deep_objects(heavy: HeavyReader) -> None:
    file = one_page(b"[" * 1_000_000)
    file.objects[4] = b"[" * 1_000_000 + b"]" * 1_000_000
    assert_whole(heavy.processed(file.bytes(), PDF))


def test_an_outline_that_leads_in_a_circle(heavy: HeavyReader) -> None:
    file = one_page()
    file.objects[1] = b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>"
    file.add(b"<</First 7 0 R/Last 7 0 R>>")
    file.add(b"<</Title%s/Dest[4 0 R/Fit]/Next 7 0 R/First 7 0 R>>" % pdf_string("Hi"))
    content = heavy.content(file.bytes(), PDF)
    assert pieces(content) == [("1", "Hi")]


def test_a_reference_to_an_earlier_table_that_leads_in_a_circle(heavy: HeavyReader) -> None:
    body = one_page().bytes()
    body = body.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % body.rindex(b"xref\n0"))
    assert_whole(heavy.processed(body, PDF))


def test_a_stream_that_unpacks_to_gigabytes(heavy: HeavyReader) -> None:
    packer = zlib.compressobj(9)
    head = packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    twice = zlib.compress(head + block * 200 + packer.flush(), 9)
    file = one_page()
    file.objects[5] = b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n%s\nendstream" % (
        *(len(twice), twice),
    )
    unread = heavy.unread(file.bytes(), PDF)
    assert unread.outcome is Outcome.POISON
    assert "needed more than 1,000 MB of memory" in unread.detail


def test_drawings_within_drawings(heavy: HeavyReader) -> None:
    """Four times four times four ..., in a few bytes."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</X %d 0 R>>>>"
    file = one_page(b"/X Do " * 4, b"/XObject<</X 6 0 R>>")
    for number in range(6, 30):
        file.add_stream(b"/X Do " * 4, form % (number + 1))
    file.add_stream(b"/X Do", form % 6)
    assert_whole(heavy.processed(file.bytes(), PDF))


def test_more_text_than_is_taken(heavy: HeavyReader) -> None:
    lines = b"(" + b"many words " * 20 + b") Tj T* "
    file = one_page(b"BT /F1 1 Tf 1 TL 1 840 Td " + lines * 300 + b"ET")
    file.objects[2] = b"<</Type/Pages/Count 100/Kids[%s]>>" % (b"4 0 R " * 100)
    content = heavy.content(file.bytes(), PDF)
    assert sum(map(len, content.text.split("\n"))) <= MAX_CHARACTERS
    assert len(content.text) > 0.9 * MAX_CHARACTERS
    assert content.note == "only the first 2,000,000 characters were taken"


def test_links_without_number(heavy: HeavyReader) -> None:
    file = one_page(b"BT /F1 12 Tf 50 750 Td " + b"(some words here) Tj T* " * 2_000 + b"ET")
    link = file.add(
        b"<</Type/Annot/Subtype/Link/Rect[0 0 600 800]/A<</S/URI/URI(https://a.example/)>>>>"
    )
    file.objects[4] = file.objects[4].replace(
        b"/Contents", b"/Annots[%s]/Contents" % (b"%d 0 R " % link * 50_000)
    )
    content = heavy.content(file.bytes(), PDF)
    assert {link.url.href for link in content.links} == {"https://a.example/"}


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_one_that_takes_too_long_is_taken_as_far_as_one_came(seconds: float) -> None:
    page = RawPage("https://example.org/", PDF, "", many_pages(5_000, 5_000))
    draft = reader.PdfProcessor("Gossamer", Resolver(), seconds).read(page)
    assert not isinstance(draft, Unread)
    assert (draft.is_partial, draft.note) == (
        *(True, f"only what could be read in {seconds:g} s was taken"),
    )
    assert len(draft.lines) < 5_000
