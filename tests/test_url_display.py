from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.url_display import readable, readable_step
from gossamer.urls import parse


@pytest.mark.parametrize(
    "path",
    [
        *("/wiki/Übersicht", "/a/größe-2?q=für", "/вики/Луна_(спутник)", "/wiki/月", "/नमस्ते"),
        *("/x/日本語/ページ", "/Ελλάδα", "/tiếng_việt", "/Москва_(city)", "/한국어"),
    ],
)
def test_letters_are_shown(path: str) -> None:
    assert readable(f"http://a.example{quote(path, safe='/?=()_')}") == f"http://a.example{path}"


@pytest.mark.parametrize(
    "character",
    [
        *("\u202e", "\u200f", "\u2066", "\u200b", "\u00ad", "\ufeff", "\u0085", "\u009b"),
        *("\u00a0", "\u3000", "\u2028", "\u2044", "\u2215", "\uff0f", "\uff1f", "\uff03", "\u3002"),
        *("\u3164", "\ufe0f", "\U000e0100", "\ue000", "\u0378", "\u05d0", "\u0627", "\u0660"),
        *("\u01c3", "\u30ce", "\u203a", "\uff21", "\u2f03", "\U0001f600"),
    ],
)
def test_what_could_mislead_stays_escaped(character: str) -> None:
    address = f"http://a.example/x{quote(character)}y"
    assert readable(address) == address


@pytest.mark.parametrize(
    "path",
    [
        "/p\u0430ypal",  # a Cyrillic letter in a Latin word
        "/\u0440\u0430\u0443",  # nothing but letters that look Latin
        "/\u03bf\u0440",  # Greek and Cyrillic
        "/u\u0308ber",  # not composed
        "/\u0301",  # a mark without a letter
    ],
)
def test_words_that_look_like_others_stay_escaped(path: str) -> None:
    address = f"http://a.example{quote(path)}"
    assert readable(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "http://a.example/100%25",
        "http://a.example/a%2Fb%3Fc%23d%20e",
        "http://a.example/%FF%FE%C3",
        "http://a.example/%C3%",
        "http://xn--bcher-kva.example/",
        "%E2%80",
        "",
    ],
)
def test_all_else_stays_as_it_is(address: str) -> None:
    assert readable(address) == address


def test_what_follows_something_misleading_is_shown() -> None:
    assert readable("/%E2%80%AE%C3%BCber") == "/%E2%80%AEüber"


@given(st.text())
def test_the_address_is_still_the_same(text: str) -> None:
    address = f"http://a.example/{quote(text, errors='replace')}"
    shown = readable(address)
    assert unquote(shown) == unquote(address)
    assert parse(shown).href == parse(address).href


@given(st.text())
def test_anything_can_be_shown(text: str) -> None:
    assert isinstance(readable(text), str)
    assert isinstance(readable_step(text), str)


def test_a_step_may_have_spaces() -> None:
    assert readable_step("a%20gr%C3%B6%C3%9Fe%2Fb") == "a größe%2Fb"
