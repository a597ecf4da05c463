import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer import urls
from gossamer.errors import UrlError
from gossamer.urls import (
    MAX_URL_LENGTH,
    PARTITIONS,
    Resolver,
    from_href,
    host_of,
    origin_of,
    parse,
    partition_of,
    site_of,
)

DATA = os.environ.get("GOSSAMER_DATA", "")


def resolve(base: str, text: str) -> str | None:
    """What a resolver that knows nothing yet makes of a link."""
    url = Resolver().page(base).resolve(text)
    return None if url is None else url.href


# -- The WHATWG parser

EXPECTED_FAILURES: dict[tuple[str, str | None], str] = {}
"""(input, base) of the cases that we fail, and why. Empty: all of them pass."""


@pytest.fixture(scope="module")
def whatwg_cases() -> list[dict[str, Any]]:
    if not DATA:
        pytest.skip("GOSSAMER_DATA is not set")
    entries = json.loads(Path(DATA, "url", "urltestdata.json").read_text())
    cases = [entry for entry in entries if isinstance(entry, dict)]
    return [
        case
        for case in cases
        if case.get("failure") or case["href"].startswith(("http://", "https://"))
    ]


def test_the_whatwg_cases(whatwg_cases: list[dict[str, Any]]) -> None:
    failed = {
        (case["input"], case["base"])
        for case in whatwg_cases
        if urls._join(case["base"], case["input"])
        != (None if case.get("failure") else case["href"])
    }
    assert len(whatwg_cases) > 500
    assert failed == set(EXPECTED_FAILURES)
    assert len(failed) <= 0.01 * len(whatwg_cases)


@given(st.text(alphabet="/.?=&-_~aZ09%:@#;'|\\ ", max_size=20).map("/".__add__))
@example("/a/../b")
@example("//host/a")
@example("/a//b")
@example("/a/.b?c=d&e")
def test_the_short_cut_for_plain_paths_is_the_parsers_answer(path: str) -> None:
    for base in ("http://h.example/a/b?c", "https://user:word@[::1]:81/x/"):
        href = urls._join(base, path)
        assert resolve(base, path) == (href and href.partition("#")[0])


def test_the_whatwg_cases_through_the_resolver(whatwg_cases: list[dict[str, Any]]) -> None:
    """One resolver for all of them: what is remembered of one case must not change another."""
    warm = Resolver()
    for case in whatwg_cases:
        base = case["base"] and urls._join(None, case["base"])
        if not base or not base.startswith(("http://", "https://")):
            continue
        found = warm.page(base).resolve(case["input"])
        expected = None if case.get("failure") else case["href"].partition("#")[0]
        assert (found and found.href) == expected, case


# -- Host, site, origin


@pytest.mark.parametrize(
    ("text", "host", "site", "origin"),
    [
        ("http://example.org/a", "example.org", "example.org", "http://example.org"),
        ("https://WWW.Example.ORG/", "www.example.org", "example.org", "https://www.example.org"),
        ("http://example.org:80/", "example.org", "example.org", "http://example.org"),
        ("https://example.org:443/", "example.org", "example.org", "https://example.org"),
        ("http://example.org:443/", "example.org:443", "example.org", "http://example.org:443"),
        ("http://a.b.example.co.uk/", "a.b.example.co.uk", "example.co.uk", None),
        ("http://me:pass@example.org:8080/x@y", "example.org:8080", "example.org", None),
        ("http://m%40e@example.org/", "example.org", "example.org", "http://example.org"),
        # Internationalised names, in both spellings
        ("http://www.bücher.de/", "www.xn--bcher-kva.de", "xn--bcher-kva.de", None),
        ("http://xn--bcher-kva.de/", "xn--bcher-kva.de", "xn--bcher-kva.de", None),
        ("http://例え.テスト/", "xn--r8jz45g.xn--zckzah", "xn--r8jz45g.xn--zckzah", None),
        ("http://a.公司.cn/", "a.xn--55qx5d.cn", "a.xn--55qx5d.cn", None),
        ("http://x.a.公司.cn/", "x.a.xn--55qx5d.cn", "a.xn--55qx5d.cn", None),
        # Addresses are their own site
        ("http://127.0.0.1/", "127.0.0.1", "127.0.0.1", None),
        ("http://127.0.0.1:8000/", "127.0.0.1:8000", "127.0.0.1", "http://127.0.0.1:8000"),
        ("http://0x7f.1/", "127.0.0.1", "127.0.0.1", None),
        ("http://2130706433/", "127.0.0.1", "127.0.0.1", None),
        ("http://[::1]/", "[::1]", "[::1]", "http://[::1]"),
        ("http://[::1]:8080/", "[::1]:8080", "[::1]", "http://[::1]:8080"),
        ("http://[2001:DB8:0:0::1]/", "[2001:db8::1]", "[2001:db8::1]", None),
        ("http://u:p@[::1]:81/", "[::1]:81", "[::1]", "http://[::1]:81"),
        # A trailing dot is another host of the same site
        ("http://www.example.org./", "www.example.org.", "example.org", "http://www.example.org."),
        ("http://example.org.:81/", "example.org.:81", "example.org", None),
        ("http://co.uk./", "co.uk.", "co.uk", None),
        ("http://localhost.:81/", "localhost.:81", "localhost", None),
        ("http://a../", "a..", "a", None),
        ("http://./", ".", ".", None),
        # A public suffix, or a name without one, is its own site
        ("http://co.uk/", "co.uk", "co.uk", None),
        ("http://com/", "com", "com", None),
        ("http://localhost:3000/", "localhost:3000", "localhost", None),
        ("http://someone.github.io/", "someone.github.io", "someone.github.io", None),
        ("http://www.someone.github.io/", "www.someone.github.io", "someone.github.io", None),
        ("http://machine.internal-name/", "machine.internal-name", "machine.internal-name", None),
    ],
)
def test_host_site_and_origin(text: str, host: str, site: str, origin: str | None) -> None:
    url = parse(text)
    assert (url.host, url.site) == (host, site)
    assert url.host == host_of(url.href)
    assert (url.site, url.site_hash) == site_of(url.host)
    if origin is not None:
        assert url.origin == origin_of(url.href) == origin
    assert url.origin.partition("://")[2] == host


