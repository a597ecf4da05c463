import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.contract import Hit, Mark
from gossamer.server import pages_words as words


def hit(snippet: str, *marks: tuple[int, int]) -> Hit:
    return Hit(1, "id", "", "", snippet, tuple(Mark(*mark) for mark in marks), 1.0, {})


def test_a_snippet_in_pieces() -> None:
    pieces = words.marked(hit("the moon and a moon", (4, 8), (15, 19)))
    assert [(piece.text, piece.is_marked) for piece in pieces] == [
        ("the ", False),
        ("moon", True),
        (" and a ", False),
        ("moon", True),
    ]


@given(st.text(max_size=50), st.lists(st.integers(0, 50), max_size=6))
def test_pieces_are_the_snippet(snippet: str, cuts: list[int]) -> None:
    ends = sorted({min(cut, len(snippet)) for cut in cuts})
    marks = list(zip(ends[::2], ends[1::2], strict=False))
    assert "".join(piece.text for piece in words.marked(hit(snippet, *marks))) == snippet


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://a.example/", ["a.example"]),
        ("https://a.example:8080/wiki/The%20Moon", ["a.example:8080", "wiki", "The Moon"]),
        ("http://a.example/1/2/3/4/5/6", ["a.example", "1", "2", "…", "5", "6"]),
        ("http://a.example/wiki/%C3%9Cbersicht", ["a.example", "wiki", "Übersicht"]),
        ("http://a.example/%E2%80%AEx/a%2Fb", ["a.example", "%E2%80%AEx", "a%2Fb"]),
        ("doc-17", ["doc-17"]),
        ("http://[broken/x", ["http://[broken/x"]),
    ],
)
def test_breadcrumbs(url: str, shown: list[str]) -> None:
    assert words.breadcrumbs(url) == shown


@given(st.text())
def test_any_address_has_breadcrumbs(url: str) -> None:
    assert all(isinstance(crumb, str) for crumb in words.breadcrumbs(url))


@pytest.mark.parametrize(
    ("url", "leads_to"),
    [
        ("http://a.example/x/y?z#1", "http://a.localhost:80/x/y?z#1"),
        ("http://a.example", "http://a.localhost:80"),
        ("http://b.a.example/", "http://b.a.example/"),
        ("http://other/a.example/", "http://other/a.example/"),
        ("a.example", "a.example"),
    ],
)
def test_hosts_with_another_name(url: str, leads_to: str) -> None:
    assert words.led_to(url, {"a.example": "a.localhost:80"}) == leads_to


@pytest.mark.parametrize(
    "value", ["javascript:alert(1)", " http://x", "data:text/html,x", "ftp://x", None, 7, ["http:"]]
)
def test_what_is_no_web_address(value: object) -> None:
    assert not words.is_web_address(value)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (5, "just now"),
        (60, "1 minute ago"),
        (7_200, "2 hours ago"),
        (3 * 86_400, "3 days ago"),
        (400 * 86_400, "on 25 Nov 2022"),
    ],
)
def test_how_long_ago(seconds: float, said: str) -> None:
    now = 1_703_930_400.0  # 2023-12-30
    assert words.ago(now - seconds, now) == said
    assert words.ago(0, now) == "never"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0001, "under 1 ms"), (0.0123, "12 ms"), (3.21, "3.2 s"), (75, "1 min 15 s")],
)
def test_how_long(seconds: float, said: str) -> None:
    assert words.duration(seconds) == said


def test_days_and_numbers() -> None:
    assert words.day("2024-05-31") == "31 May 2024"
    assert words.day("2024-05-31T10:00:00Z") == "31 May 2024"
    assert words.day("soon") == "soon"
    assert [words.number(value) for value in (16_200, 4.8, 1_234.56)] == ["16,200", "4.8", "1,235"]
    assert words.plural(1, "result") == "1 result"
    assert words.plural(1_200, "result") == "1,200 results"
    assert words.size(6_400_000) == "6.4 MB"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lang:en", "Language: English"),
        ("lang:xx", "Language: xx"),
        ("filetype:html", "Type: Web pages"),
        ("price:10..50", "Price: 10 to 50"),
        ("price:10..", "Price: from 10"),
        ("price:..50", "Price: up to 50"),
        ("weight_grams:7", "Weight grams: 7"),
        ("brand:a: b", "Brand: a: b"),
        ("brand:a..b", "Brand: a..b"),
    ],
)
def test_filters_in_words(text: str, said: str) -> None:
    assert words.filter_words(text) == said
