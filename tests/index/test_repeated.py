"""Lines that stand on many pages of a site are no content."""

import gc
import sys
import tracemalloc

from gossamer.index.repeated import LEAST_PAGES, PAGES, RepeatedLines

BANNER = "Free delivery above 80 EUR"


def known(pages: int, with_banner: int) -> RepeatedLines:
    lines = RepeatedLines({"shop.example": pages})
    for number in range(pages):
        text = f"{BANNER}\nlamp {number}" if number < with_banner else f"lamp {number}"
        if lines.wants("shop.example"):
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
    lines = RepeatedLines({"shop.example": 10 * PAGES})
    looked_at = 0
    while lines.wants("shop.example"):
        looked_at += 1
        lines.add("shop.example", BANNER)
    assert looked_at == PAGES
    assert lines.without("shop.example", BANNER, "p", "1") == "0"


def test_a_site_that_has_fewer_pages_than_it_had_is_compared_too() -> None:
    lines = RepeatedLines({"shop.example": 20, "other.example": 20})
    for number in range(LEAST_PAGES):
        lines.add("shop.example", f"{BANNER}\nlamp {number}")
    lines.add("other.example", BANNER)
    assert lines.without("shop.example", BANNER, "p", "1") == "0"
    assert lines.without("other.example", BANNER, "p", "1") == "1"


def test_pages_take_no_memory_once_their_site_is_counted() -> None:
    sites, pages = 500, LEAST_PAGES
    lines = RepeatedLines(
        {f"{number}.example": pages for number in range(sites)}
        | {f"small-{number}.example": LEAST_PAGES - 1 for number in range(sites)}
    )
    tracemalloc.start()
    try:
        for number in range(sites):
            assert not lines.wants(f"small-{number}.example")
            for page in range(pages):
                text = "\n".join(f"line {line} of {page}" for line in range(100))
                lines.add(f"{number}.example", f"{BANNER}\n{text}")
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < sites * 100 * sys.getsizeof(0)  # a page had a hundred lines
    assert lines.without("7.example", f"{BANNER}\nlamp", "pp", "11") == "01"
