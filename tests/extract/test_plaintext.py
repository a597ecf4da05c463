from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.draft import PageDraft, finished
from gossamer.extract.plaintext import PlainTextProcessor
from gossamer.records import Directives, PageContent, RawPage


def processed(body: bytes, charset: str = "", tags: tuple[str, ...] = ()) -> PageContent:
    page = RawPage("https://example.org/a.txt", "text/plain", charset, body, tags)
    return finished([PlainTextProcessor("Gossamer").read(page)])[0]


def test_every_line_is_a_paragraph() -> None:
    content = processed(b"All human  beings\r\n\r\n\tare born free, <b>equal</b>\x0band so on\n")
    assert content.text == "All human beings\nare born free, <b>equal</b>\nand so on"
    assert content.classes == "ppp"
    assert content.language == "en"
    assert content.charset == "utf-8"
    assert content.links == ()
    assert content.content_hash != 0
    assert content.similarity_hash != 0


def test_an_empty_file() -> None:
    content = processed(b" \n ")
    assert (content.text, content.classes, content.content_hash) == ("", "", 0)


def test_charset_and_directives() -> None:
    content = processed("Größe".encode("cp1252"), "latin1", ("noindex",))
    assert content.text == "Größe"
    assert content.directives == Directives.NOINDEX


@given(st.binary(max_size=300))
def test_no_bytes_raise(body: bytes) -> None:
    content = processed(body)
    assert len(content.classes) == (len(content.text.split("\n")) if content.text else 0)
    assert processed(body) == content


def test_a_title_turns_no_other_text_round() -> None:
    draft = PageDraft(
        "utf-8", ["Words."], "p", title="a\u202egnp.exe\u2066b", description="c\u2069"
    )
    (content,) = finished([draft])
    assert (content.title, content.description) == ("agnp.exeb", "c")
    marks = PageDraft("utf-8", ["Words."], "p", title="\u05d0\u200f (1)")
    assert finished([marks])[0].title == "\u05d0\u200f (1)"
