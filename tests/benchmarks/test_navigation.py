"""The known items of the benchmark: where they come from, and that no query gives itself away."""

import re

from benchmarks.navigation import known_items

NOINDEX = '<meta content="noindex,nofollow" name="robots" />'


def article(number: int, title: str, *, head: str = "") -> bytes:
    following = (number + 1) % 40
    link = f'<a href="../../wp/a/{following}.htm" title="x">name of {following}</a>'
    return f"<head>{head}<title>{title}</title></head><p>{link}</p>".encode()


PAGES = {
    **{f"wp/a/{number}.htm": article(number, f"Article {number} (thing)") for number in range(40)},
    "wp/a/7.htm": article(7, "Hidden", head=NOINDEX),
    "wp/a/8.htm": article(8, "Twin (one)"),
    "wp/a/9.htm": article(9, "Twin (other)"),
    "wp/index/list.htm": b'<a href="../../wp/a/3.htm" title="from redirect: Old_three">Three</a>',
}


def test_items_of_each_kind() -> None:
    items, _ = known_items(PAGES, 90)
    found = {
        kind: {item.query: item.path for item in items if item.kind == kind}
        for kind in ("titles", "anchors", "redirects")
    }
    assert found["redirects"] == {"old three": "wp/a/3.htm"}
    assert found["titles"]["Article 3"] == "wp/a/3.htm"
    assert "Twin" not in found["titles"], "nobody can tell which is meant"
    assert "wp/a/7.htm" not in {item.path for item in items}, "it asks not to be found"
    assert found["anchors"]
    assert known_items(PAGES, 90)[0] == items


def test_no_query_stands_on_the_link_that_it_was_taken_from() -> None:
    items, served = known_items(PAGES, 90)
    said = {
        text: path
        for path, body in served.items()
        for text in re.findall(r"<a [^>]*>([^<]+)</a>", body.decode())
    }
    for item in items:
        if item.kind == "anchors":
            assert item.query not in said
    emptied = [path for path, body in served.items() if b"></a>name of" in body]
    assert len(emptied) == 40 // 7, "the links of pages that lend them stay links"
    assert said["name of 4"] == "wp/a/3.htm" or "wp/a/3.htm" in emptied
