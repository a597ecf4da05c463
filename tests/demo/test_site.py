"""The sample site has one of everything that it promises."""

import re

from gossamer.demo.site import COPIES, REDIRECTS, answer


def _links(body: bytes, path: str) -> list[str]:
    found = re.findall(r'href="([^"#:]+)"', body.decode())
    return [
        link if link.startswith("/") else path.rpartition("/")[0] + "/" + link for link in found
    ]


def test_every_page_can_be_reached_and_only_the_known_ones_are_missing() -> None:
    seen: dict[str, int] = {}
    todo = ["/"]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        found = answer(path)
        seen[path] = found.status
        if found.status == 200:
            todo += _links(found.body, path)
        elif found.location:
            todo.append(found.location)
    missing = {path for path, status in seen.items() if status == 404}
    assert missing == {"/planets/vulcan", "/print/jupiter"}
    assert sum(status == 200 for status in seen.values()) == 19
    assert sum(status == 301 for status in seen.values()) == 1


def test_redirects_and_copies_lead_to_pages() -> None:
    for path, target in REDIRECTS.items():
        found = answer(path)
        assert (found.status, found.location) == (301, target)
        assert answer(target).status == 200
    for path, original in COPIES.items():
        assert answer(path) == answer(original)


def test_pages_are_whole() -> None:
    mars = answer("/planets/mars?query=ignored")
    assert mars.media_type == "text/html; charset=utf-8"
    assert b"<title>Mars</title>" in mars.body
    assert b'<html lang="de">' in answer("/de/mond").body
    assert answer("/robots.txt").body == b"User-agent: *\nDisallow: /drafts/\n"
    assert answer("/../../etc/passwd").status == 404
