"""Accounts, sessions, tokens and logs, whatever database they lie in."""

import time

import pytest

from gossamer.storage.accounts import Accounts
from gossamer.storage.audit import AuditLog
from gossamer.storage.catalogue_database import CatalogueDatabase
from gossamer.storage.jobs import JobRecords
from gossamer.storage.query_log import AskedQuery, QueryLog, normal


@pytest.fixture
def database(catalogue_url: str) -> CatalogueDatabase:
    return CatalogueDatabase(catalogue_url)


@pytest.fixture
def accounts(database: CatalogueDatabase) -> Accounts:
    found = Accounts(database)
    assert found.add("ann", "editor")
    return found


def test_an_account_is_made_once(accounts: Accounts) -> None:
    assert not accounts.add("ann", "administrator")
    account = accounts.account("ann")
    assert account is not None
    assert (account.role, account.password) == ("editor", "")
    assert accounts.account("bob") is None
    accounts.set_role("ann", "viewer")
    assert [one.role for one in accounts.accounts()] == ["viewer"]


def test_sessions_end_by_themselves_and_with_a_new_password(accounts: Accounts) -> None:
    accounts.begin_session("short", "ann", -1)
    accounts.begin_session("long", "ann", 60)
    assert accounts.session_account("short") is None
    found = accounts.session_account("long")
    assert found is not None
    assert found.name == "ann"
    accounts.set_password("ann", "hash")
    assert accounts.session_account("long") is None
    accounts.begin_session("long", "ann", 60)
    accounts.end_session("long")
    assert accounts.session_account("long") is None


def test_an_account_takes_everything_along(accounts: Accounts) -> None:
    accounts.begin_session("session", "ann", 60)
    token = accounts.add_token("token", "ann", "a program", "viewer")
    accounts.invite("invitation", "ann", 60)
    assert accounts.tokens("ann") == [token]
    accounts.remove("ann")
    assert accounts.session_account("session") is None
    assert accounts.token("token") is None
    assert accounts.invited("invitation") is None
    assert accounts.tokens() == []


def test_the_use_of_a_token_is_seen(accounts: Accounts) -> None:
    accounts.add_token("token", "ann", "a program", "viewer")
    before = time.time()
    accounts.token("token")
    found = accounts.token("token")
    assert found is not None
    assert found.used_at >= before
    accounts.remove_token(found.id)
    assert accounts.token("token") is None


def test_the_newest_invitation_counts_until_it_is_used(accounts: Accounts) -> None:
    accounts.invite("first", "ann", 60)
    accounts.invite("second", "ann", 60)
    assert accounts.invited("first") is None
    assert accounts.invited("second") is not None
    accounts.set_password("ann", "hash")
    assert accounts.invited("second") is None


def test_failures_are_counted_and_forgotten(accounts: Accounts) -> None:
    for _ in range(3):
        accounts.note_failure("account ann", time.time() - 60)
    assert accounts.attempts("account ann").failures == 3
    accounts.note_failure("address x", time.time() + 60)
    assert accounts.attempts("account ann").failures == 0
    assert accounts.attempts("address x").failures == 1
    accounts.forget_failures("address x")
    assert accounts.attempts("address x").failures == 0


def test_the_audit_log_is_read_backwards(database: CatalogueDatabase) -> None:
    audit = AuditLog(database)
    for number in range(5):
        audit.note("ann", "did", str(number), {"number": number})
    newest = audit.entries(2)
    assert [entry.subject for entry in newest] == ["4", "3"]
    assert [entry.subject for entry in audit.entries(9, newest[-1].id)] == ["2", "1", "0"]
    assert newest[0].details == {"number": 4}


def test_jobs_are_remembered(database: CatalogueDatabase) -> None:
    records = JobRecords(database)
    number = records.add("crawl", "example.org", ["crawl", "x"], "ann")
    records.started(number, 12, 3_456_789_012)
    records.ended(number, 9.5, 1, {"error": {"message": "no"}})
    found = records.record(number)
    assert found is not None
    assert (found.pid, found.pid_started, found.exit_code) == (12, 3_456_789_012, 1)
    assert (found.arguments, found.result) == (("crawl", "x"), {"error": {"message": "no"}})
    assert records.record(number + 1) is None
    second = records.add("crawl", "example.org", [], "ann")
    assert [one.id for one in records.records(9)] == [second, number]
    assert [one.id for one in records.records(9, second)] == [number]


def test_what_is_asked_for_most_finds_nothing_or_is_slow(database: CatalogueDatabase) -> None:
    log = QueryLog(database)
    now = time.time()
    asked = [("moon", 7, 5.0), ("moon", 7, 9.0), ("mars", 3, 50.0), ("zzz", 0, 1.0)]
    log.add(
        [
            AskedQuery(number, now, "web", text, total, took, 0)
            for number, (text, total, took) in enumerate(asked, 1)
        ]
    )
    log.add([AskedQuery(1 << 61, now - 999, "other", "old", 1, 1.0, None)])
    since = now - 100
    assert [(one.text, one.searches) for one in log.popular(since, 9)] == [("moon", 2), ("mars", 1)]
    assert log.popular(since, 9)[0].took_ms == pytest.approx(7.0)
    assert [one.text for one in log.popular(since, 9, least=2)] == ["moon"]
    assert [one.text for one in log.slow(since, 1)] == ["mars"]
    log.click(1)
    assert [one.text for one in log.failing(since, 9)] == ["mars", "zzz"]
    assert log.popular(since, 9)[0].clicks == pytest.approx(0.5)
    assert log.popular(since, 9, "other") == []
    assert log.searches(since) == 4
    assert log.forget(since) == 1


def test_clicks_have_an_end(database: CatalogueDatabase) -> None:
    log = QueryLog(database)
    log.add([AskedQuery(1, time.time(), "web", "a", 1, 1.0, 0)])
    log.add([AskedQuery(2, time.time() - 9_999, "web", "b", 1, 1.0, 0)])
    log.add([AskedQuery(3, time.time(), "web", "c", 1, 1.0, None)])
    for _ in range(30):
        log.click(1)
    log.click(2)
    log.click(3)
    clicks = {one.text: one.clicks for one in log.popular(0, 9)}
    assert clicks == {"a": 20, "b": 0, "c": None}


def test_queries_that_look_the_same_are_one() -> None:
    assert normal("  The\tMoon \0 ") == "the moon"
