"""Lines that stand on many pages of a site are no content."""

from gossamer.index.repeated import PAGES, RepeatedLines

BANNER = "Free delivery above 80 EUR"


def known(pages: int, with_banner: int) -> RepeatedLines:
    lines = RepeatedLines()
    for number in range(pages):
        text = f"{BANNER}\nlamp {number}" if number < with_banner else f"lamp {number}"
        lines.add("shop.example", text)
    return lines


def test_a_repeated_line_is_no_content() -> None:
    text, classes, main = f"Lamps\n{BANNER}\nBurns for nine hours.", "tpp", "111"
    assert known(10, 5).without("shop.example", text, classes, main) == "101"
    assert known(10, 4).without("shop.example", text, classes, main) == main
    assert known(60, 5).without("shop.example", text, classes, main) == main
    assert known(4, 4).without("shop.example", text, classes, main) == main
    assert known(10, 9).without("other.example", text, classes, main) == main


def test_cells_and_code_repeat_by_their_nature() -> None:
    for letter in "tcx1":
        found = known(10, 9).without("shop.example", f"{BANNER}\nlamp", f"{letter}p", "11")
        assert found == "11"


def test_a_bounded_number_of_pages_is_looked_at() -> None:
    assert known(PAGES - 1, 0).wants("shop.example")
    assert not known(PAGES, 0).wants("shop.example")
