import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.link_score import BEST, LinkScorer, Topic
from gossamer.records import FoundLink
from gossamer.urls import parse


def score(
    url: str = "http://a.example/museum/opening-hours",
    anchor: str = "When the museum is open",
    *,
    nofollow: bool = False,
    boilerplate: bool = False,
    depth: int = 1,
    topic: tuple[str, ...] = (),
    on_topic_page: bool = False,
) -> int:
    link = FoundLink(parse(url), anchor, nofollow, boilerplate)
    return LinkScorer(topic).score(link, depth, on_topic_page=on_topic_page)


def test_a_better_link_has_a_better_score() -> None:
    usual = score()
    assert score(boilerplate=True) < usual
    assert score(nofollow=True) < usual
    assert score(depth=5) < usual
    assert score(anchor="") < score(anchor="Read more") < usual
    assert score(anchor="»") == score(anchor="Read more") == score(anchor="17")
    assert score(url="http://a.example/a/b/c/d/e/f/g") < usual
    assert score(url="http://a.example/?a=1&b=2") < score(url="http://a.example/?a=1") < usual
    assert score(url="http://a.example/" + "x" * 300) < usual
    assert score(depth=10) == score(depth=10_000)


def test_a_topic() -> None:
    about = ("museum",)
    off = score("http://a.example/x", "Prices", topic=about)
    on_page = score("http://a.example/x", "Prices", topic=about, on_topic_page=True)
    in_url = score("http://a.example/the_museum.html", "Prices", topic=about)
    in_anchor = score("http://a.example/x", "All museums", topic=about)
    in_all = score("http://a.example/museum", "Museum", topic=about, on_topic_page=True)
    assert off < on_page < in_url < in_anchor < in_all
    assert off < score("http://a.example/x", "Prices") < in_anchor
    # What a crawl is about outweighs where a link stands.
    assert score(anchor="Museum", topic=about, boilerplate=True) > off


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (("museum",), "All MUSEUMS of the town", True),
        (("art",), "party", False),
        (("art",), "art-historical", True),
        (("art history",), "of Art  History", False),  # texts have single spaces
        (("art history",), "of Art History", True),
        (("straße",), "STRASSE", True),
        (("東京",), "新東京駅", True),
        (("a.b",), "axb", False),
        (("x", "museum"), "museum", True),
        ((), "museum", False),
        (("", " "), "museum", False),
    ],
)
def test_words_of_a_topic(words: tuple[str, ...], text: str, expected: bool) -> None:
    assert Topic(words).is_in(text) is expected


@given(
    st.text(max_size=300),
    st.text("ab/?&=", max_size=200),
    st.integers(0, 10**6),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
    st.lists(st.text(max_size=5), max_size=3).map(tuple),
)
def test_a_score_is_always_within_its_range(
    anchor: str, path: str, depth: int, flags: tuple[bool, bool, bool], topic: tuple[str, ...]
) -> None:
    nofollow, boilerplate, on_topic_page = flags
    value = score(
        *(f"http://a.example/{path}", anchor),
        depth=depth,
        nofollow=nofollow,
        boilerplate=boilerplate,
        topic=topic,
        on_topic_page=on_topic_page,
    )
    assert 0 <= value <= BEST
