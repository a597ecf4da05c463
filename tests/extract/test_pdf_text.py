import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.pdf_text import heading_class, heading_name, paragraphs

FULL = "A line that goes from one margin to the other one and is not at"


def test_a_full_line_without_an_end_goes_on() -> None:
    text = (
        f"{FULL}\r\nits end yet. A second sentence that fills this line up to its very end.\r\nNew"
    )
    assert paragraphs(text, {}) == [
        (
            f"{FULL} its end yet. A second sentence that fills this line up to its very end.",
            "p",
        ),
        ("New", "p"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "short\nlines\nstay",
        f"{FULL}.\nA sentence that begins a line",
        f"{FULL}\n• an item",
        f"{FULL}\n1. an item",
        f"{FULL}\n- an item",
        f"A chapter in the list of contents . . . . . . . . . . 12\n{FULL} and goes on, longer",
    ],
)
def test_lines_that_stay_alone(text: str) -> None:
    assert [line for line, _ in paragraphs(text, {})] == text.split("\n")


def test_items_with_bullets() -> None:
    assert [letter for _, letter in paragraphs("Of these:\n• one\n▪ two\nthree", {})] == [
        *("p", "l", "l", "p")
    ]


def test_words_that_were_divided() -> None:
    assert paragraphs("an encyclo\x02pedia, declara\ufffetions, soft\u00ad\r\nhyphens", {}) == [
        ("an encyclopedia, declarations, softhyphens", "p")
    ]


def test_scripts_without_spaces() -> None:
    line = "中文" * 30
    assert paragraphs(f"{line}\n接着", {}) == [(f"{line}接着", "p")]
    korean = "한국어 " * 20
    assert paragraphs(f"{korean}\n계속", {}) == [(f"{korean}계속", "p")]


def test_headings() -> None:
    headings = {heading_name("2.1 A heading of two lines"): 1, heading_name("Short"): 3}
    text = f"{FULL}\n2.1 A heading\nof two lines\ntext\nSHORT\n{FULL}\nlast"
    assert paragraphs(text, headings) == [
        (FULL, "p"),
        ("2.1 A heading of two lines", "2"),
        ("text", "p"),
        ("SHORT", "4"),
        (f"{FULL} last", "p"),
    ]


def test_levels() -> None:
    assert [heading_class(level) for level in (0, 1, 2, 3, 99)] == ["1", "2", "3", "4", "4"]


@given(st.text(max_size=300), st.sets(st.text(max_size=5)))
def test_any_text(text: str, names: set[str]) -> None:
    found = paragraphs(text, {heading_name(name): 0 for name in names if heading_name(name)})
    assert all(line == " ".join(line.split()) != "" for line, _ in found)
    kept = "".join("".join(line.split()) for line, _ in found)
    assert kept == "".join(c for c in text if not c.isspace() and c not in "\x02\ufffe\u00ad")
