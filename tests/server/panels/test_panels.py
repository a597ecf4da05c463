"""Panels, over recorded answers of a wiki on loopback and the goods of a shop."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from gossamer.server.panels.fetching import FetchFailed, fetch
from gossamer.server.panels.shop import wish_of
from tests.server.conftest import Serve
from tests.server.test_hostile_content import Page

ARTICLE = {
    "title": "Moon <script>alert(1)</script>",
    "extract": "The Moon is Earth's only natural satellite. " * 30,
    "fullurl": "https://wiki.test/wiki/Moon",
    "thumbnail": {"source": "javascript:alert(1)"},
}


class Wiki(BaseHTTPRequestHandler):
    """As api.php answers: a title for 'moon', a search for 'satellite', nothing for the rest."""

    def do_GET(self) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        answer: object = {"query": {"search": []}}
        if asked["action"] == "opensearch":
            answer = [asked["search"], ["Moon"] if asked["search"] == "moon" else [], [], []]
        elif asked.get("srsearch") == "satellite":
            answer = {"query": {"search": [{"title": "Moon", "snippet": "<b>x</b>"}]}}
        elif asked.get("titles") == "Moon":
            answer = {"query": {"pages": [ARTICLE]}}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Tests need no log."""


@pytest.fixture
def wiki() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Wiki) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/api.php"
        server.shutdown()


@pytest.mark.parametrize("query", ["moon", "satellite"])
def test_an_article_of_a_wiki(serve: Serve, wiki: str, query: str) -> None:
    browser = serve(wiki=wiki, wiki_private=True).browser()
    answer = browser.get("/panels/wiki", params={"q": query})
    assert "only natural satellite" in answer.text
    assert "https://wiki.test/wiki/Moon" in answer.text
    assert Page(answer.text).dangers == []
    assert len(answer.text) < 2_000


def test_what_a_wiki_does_not_know_is_left_out(serve: Serve, wiki: str) -> None:
    browser = serve(wiki=wiki, wiki_private=True).browser()
    assert browser.get("/panels/wiki?q=xyzzy").status_code == 204
    assert browser.get("/panels/wiki?q=site:x").status_code == 204
    assert browser.get("/panels/wiki").status_code == 204
    assert browser.get("/panels/nothing?q=x").status_code == 404


def test_a_private_address_is_not_asked_unless_allowed(serve: Serve, wiki: str) -> None:
    assert serve(wiki=wiki).browser().get("/panels/wiki?q=moon").status_code == 204
    with pytest.raises(FetchFailed):
        fetch(wiki, 1.0, allow_private=False)
    with pytest.raises(FetchFailed):
        fetch("file:///etc/passwd", 1.0, allow_private=True)


def test_a_wiki_that_hangs_delays_nothing(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        address = f"http://127.0.0.1:{hanging.getsockname()[1]}/api.php"
        browser = serve(wiki=address, wiki_private=True, panel_seconds=0.2).browser()
        assert browser.get("/search?q=moon").status_code == 200
        begin = time.monotonic()
        assert browser.get("/panels/wiki?q=moon").status_code == 204
        assert time.monotonic() - begin < 5


def test_products_when_somebody_wants_to_buy(serve: Serve) -> None:
    browser = serve(shop_index="goods").browser()
    answer = browser.get("/panels/shop", params={"q": "buy a kite"})
    assert "12.5" in answer.text
    assert Page(answer.text).dangers == []
    assert browser.get("/panels/shop?q=kite").status_code == 204
    # Who says nothing else wants to know about shops: a search like any other.
    assert browser.get("/panels/shop?q=shop").status_code == 204
    assert "/panels/shop" not in browser.get("/search?q=Buy,+shop!").text
    assert browser.get("/panels/shop?q=buy+nothing+like+it+xyzzy").status_code in (200, 204)
    hidden = serve(shop_index="goods", public_indexes=("web",)).browser()
    assert hidden.get("/panels/shop?q=buy+a+kite").status_code == 204


@pytest.mark.parametrize(
    ("query", "wish"),
    [("buy a kite", "a kite"), ("Kite price", "Kite"), ("shop", ""), ("shopper", "shopper")],
)
def test_what_somebody_wants_to_buy(query: str, wish: str) -> None:
    assert wish_of(query) == wish
