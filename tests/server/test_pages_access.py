import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.server.pages_access import own_path
from gossamer.server.visitors import Role
from tests.server.conftest import PASSWORD, Served, form_token


@pytest.mark.parametrize("path", ["/", "/search?q=moon&page=2", "/account", "/search?q=%5C%0A"])
def test_pages_of_this_site(path: str) -> None:
    assert own_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "//evil.example/",
        "/\\evil.example",
        "/x\\y",
        "/\t/evil.example",
        "/x\r\nset-cookie: a=b",
        "https://evil.example/",
        "javascript:alert(1)",
        "search",
        "/" + "x" * 3_000,
    ],
)
def test_what_leads_elsewhere_is_not_followed(path: str) -> None:
    assert own_path(path) == ""


@given(st.text())
def test_what_is_followed_stays_here(path: str) -> None:
    found = own_path(path)
    assert found in ("", path)
    assert not found.startswith(("//", "/\\"))


@pytest.mark.parametrize(
    ("wanted", "leads_to"), [("/search?q=moon", "/search?q=moon"), ("//evil.example", "/home")]
)
def test_a_login_leads_back_but_not_away(served: Served, wanted: str, leads_to: str) -> None:
    served.account("ann", Role.VIEWER)
    browser = served.browser()
    form = {
        "name": "ann",
        "password": PASSWORD,
        "next": wanted,
        "form_token": form_token(browser),
    }
    assert browser.post("/login", data=form).headers["location"] == leads_to


def test_coming_and_going_is_written_down(served: Served) -> None:
    browser = served.logged_in(Role.EDITOR)
    browser.post("/logout", data={"form_token": form_token(browser, "/account")})
    assert browser.get("/account").status_code == 401
    seen = [(entry.account, entry.action) for entry in served.site.audit.entries(9)]
    assert seen == [("editor", "logout"), ("editor", "login")]
