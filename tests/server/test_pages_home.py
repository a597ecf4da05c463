from gossamer.server.visitors import Role
from tests.server.conftest import SCRIPT, Serve, Served


def test_runs_and_indexes_are_listed(served: Served) -> None:
    page = served.logged_in(Role.VIEWER).get("/home")
    assert page.status_code == 200
    for text in ('<a href="/?index=web">web</a>', '<a href="/?index=goods">goods</a>', "web-1"):
        assert text in page.text
    assert "finished" in page.text
    assert "<form" not in page.text.partition("<main")[2], "there is nothing to do but read"


def test_a_login_is_needed(served: Served) -> None:
    assert served.browser().get("/home").status_code == 401


def test_an_empty_home(serve: Serve, served: Served) -> None:
    for card in served.site.engine.indexes():
        served.site.engine.delete_index(card.name)
    page = served.logged_in().get("/home").text
    assert "There is no index yet." in page
    assert SCRIPT not in page
