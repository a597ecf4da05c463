"""broken.test: HTML that no one should have written, and links that nobody can follow."""

from collections.abc import Callable
from functools import cache

from tests.web.message import Answer, Handler, Host, Reply, Request, document, page, reply

NESTED = 20_000
MANY_LINKS = 100_000

# Links as they stand on /weird-links, and what the WHATWG rules make of them on
# http://broken.test:PORT/weird-links. '' means: leads nowhere that could be fetched.
WEIRD_LINKS: dict[str, str] = {
    "javascript:void(0)": "",
    " JavaScript:alert(1)": "",
    "mailto:someone@broken.test": "",
    "data:text/html,hello": "",
    "tel:+49123456": "",
    "ftp://broken.test/file": "",
    "about:blank": "",
    "blob:http://broken.test/x": "",
    "": "http://broken.test:PORT/weird-links",
    "#f": "http://broken.test:PORT/weird-links#f",
    "?x": "http://broken.test:PORT/weird-links?x",
    "?x=1&amp;y=2": "http://broken.test:PORT/weird-links?x=1&y=2",
    "plain": "http://broken.test:PORT/plain",
    "./dots/../plain2": "http://broken.test:PORT/plain2",
    "/../../above": "http://broken.test:PORT/above",
    "\\back\\slash": "http://broken.test:PORT/back/slash",
    "/tab\tand\nnewline": "http://broken.test:PORT/tabandnewline",
    "  /spaces around  ": "http://broken.test:PORT/spaces%20around",
    "/inner space": "http://broken.test:PORT/inner%20space",
    "/umlaut/ä": "http://broken.test:PORT/umlaut/%C3%A4",
    "/percent/%zz": "http://broken.test:PORT/percent/%zz",
    "/percent/%": "http://broken.test:PORT/percent/%",
    "/percent/%41": "http://broken.test:PORT/percent/%41",
    "/quote'and|pipe": "http://broken.test:PORT/quote'and|pipe",
    "//elsewhere.test/scheme-relative": "http://elsewhere.test/scheme-relative",
    "///elsewhere.test/three-slashes": "http://elsewhere.test/three-slashes",
    "http:plain3": "http://broken.test:PORT/plain3",
    "http:/one-slash": "http://broken.test:PORT/one-slash",
    "http:\\\\elsewhere.test\\path": "http://elsewhere.test/path",
    "HTTP://ELSEWHERE.TEST/Upper": "http://elsewhere.test/Upper",
    "http://elsewhere.test:80/default-port": "http://elsewhere.test/default-port",
    "http://elsewhere.test:/empty-port": "http://elsewhere.test/empty-port",
    "http://elsewhere.test:99999/bad-port": "",
    "http://elsewhere.test:x/bad-port": "",
    "http://user:pass@elsewhere.test/userinfo": "http://user:pass@elsewhere.test/userinfo",
    "http://bücher.test/idn": "http://xn--bcher-kva.test/idn",
    "http://elsewhere.test./trailing-dot": "http://elsewhere.test./trailing-dot",
    "http://[::1/bad-ipv6": "",
    "http://exa mple.test/": "",
    "http://": "",
    "http://elsewhere.test": "http://elsewhere.test/",
}


def _html(source: str | bytes) -> Handler:
    return lambda request: reply(200, source)


def _lazy(make: Callable[[], str]) -> Handler:
    """Large pages are made when first asked for."""
    made = cache(lambda: reply(200, make()))
    return lambda request: made()


def _many_links(distinct: int) -> str:
    links = "".join(
        f'<a href="/many/{number % distinct}#{number}">{number}</a>\n'
        for number in range(MANY_LINKS)
    )
    return document("Many links", links)


def _weird_links() -> str:
    return document(
        "Weird links",
        "".join(f'<p><a href="{href}">link {n}</a></p>\n' for n, href in enumerate(WEIRD_LINKS)),
    )


def _based(base: str) -> Handler:
    def answer(request: Request) -> Reply:
        element = f'<base href="{base.replace("PORT", str(request.port))}">'
        return page("A page with a base", '<p><a href="linked">linked</a></p>', element)

    return answer


_SENTENCE = "The reader should find this sentence. "

