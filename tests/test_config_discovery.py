"""Settings about what is crawled that have a grammar of their own."""

import pytest

from gossamer.config import crawl_settings
from gossamer.errors import SettingsError


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("include", ("/x*", "re:a(b"), r"setting 'include'.*'re:a\(b' is not a supported regular"),
        ("exclude", ("re:(?<=a)b",), "look-around"),
        ("exclude", ("",), "no empty pattern"),
        ("link_scope", "//a[", "setting 'link_scope' is '//a\\[': this is no XPath"),
        ("link_scope", "count(//a)", "computes a value"),
        ("languages", ("english",), "not 'english'"),
    ],
)
def test_what_is_refused_when_settings_are_read(name: str, value: object, message: str) -> None:
    with pytest.raises(SettingsError, match=f"(?i){message}"):
        crawl_settings({}, {name: value})


def test_what_is_right() -> None:
    right = {
        "include": ("*.example/*", "re:[0-9]+$"),
        "exclude": ("/print/*",),
        "link_scope": "//main//a/@href",
        "languages": ("en", "DE", "pt-BR"),
    }
    settings = crawl_settings({}, right)
    assert all(getattr(settings, name) == value for name, value in right.items())
