import pytest

from gossamer.advice import EXCLUSIONS, FINE, OUTCOMES, advice, failed_pages, status_remedy
from gossamer.config import CrawlSettings, list_settings
from gossamer.records import Exclusion, Outcome

SETTINGS = CrawlSettings()
WELL = {"pages": 100, "done.ok": 90, "done.http_error": 10, "excluded.scope": 50}


def test_no_advice_when_all_is_well() -> None:
    assert advice(WELL, SETTINGS) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("done.dns_error", "do not resolve"),
        ("done.connect_error", "not be connected to"),
        ("done.timeout", "request_timeout_seconds"),
        ("done.tls_error", "--no-verify-tls"),
        ("done.address_refused", "--allow-private"),
        ("done.too_large", "max_wire_bytes and max_body_bytes"),
        ("excluded.robots", "robots.txt"),
        ("backoffs", "slow down"),
        ("done.poison", "crashing"),
    ],
)
def test_what_went_wrong_is_told_with_its_count(name: str, words: str) -> None:
    (line,) = advice({**WELL, name: 1234.0}, SETTINGS)
    assert "1,234" in line
    assert words in line
    assert advice({**WELL, name: 0}, SETTINGS) == []


def test_one_url_is_no_plural() -> None:
    for name in ("done.dns_error", "done.timeout", "done.tls_error", "excluded.robots"):
        (line,) = advice({**WELL, name: 1}, SETTINGS)
        assert line.startswith("1 URL ")


def test_nothing_answered() -> None:
    first, second = advice({"done.dns_error": 1}, SETTINGS)
    assert first.startswith("No server answered")
    assert "resolve" in second
    assert len(advice({}, SETTINGS)) == 1


def test_robots_are_an_answer() -> None:
    (line,) = advice({"excluded.robots": 1}, SETTINGS)
    assert "robots.txt" in line


def test_a_crawl_that_ended_at_its_first_page_may_have_too_small_a_scope() -> None:
    (line,) = advice({"pages": 1, "excluded.scope": 20}, SETTINGS)
    assert "20 URLs are out of the scope 'host'" in line
    assert "--scope" in line


def test_the_settings_that_are_named_exist() -> None:
    everything = {f"done.{end}": 1.0 for end in ("timeout", "too_large", "tls_error")}
    names = {setting.name for setting in list_settings()}
    said = " ".join(advice(everything, SETTINGS)).replace(",", " ").replace(".", " ").split()
    named = {word for word in said if "_" in word}
    assert named
    assert named <= names


def test_a_disk_share_that_is_used_up() -> None:
    settings = CrawlSettings(max_disk_bytes=1_000)
    (line,) = advice({**WELL, "disk_bytes": 1_000}, settings)
    assert "max_disk_bytes" in line
    assert advice({**WELL, "disk_bytes": 999}, settings) == []


# Failures in short


def test_a_few_failures_are_not_worth_a_line() -> None:
    assert failed_pages({"done.ok": 10, "done.timeout": 3, "done.http_error": 2}, "r-1") == []


def test_failures_in_short() -> None:
    (line,) = failed_pages(
        {
            "done.ok": 80,
            "done.redirect": 10,
            "done.http_error": 1_200,
            "done.timeout": 30,
            "done.dns_error": 9,
            "done.too_large": 2,
            "status.200": 80,
            "status.301": 10,
            "status.404": 1_000,
            "status.799": 200,
        },
        "r-1",
    )
    assert line.startswith("1,241 of 1,331 visits failed: ")
    assert "404 Not Found (1,000), status 799 (200), timed out (30), and others" in line
    assert "'gossamer errors r-1'" in line


# What everything means


def test_every_outcome_and_exclusion_has_a_cause() -> None:
    assert set(OUTCOMES) == set(Outcome)
    assert set(EXCLUSIONS) == set(Exclusion)
    for cause in [*OUTCOMES.values(), *EXCLUSIONS.values()]:
        assert cause.label
        assert not cause.meaning.endswith(".")
        assert cause.remedy == "" or cause.remedy.endswith((".", "?"))


def test_what_is_wrong_can_be_mended() -> None:
    assert {end for end, cause in OUTCOMES.items() if not cause.remedy} == FINE
    assert all(cause.remedy for cause in EXCLUSIONS.values())


def test_every_status_has_a_remedy() -> None:
    assert all(status_remedy(status).endswith(".") for status in range(300, 1_000))
    assert "delay_seconds" in status_remedy(429)
    assert "later" in status_remedy(503)


def test_the_settings_that_remedies_name_exist() -> None:
    names = {setting.name for setting in list_settings()}
    remedies = [cause.remedy for cause in (*OUTCOMES.values(), *EXCLUSIONS.values())]
    remedies += [status_remedy(status) for status in range(300, 600)]
    for remedy in remedies:
        words = [word.strip("',.()") for word in remedy.split()]
        assert {word for word in words if "_" in word} <= names
        options = {word.removeprefix("--").removeprefix("no-") for word in words if "--" in word}
        known = names | {"resume", "text", "html"}
        assert {option.replace("-", "_") for option in options} <= known