_TREES: dict[str, Answer | Handler] = {
    "/unclosed": _html(
        f"<html><head><title>Unclosed</title><body><p>{_SENTENCE}<b>bold<i>both<p>more"
        '<a href="/after-unclosed">link<div><table><tr><td>cell<ul><li>one<li>two'
    ),
    "/misnested": _html(
        f"<title>Misnested</title><b><p>{_SENTENCE}</b></p><a href=/one><a href=/two>x</a></a>"
        "<table><a href=/in-table>out</a><tr><td></table></td></tr>"
    ),
    "/tag-soup": _html(f"<<>><p <b>>{_SENTENCE}</ p><a href='/soup\" title=x>a</a></a ><br/></br>"),
    "/cut-in-tag": _html(f'<title>Cut</title><p>{_SENTENCE}<a href="/cut'),
    "/cut-in-script": _html(f"<title>Cut</title><p>{_SENTENCE}<script>var x = '<p>never text"),
    "/cut-in-comment": _html(f"<title>Cut</title><p>{_SENTENCE}<!-- never text"),
    "/cut-in-title": _html("<title>A title without an end<p>swallowed"),
    "/two-titles": _html(f"<title>First</title><title>Second</title><p>{_SENTENCE}"),
    "/title-in-body": _html(f"<body><p>{_SENTENCE}</p><title>Late</title></body>"),
    "/two-bodies": _html(f"<body><p>{_SENTENCE}</body><body><a href='/second-body'>b</a></body>"),
    "/no-html": _html(f"{_SENTENCE} Just text, and <a href=/unquoted>a link</a>."),
    "/nested": _lazy(
        lambda: document(
            "Nested", "<div>" * NESTED + f"<a href='/deepest'>{_SENTENCE}</a>" + "</div>" * NESTED
        )
    ),
    "/nested-unclosed": _lazy(lambda: "<title>Nested</title>" + "<b><p>" * NESTED + _SENTENCE),
    "/nested-tables": _lazy(
        lambda: document("Nested", "<table><tr><td>" * 2_000 + _SENTENCE + "</table>" * 2_000)
    ),
    "/many-links": _lazy(lambda: _many_links(200)),
    "/many-links-distinct": _lazy(lambda: _many_links(MANY_LINKS)),
    "/many-attributes": _lazy(
        lambda: document("Attributes", f"<p {' '.join(f'a{n}=1' for n in range(50_000))}>text</p>")
    ),
    "/megabyte-attribute": _lazy(
        lambda: document("Attribute", f'<a href="/{"x" * 1_000_000}">long</a><p>{_SENTENCE}</p>')
    ),
    "/megabyte-word": _lazy(lambda: document("Word", f"<p>{'x' * 1_000_000}</p>")),
    "/megabyte-title": _lazy(lambda: document("T" * 1_000_000, f"<p>{_SENTENCE}</p>")),
    "/data-image": _lazy(
        lambda: document("Data", f'<img src="data:image/png;base64,{"A" * 500_000}">{_SENTENCE}')
    ),
    "/nul": _html(b"<title>N\0UL</title><p>The rea\0der should find <a href='/a\0b'>this</a>"),
    "/all-bytes": _html(b"<title>Bytes</title><p>" + bytes(range(1, 256)) + b"</p>"),
    "/entities": _html(
        "<title>&lt;Entities&gt;</title><p>&eacute;&#233;&#xE9;&eacute &#0; &#x110000; &#xD800; "
        "&nosuch; &amp;amp; &copy2024 <a href='?a=1&copy=2'>x</a></p>"
    ),
    "/controls": _html("<title>Con\x01trols</title><p>a\x0bb\x0cc\x1bd\u200be\u202ef\ufeffg</p>"),
}

_SHORT: dict[str, Answer | Handler] = {
    "/empty": _html(b""),
    "/spaces": _html(" \n\t "),
    "/only-comment": _html("<!-- nothing else -->"),
    "/only-script": _html("<script>document.write('<a href=/written>x</a>')</script>"),
    "/only-style": _html("<style>p { color: red }</style>"),
    "/only-doctype": _html("<!DOCTYPE html>"),
    "/frames": _html(
        "<title>Frames</title><frameset cols='50%,*'><frame src='/frame-left'>"
        "<frame src='/frame-right'><noframes><a href='/no-frames'>x</a></noframes></frameset>"
    ),
    "/iframe": _html("<title>Iframe</title><p>a</p><iframe src='/framed'></iframe>"),
    "/area": _html("<map><area href='/area-target' alt='An area'></map>"),
    "/refresh": _html('<meta http-equiv="refresh" content="0; url=/refreshed"><p>moved</p>'),
    "/refresh-odd": _html("<META HTTP-EQUIV=Refresh CONTENT=\" 5;URL = '/refreshed' \"><p>moved"),
    "/noscript": _html("<noscript><a href='/noscript-target'>x</a></noscript><p>text</p>"),
    "/template": _html("<template><a href='/templated'>x</a></template><p>text</p>"),
    "/svg-link": _html('<svg><a href="/svg-target"><text>x</text></a></svg><p>text</p>'),
    "/hidden": _html("<p hidden>hidden</p><p style='display:none'>none</p><p>seen</p>"),
    "/base-other": _based("http://elsewhere.test:PORT/base/"),
    "/base-relative": _based("/base/"),
    "/base-bad": _based("http://[bad"),
    "/base-data": _based("data:text/plain,x"),
    "/base-empty": _based(""),
    "/base-twice": _html("<base href='/one/'><base href='/two/'><a href='x'>x</a>"),
    "/canonical-other": _html("<link rel=canonical href='/empty'><p>canonical elsewhere</p>"),
    "/canonical-twice": _html("<link rel=canonical href=/a><link rel=canonical href=/b><p>two</p>"),
    "/canonical-bad": _html("<link rel=canonical href='http://[bad'><p>bad</p>"),
    "/weird-links": _lazy(_weird_links),
}


def hosts() -> tuple[Host, ...]:
    pages: dict[str, Answer | Handler] = {**_TREES, **_SHORT}
    # A crawl from '/' would otherwise spend itself on 100,000 missing pages.
    hidden = frozenset({"/many-links-distinct"})
    return (Host("broken.test", "broken HTML and odd links", pages, unlinked=hidden),)
