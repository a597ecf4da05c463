import re

import pytest
from starlette.testclient import TestClient

from gossamer.errors import LoginNeeded, TooManyRequests, UsageError
from gossamer.server.access import SESSION_COOKIE
from gossamer.server.visitors import Role
from tests.server.conftest import PASSWORD, Serve, Served, form_token


def test_the_first_administrator_sets_a_password_by_a_link_that_works_once(served: Served) -> None:
    secret = served.site.access.first_invitation()
    browser = served.browser()
    path = f"/setup/{secret}"
    token = form_token(browser, path)
    wrong = {"password": PASSWORD, "again": "another", "form_token": token}
    assert "differ" in browser.post(path, data=wrong).text
    short = {"password": "short", "again": "short", "form_token": token}
    assert browser.post(path, data=short).status_code == 400
    right = {"password": PASSWORD, "again": PASSWORD, "form_token": token}
    assert browser.post(path, data=right).status_code == 303
    assert "administrator" in browser.get("/account").text
    assert served.browser().get(path).status_code == 404
    assert served.site.access.first_invitation() == ""


def test_a_session_is_out_of_reach_for_scripts_and_other_sites(serve: Serve) -> None:
    for tls in (False, True):
        served = serve(behind_tls=tls)
        served.account(f"user{tls}", Role.VIEWER)
        browser = TestClient(
            served.app, base_url=f"http{'s' if tls else ''}://localhost", follow_redirects=False
        )
        form = {"name": f"user{tls}", "password": PASSWORD, "form_token": form_token(browser)}
        cookie = browser.post("/login", data=form).headers["set-cookie"].lower()
        assert cookie.startswith(SESSION_COOKIE)
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert ("secure" in cookie) is tls


def test_only_digests_are_kept(served: Served) -> None:
    browser = served.logged_in()
    secret, _ = served.site.access.new_token("administrator", "x", Role.VIEWER)
    session = browser.cookies[SESSION_COOKIE]
    database = (served.site.engine._home.path / "catalogue.db").read_bytes()  # type: ignore[attr-defined]
    log = served.site.engine._home.path / "catalogue.db-wal"  # type: ignore[attr-defined]
    database += log.read_bytes() if log.exists() else b""
    for text in (secret, session, PASSWORD):
        assert text.encode() not in database


def test_a_form_from_elsewhere_changes_nothing(served: Served) -> None:
    browser = served.logged_in()
    token = form_token(browser, "/account")
    data = {"label": "x", "role": "viewer"}
    refused = [
        browser.post("/account/tokens", data=data),
        browser.post("/account/tokens", data={**data, "form_token": "x" * 64}),
        browser.post(
            "/account/tokens",
            data={**data, "form_token": token},
            headers={"origin": "http://evil.test"},
        ),
        browser.post(
            "/account/tokens",
            data={**data, "form_token": token},
            headers={"sec-fetch-site": "cross-site"},
        ),
        browser.post("/api/v1/tokens", json={"label": "x"}),
        served.browser().post("/login", data={"name": "x", "password": "y"}),
    ]
    assert [answer.status_code for answer in refused] == [403] * len(refused)
    assert served.site.access.accounts.tokens() == []
    made = browser.post("/api/v1/tokens", json={"label": "x"}, headers={"x-form-token": token})
    assert made.status_code == 201


def test_guesses_get_slower(served: Served) -> None:
    served.account("ann", Role.VIEWER)
    access = served.site.access
    for number in range(3):
        with pytest.raises(LoginNeeded):
            access.log_in("ann", "wrong", f"192.0.2.{number}")
    for _ in range(5):  # as if the waiting had been sat out, and the guesses were wrong again
        access.accounts.note_failure("account ann", 0)
    with pytest.raises(TooManyRequests) as caught:
        access.log_in("ann", PASSWORD, "192.0.2.9")
    assert 20 < caught.value.wait_seconds <= 30


def test_an_address_that_guesses_many_names_is_slowed_down(served: Served) -> None:
    access = served.site.access
    for number in range(3):
        with pytest.raises(LoginNeeded):
            access.log_in(f"name{number}", "wrong", "192.0.2.1")
    with pytest.raises(TooManyRequests):
        access.log_in("another", "wrong", "192.0.2.1")
    with pytest.raises(LoginNeeded):
        access.log_in("another", "wrong", "192.0.2.2")


def test_a_login_that_is_refused_says_so_to_people(served: Served) -> None:
    browser = served.browser()
    form = {"name": "nobody", "password": "x", "form_token": form_token(browser)}
    answer = browser.post("/login", data=form)
    assert answer.status_code == 401
    assert "Wrong name or password" in answer.text


def test_roles(served: Served) -> None:
    paths = {"/api/v1/runs": Role.VIEWER, "/api/v1/queries": Role.EDITOR}
    paths["/api/v1/audit"] = Role.ADMINISTRATOR
    order = list(Role)
    for path, needed in paths.items():
        assert served.browser().get(path).status_code == 401
        for role in Role:
            expected = 200 if order.index(role) >= order.index(needed) else 403
            assert served.program(role).get(path).status_code == expected, (path, role)


