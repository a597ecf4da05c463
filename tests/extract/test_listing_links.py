import pytest

from gossamer.extract.draft import finished
from gossamer.extract.html import HtmlProcessor
from gossamer.records import FoundLink, RawPage
from gossamer.urls import Resolver


def listings(head: str, *robots_tags: str) -> list[FoundLink]:
    html = f"<html><head>{head}</head><body><a href='/page'>page</a></body></html>"
    page = RawPage("http://a.example/d/", "text/html", "utf-8", html.encode(), robots_tags)
    content = finished([HtmlProcessor("Gossamer", Resolver()).read(page)])[0]
    assert any(link.url.href == "http://a.example/page" for link in content.links)
    return [link for link in content.links if link.is_listing]


RSS = "type='application/rss+xml'"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (f"<link rel=alternate {RSS} href=/feed>", ["/feed"]),
        (f"<link rel='ALTERNATE home' {RSS} href=feed>", ["/d/feed"]),
        ("<link rel=alternate type='Application/Atom+XML; charset=x' href=/feed>", ["/feed"]),
        ("<link rel=alternate type=application/rdf+xml href=/feed>", ["/feed"]),
        (f"<link rel=feed {RSS} href=/feed>", ["/feed"]),
        ("<link rel=sitemap href=/map.xml>", ["/map.xml"]),
        ("<link rel=sitemap type=application/xml href=/map.xml>", ["/map.xml"]),
        (f"<link rel=alternate {RSS} href=/f><link rel=sitemap href=/m>", ["/m", "/f"]),
        (f"<link rel=alternate {RSS} href=/f>" * 3, ["/f"]),
        (f"<base href=/b/><link rel=alternate {RSS} href=f>", ["/b/f"]),
        ("<link rel=alternate hreflang=de href=/de>", []),
        ("<link rel=alternate type=application/json href=/f>", []),
        (f"<link rel=stylesheet {RSS} href=/f>", []),
        (f"<link {RSS} href=/f>", []),
        (f"<link rel=alternate {RSS}>", []),
        (f"<link rel=alternate {RSS} href='mailto:x'>", []),
        (f"<link rel=alternate {RSS} href=/comments/feed>", []),
        (f"<link rel=alternate {RSS} title='Post Comments Feed' href=/post/feed>", []),
        ("", []),
    ],
)
def test_what_a_head_names(head: str, expected: list[str]) -> None:
    assert [link.url.href for link in listings(head)] == [
        f"http://a.example{path}" for path in expected
    ]


def test_their_titles_are_kept() -> None:
    (link,) = listings(f"<link rel=alternate {RSS} title=' All  news ' href=/f>")
    assert (link.anchor, link.nofollow) == ("All news", False)


def test_a_page_that_forbids_to_follow() -> None:
    (link,) = listings(f"<link rel=alternate {RSS} href=/f>", "nofollow")
    assert link.nofollow


def test_not_too_many() -> None:
    head = "".join(f"<link rel=alternate {RSS} href=/{at}>" for at in range(1_000))
    assert len(listings(head)) == 20
