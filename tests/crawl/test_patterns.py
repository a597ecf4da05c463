import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.local_paths import href_of
from gossamer.crawl.patterns import Patterns, check_pattern
from gossamer.urls import parse


def matches(pattern: str, url: str) -> bool:
    return Patterns([pattern]).match(parse(url).href)


@pytest.mark.parametrize(
    ("pattern", "url", "expected"),
    [
        # the whole address
        ("https://a.example/x", "https://a.example/x", True),
        ("https://a.example/x", "https://a.example/xy", False),
        ("https://a.example/x", "http://a.example/x", False),
        ("*://a.example/x*", "http://a.example/x/y?z", True),
        ("https://a.example/*.pdf", "https://a.example/b/c.pdf", True),
        ("https://a.example/*.pdf", "https://a.example/b/c.pdf?x", False),
        ("https://a.example", "https://a.example/any/page", True),
        ("HTTPS://A.Example/X", "https://a.example/X", True),
        # host and path
        ("a.example/blog/*", "http://a.example/blog/", True),
        ("a.example/blog/*", "https://a.example/blog/x?y=1", True),
        ("a.example/blog/*", "https://a.example/blog", False),
        ("a.example/blog/*", "https://www.a.example/blog/x", False),
        ("a.example/blog/*", "https://b.example/?a.example/blog/x", False),
        ("*.a.example/*", "https://www.a.example/", True),
        ("*.a.example/*", "https://a.example/", False),
        ("a.example/blog/*", "https://user:pw@a.example/blog/x", True),
        ("a.example:8080/*", "http://a.example:8080/x", True),
        ("a.example:80/*", "http://a.example:8080/x", False),
        ("a.example/x*", "http://a.example:8080/x", True),  # on any port
        ("a.example", "http://a.example:8080/x", True),
        ("http://a.example/x*", "http://a.example:8080/x", False),
        # a host alone, or the end of anything
        ("a.example", "https://a.example/", True),
        ("a.example", "https://a.example/x/y", True),
        ("a.example", "https://www.a.example/", False),
        ("*.example", "https://b.a.example/x", True),
        ("*.pdf", "https://a.example/b/c.pdf", True),
        ("*.pdf", "https://a.example/b/c.pdf/d", False),
        ("*", "https://a.example/", True),
        # a path
        ("/x", "https://any.example/x", True),
        ("/x", "https://any.example/xy", False),
        ("/x*", "https://any.example/xy", True),
        ("/x*", "https://any.example/a/x", False),
        ("*/x", "https://any.example/a/x", True),
        ("/s?q=*", "https://any.example/s?q=1", True),
        ("/s?q=*", "https://any.example/sq=1", False),
        # other scripts
        ("bücher.example/*", "https://bücher.example/x", True),
        ("/größe/*", "https://a.example/größe/1", True),
        ("/a b", "https://a.example/a b", True),
        # what means something in an expression means itself here
        ("/a.c", "https://a.example/abc", False),
        ("/a+b(c)[d]", "https://a.example/a+b(c)[d]", True),
        # expressions
        ("re:/p/[0-9]+$", "https://a.example/p/17", True),
        ("re:/p/[0-9]+$", "https://a.example/p/17x", False),
        ("re:^https://", "https://a.example/", True),
        ("re:(?i)CALENDAR", "https://a.example/the-calendar/1", True),
        ("  re:x$ ", "https://a.example/x", True),
    ],
)
def test_what_a_pattern_means(pattern: str, url: str, expected: bool) -> None:
    check_pattern(pattern)
    assert matches(pattern, url) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        # a name alone: the file, or a folder on the way to it
        ("secret*", "secret.txt", True),
        ("secret*", "a/b/secrets/plan.txt", True),
        ("secret*", "a/no-secret.txt", False),
        ("*.pdf", "a/b/c.pdf", True),
        ("*.pdf", "a/b/c.pdf.txt", False),
        ("*", "a", True),
        ("docs", "a.txt", False),  # the crawled folder itself lies above
        ("me", "a.txt", False),
        # a path: below the folder, with its name, or from the root
        ("private/*", "private/a/b.txt", True),
        ("private/*", "a/private/b.txt", False),
        ("*/private/*", "private/b.txt", True),
        ("*/private/*", "a/private/b.txt", True),
        ("docs/private/*", "private/b.txt", True),
        ("/private/*", "private/b.txt", True),
        ("/private/*", "a/private/b.txt", False),
        ("/home/me/docs/a*", "a.txt", True),
        ("/home/me/docs/a*", "b/a.txt", False),
        # names as they are on the disk
        ("100%*", "100% sure.txt", True),
        ("größe *", "größe 1.txt", True),
        ("a\\b", "a\\b", True),
        ("/a?b#c", "a?b#c", True),
        ("a.c", "abc", False),
        # whole addresses
        ("file:///home/me/docs/a*", "a.txt", True),
        ("http://docs/a*", "a.txt", False),
        ("re:/a[.]txt$", "b/a.txt", True),
        ("re:^http", "a.txt", False),
    ],
)
def test_what_a_pattern_means_in_a_folder(pattern: str, path: str, expected: bool) -> None:
    check_pattern(pattern)
    some = Patterns([pattern], ["http://a.example/", "file:///home/me/docs/"])
    assert some.match(href_of(b"/home/me/docs/" + path.encode())) is expected


def test_names_that_are_no_text_are_matched() -> None:
    some = Patterns(["secret*"], [href_of(b"/home/\xfe/")])
    assert some.match(href_of(b"/home/\xfe/secret\xff\n.txt"))
    assert not some.match(href_of(b"/home/\xfe/\xff"))


def test_one_of_several_is_enough() -> None:
    some = Patterns(["/x*", "b.example", "re:[0-9]$"])
    for url in ("http://a.example/xy", "http://b.example/q", "http://a.example/1"):
        assert some.match(url)
    assert not some.match("http://a.example/q")


@pytest.mark.parametrize("wrong", ["", "  ", "re:a(b", "re:(?<=a)b", r"re:(a)\1"])
def test_wrong_ones_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"empty|cannot be searched for"):
        check_pattern(wrong)


@given(st.text(min_size=1).filter(str.strip))
def test_whatever_a_person_types_is_a_pattern_or_refused(text: str) -> None:
    try:
        check_pattern(text)
    except ValueError:
        return
    Patterns([text]).match("https://a.example/x?y")


@given(st.text("/abc.?=&-", max_size=30), st.text("/abc.?=&-", max_size=30))
def test_a_star_stands_for_anything(start: str, end: str) -> None:
    href = parse(f"http://a.example/{start}x{end}").href
    path = href.removeprefix("http://a.example")
    for cut in range(len(path) + 1):
        assert Patterns([f"{href[: len(href) - cut]}*"]).match(href)
        assert Patterns([f"*{path[cut:]}"]).match(href)


def test_none_takes_long() -> None:
    some = Patterns(["*a*a*a*a*a*a*a*a*b", "re:(a*)*b"])
    started = time.process_time()
    assert not some.match("http://a.example/" + "a" * 2_000)
    assert time.process_time() - started < 1
