from typing import Any

import pytest

from tests.crawling import wait_until
from tests.server.conftest import Serve, living


@pytest.mark.parametrize(("own", "warmed"), [("web", "web"), ("", "goods"), ("gone", "")])
def test_the_first_visitor_does_not_wait_for_what_a_search_loads(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, own: str, warmed: str
) -> None:
    served = serve(default_index=own)
    engine: Any = served.site.engine
    search = engine.search
    asked: list[str] = []

    def watched(index: str, request: Any) -> Any:
        try:
            return search(index, request)
        finally:
            asked.append(index)

    monkeypatch.setattr(engine, "search", watched)
    with living(served) as browser:
        assert browser.get("/healthz").status_code == 200  # it does not wait for it either
        wait_until(lambda: asked == [warmed or own], "the index is open")
        assert browser.get("/").status_code == 200
    assert served.site.queries.log.searches(0) == 0  # nobody has searched