def test_partitions() -> None:
    url = parse("https://www.example.org/a")
    assert url.partition == partition_of(url.site_hash) == parse("http://example.org:81/").partition
    assert {partition_of(value) for value in range(-1000, 1000)} == set(range(PARTITIONS))


# -- Keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/x#top", "http://a.example/x"),
        ("http://a.example/x#", "http://a.example/x#y#z"),
        ("http://a.example/%e4%bD", "http://a.example/%E4%BD"),
        ("http://a.example/%aF", "http://a.example/%Af"),
        ("http://a.example/100%", "http://a.example/100%25"),
        ("http://a.example/%%41", "http://a.example/%25%41"),
        ("http://a.example/?q=50%&r=%zz", "http://a.example/?q=50%25&r=%25zz"),
        ("http://a.example:80", "HTTP://A.example/"),
        ("http://a.example/b/../c", "http://a.example/./c"),
        ("http://a.example/ä", "http://a.example/%C3%A4"),
        ("  http://a.example/x\n", "http://a.example/x"),
    ],
)
def test_spellings_of_one_url(one: str, other: str) -> None:
    assert parse(one).key == parse(other).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/", "https://a.example/"),
        ("http://a.example/", "http://a.example./"),
        ("http://a.example/x", "http://a.example/X"),
        ("http://a.example/x", "http://a.example/x/"),
        ("http://a.example/?a=1&b=2", "http://a.example/?b=2&a=1"),
        ("http://a.example/a%2fb", "http://a.example/a/b"),
        ("http://a.example/%25zz", "http://a.example/zz"),
        ("http://a.example/", "http://u@a.example/"),
    ],
)
def test_what_a_server_may_tell_apart(one: str, other: str) -> None:
    assert parse(one).key != parse(other).key


def test_the_href_is_fetched_as_it_was_written() -> None:
    assert parse("http://a.example/%e4%zz#f").href == "http://a.example/%e4%zz"


def test_keys_are_stable() -> None:
    """They lie on disks: a change needs a new KEY_VERSION."""
    assert urls.KEY_VERSION == 2
    url = parse("http://www.example.org/%7euser?q=50%")
    assert (url.key, url.site_hash) == (6662608516399712807, 4627260942063550277)


