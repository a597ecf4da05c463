"""The final report: sums that add up, and gaps that are shown."""

import pytest

from gossamer.app import Report
from gossamer.cli.report import (
    address_rows,
    contact_advice,
    headline,
    link_rows,
    show_report,
    status_rows,
    whole_numbers,
)
from gossamer.records import Exclusion, Outcome

NUMBERS = {
    "found": 30.0,
    "done.ok": 10.0,
    "done.timeout": 2.0,
    "queued": 5.0,
    "leased": 3.0,
    "excluded.scope": 9.0,
    "excluded.robots": 1.0,
    "excluded.depth": 0.0,
}


def test_addresses_add_up() -> None:
    assert address_rows(NUMBERS) == [
        ("found", "30"),
        ("  visited", "12"),
        ("    held", "10"),
        ("    timed out", "2"),
        ("  queued", "5"),
        ("  being fetched", "3"),
        ("  excluded", "10"),
        ("    out of scope", "9"),
        ("    blocked by robots.txt", "1"),
    ]


def test_a_gap_is_shown() -> None:
    assert address_rows({**NUMBERS, "found": 31.0})[-1] == ("  unaccounted for", "1")


def test_every_outcome_and_exclusion_has_words() -> None:
    for outcome in Outcome:
        assert address_rows({"found": 1, f"done.{outcome}": 1})[2][0].strip() != outcome.value
    for reason in Exclusion:
        assert address_rows({"found": 1, f"excluded.{reason}": 1})[-1][0].strip() != reason.value


def test_status_codes_known_and_unknown() -> None:
    rows = status_rows({"status.404": 2.0, "status.299": 1.0, "status.200": 0.0})
    assert rows == [("299", "1"), ("404 Not Found", "2")]


def test_links() -> None:
    rows = link_rows({"links.found": 10.0, "links.new": 4.0, "links.known": 6.0, "in_transit": 0})
    assert [value for _, value in rows] == ["10", "4", "6"]


def test_headline() -> None:
    numbers = {"pages": 100.0, "documents": 1.0, "wire_bytes": 5000.0, "body_bytes": 9000.0}
    first, second = headline(numbers, 10.0).splitlines()
    assert first == "100 pages (1 document, 0 duplicates) in 10.0 s: 10.0 pages/s."
    assert second == "5.0 KB received, 9.0 KB uncompressed, 0 B stored."
    assert "pages/s" not in headline({}, 0.0)


def test_only_times_have_fractions() -> None:
    numbers = whole_numbers({"pages": 300.0, "fetch_seconds": 2.0, "elapsed_seconds": 1.5})
    assert [type(number) for number in numbers.values()] == [int, float, float]


def test_contact_is_asked_for_on_the_public_internet_alone() -> None:
    pages = {"pages": 1.0}
    assert "--contact" in contact_advice({"contact": "", "allow_private": False}, pages)[0]
    assert contact_advice({"contact": "me@example.org"}, pages) == []
    assert contact_advice({"allow_private": True}, pages) == []
    local = {"seeds": ["http://wiki.test/"], "local_hosts": {"wiki.test": "127.0.0.1:80"}}
    assert contact_advice(local, pages) == []
    assert contact_advice({**local, "seeds": ["http://wiki.test/", "http://x.test/"]}, pages)
    assert contact_advice({}, {}) == []


@pytest.mark.parametrize(
    ("state", "reason", "line"),
    [
        ("stopped", "stopped by the user", "Run r-1: stopped by the user."),
        ("failed", "'queue-0' died.", "Run r-1: failed. 'queue-0' died."),
        ("failed", "", "Run r-1: failed."),
        ("failed", "disk \x1b[2Jfull", "Run r-1: failed. Disk full."),
    ],
)
def test_first_line(capsys: pytest.CaptureFixture[str], state: str, reason: str, line: str) -> None:
    show_report(Report("r-1", state, reason, 1.0, 1.0, NUMBERS, []), ["Do \x07this."])
    out = capsys.readouterr().out
    assert out.splitlines()[0] == line
    assert out.endswith("\nNotes\n  - Do this.\n")
