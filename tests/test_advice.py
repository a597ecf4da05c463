import pytest

from gossamer.advice import advice
from gossamer.config import CrawlSettings, list_settings

SETTINGS = CrawlSettings()
WELL = {"pages": 100, "done.ok": 90, "done.http_error": 10, "excluded.scope": 50}


def test_no_advice_when_all_is_well() -> None:
    assert advice(WELL, SETTINGS) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("done.dns_error", "do not resolve"),
        ("done.connect_error", "not get a connection"),
        ("done.timeout", "request_timeout_seconds"),
        ("done.tls_error", "--no-verify-tls"),
        ("done.address_refused", "--allow-private"),
        ("done.too_large", "max_wire_bytes and max_body_bytes"),
        ("excluded.robots", "robots.txt"),
        ("backoffs", "slow down"),
        ("done.poison", "crashed"),
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
    assert "20 URLs lead out of the scope 'host'" in line
    assert "--scope" in line


def test_the_settings_that_are_named_exist() -> None:
    everything = {f"done.{end}": 1.0 for end in ("timeout", "too_large", "tls_error")}
    names = {setting.name for setting in list_settings()}
    said = " ".join(advice(everything, SETTINGS)).replace(",", " ").replace(".", " ").split()
    named = {word for word in said if "_" in word}
    assert named
    assert named <= names