# -- What people type


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("example.org", "'example.org' has no scheme: did you mean 'https://example.org'?"),
        (" example.org ", "' example.org ' has no scheme: did you mean 'https://example.org'?"),
        ("example.org:8080/x", "has no scheme: did you mean 'https://example.org:8080/x'?"),
        ("localhost:8080", "has no scheme: did you mean 'https://localhost:8080'?"),
        ("//example.org/x", "has no scheme: did you mean 'https://example.org/x'?"),
        ("/etc/passwd", "'/etc/passwd' has no scheme: write it as 'https://example.org'."),
        ("two words", "'two words' has no scheme: write it as 'https://example.org'."),
        ("", "The address is empty: write it as 'https://example.org'."),
        (" \n", "The address is empty: write it as 'https://example.org'."),
        ("ftp://example.org/", "has the scheme 'ftp': only http and https can be crawled."),
        ("ftp://a.example/b", "has the scheme 'ftp': only http and https can be crawled."),
        ("htp://example.org/", "has the scheme 'htp': only http and https can be crawled."),
        ("http://", "'http://' is not a valid URL."),
        ("http://exa mple.org/", "'http://exa mple.org/' is not a valid URL."),
        ("http://example.org:99999/", "is not a valid URL."),
        ("http://[::1/", "is not a valid URL."),
        ("http://a.example/\udcff", "is not a valid URL."),
        ("http://a.example/" + "x" * MAX_URL_LENGTH, f"is longer than {MAX_URL_LENGTH}"),
    ],
)
def test_advice(text: str, message: str) -> None:
    with pytest.raises(UrlError) as raised:
        parse(text)
    assert message in str(raised.value)
    assert len(str(raised.value)) < 200


def test_the_longest_url() -> None:
    longest = "http://a.example/".ljust(MAX_URL_LENGTH, "x")
    assert parse(longest).href == longest
    assert resolve("http://b.example/", longest) == longest
    assert resolve("http://b.example/", longest + "x") is None


# -- Resolving

PAGE = "http://a.example/dir/page?q=1"


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("https://b.example/x", "https://b.example/x"),
        ("//b.example/x", "http://b.example/x"),
        ("/x", "http://a.example/x"),
        ("/", "http://a.example/"),
        ("x", "http://a.example/dir/x"),
        ("./x?y", "http://a.example/dir/x?y"),
        ("../x", "http://a.example/x"),
        ("../../../x", "http://a.example/x"),
        ("?x", "http://a.example/dir/page?x"),
        ("?", "http://a.example/dir/page?"),
        ("#f", PAGE),
        ("", PAGE),
        (" ", PAGE),
        ("\t?x\n", "http://a.example/dir/page?x"),
        ("  x\n", "http://a.example/dir/x"),
        ("x#f", "http://a.example/dir/x"),
        ("\\x", "http://a.example/x"),
        ("/\\b.example/x", "http://b.example/x"),
        ("http:x", "http://a.example/dir/x"),
        ("ftp://b.example/", None),
        ("mailto:someone@a.example", None),
        ("javascript:void(0)", None),
        ("http://", None),
        ("//", None),
        ("http://b.example:99999/", None),
        ("\ud800", None),
        ("x" * MAX_URL_LENGTH, None),
    ],
)
def test_resolving(text: str, href: str | None) -> None:
    page = Resolver().page(PAGE)
    for _ in range(2):  # and again, from memory
        url = page.resolve(text)
        assert (url and url.href) == href
        assert url is None or url == from_href(url.href)


def test_a_long_fragment_is_no_part_of_what_is_fetched() -> None:
    assert resolve(PAGE, "/x#" + "f" * MAX_URL_LENGTH) == "http://a.example/x"


def test_what_is_remembered_is_not_parsed_again() -> None:
    resolver = Resolver()
    first = resolver.page("http://a.example/dir/one")
    root, near, far = (first.resolve(text) for text in ("/x", "x", "http://b.example/"))
    neighbour = resolver.page("http://a.example/dir/two?q")
    assert neighbour.resolve("/x") is root
    assert neighbour.resolve("x") is near
    assert neighbour.resolve("http://b.example/") is far
    assert neighbour.known("/x") is root
    stranger = resolver.page("http://a.example/other/")
    assert stranger.resolve("/x") is root
    assert stranger.resolve("x") != near


def test_pages_of_one_folder_have_their_own_queries() -> None:
    resolver = Resolver()
    one, two = resolver.page("http://a.example/one"), resolver.page("http://a.example/two")
    for text in ("?x", "#f", "", " "):
        first, second = one.resolve(text), two.resolve(text)
        assert first is not None
        assert second is not None
        assert first.href.startswith("http://a.example/one")
        assert second.href.startswith("http://a.example/two")


def test_leading_blanks_do_not_hide_that_a_link_depends_on_its_page() -> None:
    resolver = Resolver()
    for text in (" ?x", "\n#f", "\x01", "\x00?x", "\t\t"):
        resolver.page("http://a.example/one").resolve(text)
        warm = resolver.page("http://a.example/two").resolve(text)
        assert warm == Resolver().page("http://a.example/two").resolve(text), repr(text)


def test_a_password_stays_on_the_pages_that_have_it() -> None:
    resolver = Resolver()
    resolver.page("http://me:secret@a.example/").resolve("/x")
    url = resolver.page("http://a.example/").resolve("/x")
    assert url is not None
    assert url.href == "http://a.example/x"


