import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.url_traps import UrlTraps
from gossamer.records import Exclusion
from gossamer.urls import from_href, parse

TRAPS = UrlTraps(max_path_parts=20, max_parameters=12)


def objection(path: str, traps: UrlTraps = TRAPS) -> Exclusion | None:
    url = parse(f"http://a.example{path}")
    return traps.objection(url, url, 1)


@pytest.mark.parametrize(
    "path",
    [
        "/next/next/next/",
        "/x/next/next/next/y",
        "/a/b/a/b/a/b",
        "/x/a/b/a/b/a/b/",
        "/a/b/c/a/b/c/a/b/c/d",
        "/en/shop/en/shop/en/shop/item",
        "/a/a/a/a",
        "/1/1/1/1",
        "/go/a/go/b/go/c/go/d/go/e",
        "////",
    ],
)
def test_parts_again_and_again(path: str) -> None:
    assert objection(path) is Exclusion.TRAP_REPETITION


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/2024/01/01/",
        "/2024/01/01/01/",
        "/a/a/",
        "/docs/docs/",
        "/a/b/a/b/",
        "/a/b/a/b/a/c",
        "/journal/1/1/1",  # volume, number, page
        "/store/f/f/f/ffab09.png",  # a store spread over folders
        "/01/01/01/",
        "/org/example/example/Example.html",
        "/a/x/a/y/a/z/a",
        "/tree/main/src/main/java/org/main",
        "/web/20240101000000/http://example.org/",
        "/wiki/Talk:Talk:Talk",
        "/x?next=/next/next/next/",
    ],
)
def test_what_real_paths_look_like(path: str) -> None:
    assert objection(path) is None


def test_paths_that_only_get_longer() -> None:
    assert objection("/" + "/".join(f"p{at}" for at in range(20))) is None
    assert objection("/" + "/".join(f"p{at}" for at in range(20)) + "/") is None
    assert objection("/" + "/".join(f"p{at}" for at in range(21))) is Exclusion.TRAP_GROWTH
    assert objection("/a/b/c", UrlTraps(2, 12)) is Exclusion.TRAP_GROWTH


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("&".join(f"p{at}=1" for at in range(12)), False),
        ("&".join(f"p{at}=1" for at in range(13)), True),
        ("tag=a&tag=b&tag=c", False),
        ("tag=a&tag=b&tag=c&tag=d", True),
        ("tag=a&x=1&tag=b&tag=c&y=2&tag=d", True),
        ("tag=a&tag=a&tag=a&tag=a", False),  # one value
        ("tag[]=a&tag[]=b&tag[]=c&tag[]=d", False),  # a list
        ("tag%5B%5D=a&tag%5B%5D=b&tag%5B%5D=c&tag%5B%5D=d", False),
        ("a&b&c&d", False),
        ("&&&&&&&&&&&&&&&&", False),
        ("=&=1&=2&=3", True),
    ],
)
def test_queries_that_only_get_longer(query: str, expected: bool) -> None:
    assert objection(f"/x?{query}") == (Exclusion.TRAP_GROWTH if expected else None)


def test_few_parameters_can_be_too_many() -> None:
    assert objection("/x?a&b", UrlTraps(20, 1)) is Exclusion.TRAP_GROWTH
    assert objection("/x?a", UrlTraps(20, 1)) is None


PARTS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "d", "7", ""]), max_size=19)


@given(PARTS, st.lists(st.sampled_from(["alpha", "beta"]), min_size=1, max_size=3), PARTS)
def test_a_sequence_three_times_is_found_wherever_it_stands(
    before: list[str], sequence: list[str], after: list[str]
) -> None:
    parts = [*before, *sequence * 3, *after]
    url = from_href("http://a.example/" + "/".join(parts))
    assert UrlTraps(1_000, 12).objection(url, url, 1) is Exclusion.TRAP_REPETITION


@given(st.lists(st.text("abc", min_size=2), max_size=20, unique=True), st.text(max_size=30))
def test_parts_of_which_none_repeats_are_no_trap(parts: list[str], query: str) -> None:
    assert objection("/" + "/".join(parts)) is None
    objection(f"/x?{query}")