def test_a_token_has_never_more_rights_than_its_owner(served: Served) -> None:
    served.account("ann", Role.EDITOR)
    secret, _ = served.site.access.new_token("ann", "x", Role.EDITOR)
    served.site.access.accounts.set_role("ann", Role.VIEWER.value)
    headers = {"authorization": f"Bearer {secret}"}
    assert served.browser().get("/api/v1/about", headers=headers).json()["role"] == "viewer"
    served.site.access.accounts.remove("ann")
    assert served.browser().get("/api/v1/about", headers=headers).status_code == 401


def test_logging_out_ends_the_session_itself(served: Served) -> None:
    browser = served.logged_in()
    session = browser.cookies[SESSION_COOKIE]
    browser.post("/logout", data={"form_token": form_token(browser, "/account")})
    again = served.browser()
    again.cookies.set(SESSION_COOKIE, session)
    assert again.get("/account").status_code == 401


def test_a_password_is_changed_by_who_knows_it(served: Served) -> None:
    browser = served.logged_in()
    token = form_token(browser, "/account")
    new = {"password": "a new password", "again": "a new password", "form_token": token}
    assert browser.post("/account/password", data={**new, "old": "wrong"}).status_code == 400
    assert browser.post("/account/password", data={**new, "old": PASSWORD}).status_code == 303
    served.site.access.log_in("administrator", "a new password", "x")


def test_changes_go_into_the_audit_log(served: Served) -> None:
    browser = served.logged_in()
    token = form_token(browser, "/account")
    browser.post("/account/tokens", data={"label": "one", "form_token": token})
    secret = re.search(r"<code>(gsm_\S+)</code>", browser.get("/account").text)
    assert secret is None  # shown once, in the answer to the form alone
    number = served.site.access.accounts.tokens()[0].id
    browser.post(f"/account/tokens/{number}/remove", data={"form_token": token})
    program = served.program()
    program.post("/api/v1/accounts", json={"name": "bob", "role": "editor"})
    program.patch("/api/v1/indexes/web/settings", json={"k": 1.5})
    program.delete("/api/v1/accounts/bob")
    program.delete("/api/v1/indexes/goods")
    entries = program.get("/api/v1/audit").json()["items"]
    assert [entry["action"] for entry in reversed(entries)] == [
        "login",
        "token made",
        "token taken back",
        "account made",
        "index tuned",
        "account removed",
        "index deleted",
    ]
    assert {entry["account"] for entry in entries} == {"administrator"}


def test_the_last_administrator_stays(served: Served) -> None:
    program = served.program()
    answer = program.delete("/api/v1/accounts/administrator")
    assert answer.status_code == 403
    assert "last administrator" in answer.json()["error"]["message"]


@pytest.mark.parametrize("name", ["", "a b", "<script>", "x" * 65, "-x"])
def test_names_of_accounts(served: Served, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name"):
        served.site.access.add_account(name, Role.VIEWER)


def test_access_lies_in_whichever_database_is_set(serve: Serve, catalogue_url: str) -> None:
    served = serve(catalogue=catalogue_url)
    browser = served.logged_in()
    assert browser.get("/account").status_code == 200
    browser.get("/search?q=moon&index=web")
    program = served.program()
    assert program.get("/api/v1/queries").json()["searches"] == 1
    assert program.get("/api/v1/audit").json()["items"][-1]["action"] == "login"
    assert program.get("/api/v1/jobs").json()["items"] == []
    assert browser.get("/metrics").status_code == 200


def test_metrics_are_for_this_machine_and_for_logins(serve: Serve) -> None:
    served = serve()
    assert served.browser().get("/metrics").status_code == 200
    # What a proxy on this machine passes on does not come from it.
    passed_on = {"x-forwarded-for": "9.9.9.9"}
    assert served.browser().get("/metrics", headers=passed_on).status_code == 401
    assert served.logged_in(Role.VIEWER).get("/metrics", headers=passed_on).status_code == 200
    open_one = serve(public_metrics=True)
    assert open_one.browser().get("/metrics", headers=passed_on).status_code == 200


def test_a_token_revokes_no_other(served: Served) -> None:
    served.account("ann", Role.EDITOR)
    access = served.site.access
    secret, own = access.new_token("ann", "reads", Role.VIEWER)
    _, other = access.new_token("ann", "writes", Role.EDITOR)
    headers = {"authorization": f"Bearer {secret}"}
    browser = served.browser()
    assert browser.delete(f"/api/v1/tokens/{other.id}", headers=headers).status_code == 403
    assert browser.delete(f"/api/v1/tokens/{own.id}", headers=headers).status_code == 204
    assert [token.id for token in access.accounts.tokens()] == [other.id]


def test_a_changed_password_ends_tokens(served: Served) -> None:
    served.account("ann", Role.EDITOR)
    access = served.site.access
    secret, _ = access.new_token("ann", "reads", Role.VIEWER)
    headers = {"authorization": f"Bearer {secret}"}
    ann = access.accounts.account("ann")
    assert ann is not None
    access.accounts.rehash_password("ann", ann.password)
    assert served.browser().get("/api/v1/about", headers=headers).status_code == 200
    access.set_password("ann", "another long password")
    assert served.browser().get("/api/v1/about", headers=headers).status_code == 401