@pytest.mark.parametrize(
    ("base", "text", "href"),
    [
        ("http://b.example/sub/", "x", "http://b.example/sub/x"),
        ("http://b.example/sub", "/x", "http://b.example/x"),
        ("/sub/", "x", "http://a.example/sub/x"),
        ("sub/", "../x", "http://a.example/dir/x"),
        ("sub/?q#f/g", "x", "http://a.example/dir/sub/x"),
        ("sub/#f", "#g", "http://a.example/dir/sub/"),
        ("", "x", "http://a.example/dir/x"),
        # An unusable base changes nothing
        ("http://", "x", "http://a.example/dir/x"),
        ("mailto:x", "x", "http://a.example/dir/x"),
        ("data:,", "?x", "http://a.example/dir/page?x"),
    ],
)
def test_base_href(base: str, text: str, href: str) -> None:
    resolver = Resolver()
    page = resolver.page(PAGE)
    page.resolve(text)
    url = page.based_at(base).resolve(text)
    assert url is not None
    assert url.href == href


def test_memory_is_bounded() -> None:
    resolver = Resolver(capacity=50)
    for number in range(1_000):
        page = resolver.page(f"http://a.example/{number % 7}/")
        for text in (f"/{number}", f"{number}"):
            url = page.resolve(text)
            assert url is not None
            assert url.href.endswith(f"/{number}")
    remembered = [*resolver._young.values(), *resolver._old.values()]
    assert sum(map(len, remembered)) <= 2 * 50


# -- Whatever a page says

PARTS = st.sampled_from(
    [
        *("http:", "https:", "ftp:", "mailto:", "data:", "//", "/", "\\", "?", "#", "@", ":", "%"),
        *("a.example", "b.example", "me:pw", "x", "dir", "..", ".", "[::1]", "127.1", "81", "%2e"),
        *(" ", "\t", "\n", "\x00", "\x1f", "\u3000", "ä", "\ud800", "%zz", "%aF", "&", "="),
    ]
)
LINKS = st.one_of(
    st.lists(PARTS, max_size=7).map("".join),
    st.text(max_size=20),
    st.builds(str.__add__, st.sampled_from([" ", "\n", "\x02", ""]), st.text("?#/x", max_size=5)),
)
BASES = st.sampled_from(
    [
        *(
            "http://a.example/",
            "https://a.example/",
            "http://a.example/one",
            "http://a.example/two",
        ),
        *("http://a.example/dir/", "http://a.example/dir/one?q=/x/y", "http://a.example/dir?q"),
        *("http://b.example/dir/one", "http://a.example:81/", "http://me:pw@a.example/dir/one"),
        *("http://other:pw@a.example/", "http://[::1]/dir/one", "http://a.example/dir/one/"),
        *("http://a.example//", "http://a.example//dir/", "http://a.example/dir//one"),
    ]
)


@settings(deadline=None)
@given(st.text() | LINKS, BASES)
def test_nothing_that_a_page_says_raises(text: str, base: str) -> None:
    url = Resolver().page(base).resolve(text)
    if url is not None:
        assert url.href.startswith(("http://", "https://"))
        assert "#" not in url.href
        assert url == from_href(url.href) == parse(url.href)


@settings(deadline=None)
@given(st.text() | LINKS)
def test_an_address_is_read_or_refused_with_advice(text: str) -> None:
    try:
        url = parse(text)
    except UrlError:
        return
    assert parse(url.href) == url
    assert origin_of(url.href).endswith(url.host)


STEPS = st.tuples(BASES, st.none() | LINKS, LINKS)


@settings(deadline=None, max_examples=400)
@given(st.lists(STEPS, min_size=1, max_size=8), STEPS, st.sampled_from([2, 100_000]))
@example([("http://a.example/one", None, " ?x")], ("http://a.example/two", None, " ?x"), 100)
@example([("http://a.example/", "/b#c/d", "x")], ("http://a.example/b", None, "x"), 100)
def test_memory_changes_no_result(
    earlier: list[tuple[str, str | None, str]], last: tuple[str, str | None, str], capacity: int
) -> None:
    """Whatever was resolved before, from whatever other page: the same URL comes out."""

    def resolved(resolver: Resolver, base: str, base_href: str | None, text: str) -> Any:
        page = resolver.page(base)
        if base_href is not None:
            page = page.based_at(base_href)
        return page.resolve(text)

    warm = Resolver(capacity)
    for base, base_href, text in earlier:
        resolved(warm, base, base_href, text)
        resolved(warm, base, base_href, last[2])  # the same text on another page
    assert resolved(warm, *last) == resolved(Resolver(), *last)
