from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import SettingsError
from gossamer.index.safety import SafetyList
from gossamer.text import Analyser

_WORDS = Analyser().words


def listed(text: str) -> SafetyList:
    return SafetyList(text, "list.txt", _WORDS)


@pytest.mark.parametrize(
    ("host", "said", "expected"),
    [
        ("adult.example", "Welcome", True),
        ("WWW.adult.example:8080", "Welcome", True),
        ("notadult.example", "Welcome", False),
        ("example", "Welcome", False),
        ("news.example", "Hot Sauces of the world", False),
        ("news.example", "The Café of Gränd: BARE skin", True),
        ("news.example", "bareskin", False),
        ("news.example", "Forbidden!", True),
        ("news.example", "", False),
        ("", "", False),
    ],
)
def test_hosts_and_words(host: str, said: str, expected: bool) -> None:
    found = listed("# ours\nadult.example  # and beneath\n\nbare skin\nforbidden\n")
    assert found.lists(host, ["", said]) is expected


def test_a_list_of_words_alone_knows_no_hosts() -> None:
    assert not listed("word").lists("word.example", ["other"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.example\n***\n", "list.txt, line 2: there is neither a host nor a word."),
        ("one two three four five six seven eight nine", "list.txt, line 1: more than 8 words."),
    ],
)
def test_faults_name_the_line(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message.replace(".", r"\.")):
        listed(text)


def test_faults_name_the_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        SafetyList.from_file(tmp_path / "none.txt", _WORDS)
    (tmp_path / "latin.txt").write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(SettingsError, match="line 2: this is not UTF-8"):
        SafetyList.from_file(tmp_path / "latin.txt", _WORDS)


def test_another_list_has_another_stamp() -> None:
    assert listed("a").stamp == listed("a").stamp != listed("b").stamp


@given(st.text(), st.text())
def test_any_host_and_text_can_be_asked(host: str, said: str) -> None:
    assert listed("adult.example\nword").lists(host, [said]) in (True, False)
