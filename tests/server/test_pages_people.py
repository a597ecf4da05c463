import re

import pytest

from gossamer.server.visitors import Role
from tests.server.conftest import PASSWORD, SCRIPT, Served, form_token


def test_somebody_is_let_in_and_shown_out(served: Served) -> None:
    browser = served.logged_in()
    made = browser.post(
        "/people",
        data={"name": "ann", "role": "editor", "form_token": form_token(browser, "/people")},
    )
    assert made.status_code == 200
    link = re.search(r"<code>http://localhost(/setup/[^<]+)</code>", made.text)
    assert link is not None
    hers = served.browser()
    form = {"password": PASSWORD, "again": PASSWORD, "form_token": form_token(hers, link[1])}
    assert hers.post(link[1], data=form).status_code == 303
    assert "Role: editor" in hers.get("/account").text
    assert hers.get("/queries").status_code == 200
    assert hers.get("/people").status_code == 403
    gone = browser.post("/people/ann/remove", data={"form_token": form_token(browser, "/people")})
    assert (gone.status_code, gone.headers["location"]) == (303, "/people")
    assert hers.get("/account").status_code == 401
    changes = browser.get("/audit").text
    for action in ("account made", "password set", "account removed"):
        assert action in changes


def test_another_link(served: Served) -> None:
    browser = served.logged_in()
    served.account("ann", Role.VIEWER)
    form = {"form_token": form_token(browser, "/people")}
    assert "/setup/" in browser.post("/people/ann/invite", data=form).text
    assert browser.post("/people/nobody/invite", data=form).status_code == 404


@pytest.mark.parametrize(
    ("name", "role", "said"),
    [
        (SCRIPT, "viewer", "cannot be the name"),
        ("administrator", "viewer", "already"),
        ("ann", "king", "no role"),
    ],
)
def test_what_is_wrong_is_said_on_the_page(served: Served, name: str, role: str, said: str) -> None:
    browser = served.logged_in()
    form = {"name": name, "role": role, "form_token": form_token(browser, "/people")}
    answer = browser.post("/people", data=form)
    assert answer.status_code == 400
    assert said in answer.text
    assert SCRIPT not in answer.text


def test_the_last_administrator_stays(served: Served) -> None:
    browser = served.logged_in()
    form = {"form_token": form_token(browser, "/people")}
    answer = browser.post("/people/administrator/remove", data=form)
    assert answer.status_code == 403
    assert "last administrator" in answer.text


def test_forms_of_others_change_nothing(served: Served) -> None:
    browser = served.logged_in()
    assert browser.post("/people", data={"name": "mallory"}).status_code == 403
    assert "mallory" not in browser.get("/people").text


@pytest.mark.parametrize("path", ["/people", "/audit", "/queries"])
def test_strangers_and_viewers_do_not_see_them(served: Served, path: str) -> None:
    assert served.browser().get(path).status_code == 401
    viewer = served.logged_in(Role.VIEWER)
    assert viewer.get(path).status_code == 403
    assert path not in viewer.get("/account").text


def test_changes_come_in_parts(served: Served) -> None:
    browser = served.logged_in()
    for number in range(60):
        served.site.audit.note("root", "test", f"the {number}th")
    first = browser.get("/audit").text
    older = re.search(r'href="(/audit\?after=\d+)"', first)
    assert older is not None
    assert "the 59th" in first
    assert "the 3th" not in first
    assert "the 3th" in browser.get(older[1]).text


def test_what_is_searched_for(served: Served) -> None:
    browser = served.logged_in(Role.EDITOR)
    assert "None in this time" in browser.get("/queries").text
    for query in ("moon", "moon", "xyzzyplugh"):
        browser.get(f"/search?q={query}")
    text = browser.get("/queries").text
    popular, failing, slow = text.split("<h2>")[1:]
    assert "moon" in popular
    assert "xyzzyplugh" not in popular
    assert "xyzzyplugh" in failing
    assert "moon" in slow
    assert "moon" not in browser.get("/queries?index=goods").text
    assert browser.get("/queries?days=0").status_code == 400
