"""Settings from crawler files and command lines, and what is said about wrong ones."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import (
    CrawlSettings,
    crawl_settings,
    default_home,
    list_settings,
    load_crawler_file,
    load_index_file,
    setting_from_text,
    without_secrets,
)
from gossamer.errors import SettingsError, UsageError


@pytest.fixture
def crawler_file(tmp_path: Path) -> Path:
    return tmp_path / "site.toml"


def _fault(path: Path, text: str | bytes) -> str:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SettingsError) as caught:
        load_crawler_file(path)
    return str(caught.value)


# Files


def test_file_gives_its_settings_at_the_top_and_in_the_table(crawler_file: Path) -> None:
    crawler_file.write_text(
        'seeds = ["https://example.org"]\n'
        "[crawl]\n"
        "max_pages = 100\n"
        "delay_seconds = 2\n"
        'headers = { Accept = "text/html" }\n'
    )
    settings = crawl_settings(load_crawler_file(crawler_file), {})
    assert settings.seeds == ("https://example.org",)
    assert settings.max_pages == 100
    assert settings.delay_seconds == 2
    assert settings.headers == {"Accept": "text/html"}


def test_windows_line_ends_and_byte_order_mark(crawler_file: Path) -> None:
    crawler_file.write_bytes(b"\xef\xbb\xbfmax_pages = 7\r\nscope = 'domain'\r\n")
    assert load_crawler_file(crawler_file) == {"max_pages": 7, "scope": "domain"}


def test_unknown_setting_names_file_line_setting_and_nearest(crawler_file: Path) -> None:
    message = _fault(crawler_file, 'seeds = ["https://example.org"]\n\nmax_pagse = 5\n')
    assert f"{crawler_file}, line 3:" in message
    assert "'max_pagse'" in message
    assert "Did you mean 'max_pages'?" in message


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("max-pages", "max_pages"),
        ("MaxPages", "max_pages"),
        ("delay", "delay_seconds"),
        ("robots", "obey_robots"),
        ("seed", "seeds"),
        ("proxy", "proxies"),
        ("keepraw", "keep_raw"),
    ],
)
def test_nearest_name(crawler_file: Path, typed: str, meant: str) -> None:
    assert f"Did you mean '{meant}'?" in _fault(crawler_file, f"{typed} = 1\n")


def test_nothing_near_is_not_guessed(crawler_file: Path) -> None:
    message = _fault(crawler_file, "zebra = 1\n")
    assert "Did you mean" not in message
    assert "gossamer settings" in message


def test_unknown_table(crawler_file: Path) -> None:
    message = _fault(crawler_file, "max_pages = 1\n[zebra]\nmax_pages = 5\n")
    assert f"{crawler_file}, line 2: unknown table [zebra]" in message


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('max_pages = "many"', "setting 'max_pages' is 'many': must be a whole number, 0 or more"),
        ("max_pages = 1.5", "must be a whole number"),
        ("max_pages = -1", "is -1: must be a whole number, 0 or more"),
        ("max_pages = true", "is true: must be a whole number"),
        ("obey_robots = 1", "is 1: must be true or false"),
        ('scope = "planet"', "is 'planet': must be 'host', 'domain', 'prefix', 'patterns' or 'any"),
        ('delay_seconds = "soon"', "must be 'auto' or a number, 0 or more"),
        ("delay_seconds = inf", "must be 'auto' or a number"),
        ('seeds = "https://example.org"', "must be a list of texts"),
        ('seeds = ["https://example.org", 5]', "must be a list of texts (item 2 is not a text)"),
        ("headers = { Accept = 5 }", "setting 'headers': must be a table of names and texts"),
        ("request_timeout_seconds = 0", "must be a number above 0"),
        ('agent_name = "My Bot"', "must be made of letters"),
        ('name = "../up"', "must start with a letter or digit"),
        ("resolve = 1979-05-27", "must be a table of names and texts"),
        ('resolve = { "a.test" = "home" }', "'home' of 'a.test' is none (like '127.0.0.1'"),
        ('resolve = { "a.test" = "127.0.0.1:x" }', "'127.0.0.1:x' of 'a.test' is none"),
        ('proxies = ["127.0.0.1:3128"]', "must be addresses of proxies: http://"),
        ('proxies = ["ftp://proxy:21"]', "must be addresses of proxies: http://"),
    ],
)
def test_wrong_value_says_where_and_what_is_allowed(
    crawler_file: Path, line: str, said: str
) -> None:
    message = _fault(crawler_file, f"# a comment\n\n{line}\n")
    assert message.startswith(f"{crawler_file}, line 3: setting '{line.split()[0]}'")
    assert said in message


def test_all_faults_are_told_at_once_in_the_order_of_lines(crawler_file: Path) -> None:
    message = _fault(crawler_file, 'max_depth = "x"\nzebra = 1\n[crawl]\nretries = -1\n')
    numbers = [line.split("line ")[1].split(":")[0] for line in message.splitlines()]
    assert numbers == ["1", "2", "4"]


def test_line_is_that_of_the_setting_not_of_a_text_that_looks_like_it(crawler_file: Path) -> None:
    text = 'contact = """\nmax_pages = 1\n"""\n# max_pages = 2\nmax_pages = "x"\n'
    assert f"{crawler_file}, line 5:" in _fault(crawler_file, text)


def test_setting_inside_and_outside_of_the_table(crawler_file: Path) -> None:
    message = _fault(crawler_file, "retries = 1\n[crawl]\nretries = 2\n")
    assert "line 3: setting 'retries' stands both inside and outside of [crawl]" in message


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("max_pages = \n", "line 1"),
        ("a = 1\na = 2\n", "line 2"),
        ('seeds = ["x"', "line 1"),
        ("= 5\n", "line 1"),
    ],
)
def test_broken_toml(crawler_file: Path, text: str, place: str) -> None:
    message = _fault(crawler_file, text)
    assert str(crawler_file) in message
    assert place in message
    assert "not TOML" in message


def test_file_that_is_not_text(crawler_file: Path) -> None:
    assert "is not UTF-8" in _fault(crawler_file, b"max_pages = 1 # \xff\n")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no crawler file '.*none\.toml'"):
        load_crawler_file(tmp_path / "none.toml")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_crawler_file(tmp_path)


def test_secrets_are_not_repeated(crawler_file: Path) -> None:
    assert "hunter2" not in _fault(crawler_file, 'basic_auth = "hunter2"\n')
    assert "hunter2" not in _fault(crawler_file, 'headers = { "Bad Name" = "hunter2" }\n')


@given(text=st.text(alphabet="abc_=[]{}\"'\n #.0", max_size=40))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(text)
    message = str(path)
    try:
        load_crawler_file(path)
    except SettingsError as error:
        message = str(error)
    assert str(path) in message


# Command lines


def test_command_line_goes_before_the_file() -> None:
    settings = crawl_settings({"max_pages": 5, "retries": 1}, {"max_pages": 9})
    assert (settings.max_pages, settings.retries) == (9, 1)


def test_unknown_and_wrong_overrides() -> None:
    with pytest.raises(SettingsError) as caught:
        crawl_settings({}, {"max_pagse": 1, "retries": -1})
    assert "Did you mean 'max_pages'?" in str(caught.value)
    assert "Setting 'retries' is -1" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("max_pages", "5", 5),
        ("max_pages", "1_000", 1000),
        ("max_depth", "0", 0),
        ("delay_seconds", "auto", "auto"),
        ("delay_seconds", "0.5", 0.5),
        ("scope", "domain", "domain"),
        ("obey_robots", "false", False),
        ("proxies", "http://a:1", "http://a:1"),
    ],
)
def test_value_from_text(name: str, text: str, value: object) -> None:
    assert setting_from_text(name, text) == value


@pytest.mark.parametrize("name", ["max_pages", "delay_seconds", "scope", "obey_robots"])
def test_wrong_text(name: str) -> None:
    with pytest.raises(ValueError, match=r"^must be "):
        setting_from_text(name, "tomato")


# The list


def test_every_setting_is_described() -> None:
    settings = list_settings()
    assert [setting.name for setting in settings] == list(CrawlSettings.model_fields)
    for setting in settings:
        assert setting.help.endswith("."), setting.name
        assert setting.group
        assert setting.type_text
        assert setting.default_text


def test_defaults_can_be_typed_as_they_are_shown() -> None:
    defaults = CrawlSettings()
    for setting in list_settings():
        if setting.kind == "value" and setting.default_text not in ("empty", "no limit"):
            value = setting_from_text(setting.name, setting.default_text)
            assert value == getattr(defaults, setting.name)


def test_settings_survive_the_catalogue() -> None:
    settings = crawl_settings({}, {"seeds": ["https://a.example"], "headers": {"A": "b"}})
    assert CrawlSettings.model_validate(settings.model_dump(mode="json")) == settings


def test_home_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_HOME", "/somewhere")
    assert default_home() == Path("/somewhere")
    monkeypatch.delenv("GOSSAMER_HOME")
    assert default_home() == Path("gossamer-data")


def test_secrets_are_blotted_out() -> None:
    shown = without_secrets(
        {
            "basic_auth": "me:secret",
            "headers": {"Cookie": "secret"},
            "proxies": ["http://me:secret@proxy.example:8080"],
            "max_pages": 5,
        }
    )
    assert "secret" not in str(shown)
    assert shown["proxies"] == ["http://***@proxy.example:8080"]
    assert shown["max_pages"] == 5


def test_files_that_an_index_file_names_lie_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "index.toml"
    path.write_text('synonyms = "same.txt"\nprofile = "own.toml"\ndictionary = "/words.txt"\n')
    assert load_index_file(path) == {
        "synonyms": str(tmp_path / "same.txt"),
        "profile": str(tmp_path / "own.toml"),
        "dictionary": "/words.txt",
    }
    path.write_text('profile = "bm25"\nsynonyms = ""\n')
    assert load_index_file(path) == {"profile": "bm25", "synonyms": ""}
