"""The encyclopedia panel over a real MediaWiki where one is installed, and over what one said."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.server.conftest import Serve
from tests.server.panels.mediawiki import (
    KINDS,
    NotUsable,
    answering,
    is_installed,
    recorded,
    running_wiki,
)
from tests.server.test_hostile_content import Page


@pytest.fixture(
    scope="module",
    params=[(kind, source) for kind in KINDS for source in ("recorded", "real")],
    ids=lambda pair: " ".join(pair),
)
def wiki(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    kind, source = request.param
    with ExitStack() as stack:
        if source == "recorded":
            yield stack.enter_context(answering(recorded(kind)))
            return
        if not is_installed():
            pytest.skip("There is no MediaWiki here: sudo apt-get install mediawiki php-cli")
        try:
            folder = tmp_path_factory.mktemp("wiki")
            yield stack.enter_context(running_wiki(folder, KINDS[kind]))
        except NotUsable as error:
            pytest.skip(f"The MediaWiki here cannot be used: {error}")


@pytest.mark.parametrize("query", ["moon", "luna", "craters"])  # a title, a redirect, a search
def test_an_article_is_found_and_summed_up(serve: Serve, wiki: str, query: str) -> None:
    browser = serve(wiki=wiki, wiki_private=True, panel_seconds=30).browser()
    answer = browser.get("/panels/wiki", params={"q": query})
    assert answer.status_code == 200
    assert "The Moon is Earth&#39;s only natural satellite." in answer.text
    assert "reflected sunlight: 1 &lt; 2." in answer.text
    assert "/index.php/Moon" in answer.text
    for other in ("[1]", "A book", "A picture", "Surface", "mw-parser-output"):
        assert other not in answer.text
    assert Page(answer.text).dangers == []


@pytest.mark.parametrize("query", ["xyzzy", "empty"])
def test_what_it_does_not_know_or_says_nothing_of_is_left_out(
    serve: Serve, wiki: str, query: str
) -> None:
    browser = serve(wiki=wiki, wiki_private=True, panel_seconds=30).browser()
    assert browser.get("/panels/wiki", params={"q": query}).status_code == 204
