from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import SettingsError
from gossamer.query.synonyms import Synonym, Synonyms

FILE = """# acronyms and others
car, automobile, motor car
NYC => new york city   # one way
us, usa => united states

new york, big apple
"""


def test_equal_words() -> None:
    synonyms = Synonyms(FILE, "synonyms.txt")
    assert synonyms.of(["car"]) == (("automobile",), ("motor", "car"))
    assert synonyms.of(["motor", "car"]) == (("car",), ("automobile",))


def test_one_way() -> None:
    synonyms = Synonyms(FILE, "synonyms.txt")
    assert synonyms.of(["nyc"]) == (("new", "york", "city"),)
    assert synonyms.of(["new", "york", "city"]) == ()
    assert synonyms.of(["usa"]) == synonyms.of(["us"]) == (("united", "states"),)


def test_words_and_phrases_of_a_query() -> None:
    synonyms = Synonyms(FILE, "synonyms.txt")
    assert synonyms.lookup(["a", "motor", "car", "in", "new", "york"]) == [
        Synonym(1, 3, (("car",), ("automobile",))),
        Synonym(2, 3, (("automobile",), ("motor", "car"))),
        Synonym(4, 6, (("big", "apple"),)),
    ]
    assert synonyms.lookup([]) == []


def test_words_are_made_as_the_caller_says() -> None:
    synonyms = Synonyms("Cars => Autos", "x", lambda text: [text.strip().lower().rstrip("s")])
    assert synonyms.of(["car"]) == (("auto",),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("car", "one word alone"),
        ("car,", "a word is missing"),
        ("=> car", "a word is missing"),
        ("a => b => c", "more than one '=>'"),
        ("a, " * 100 + "a", "more than 100 words"),
        ("a, " + "b " * 9, "more than 8 words"),
    ],
)
def test_errors_name_file_and_line(line: str, message: str) -> None:
    with pytest.raises(SettingsError, match=rf"^words\.txt, line 3: .*{message}"):
        Synonyms(f"# first\n\n{line}\n", "words.txt")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "synonyms.txt"
    with pytest.raises(SettingsError, match="cannot be read"):
        Synonyms.from_file(path)
    path.write_bytes("\ufeffa, ä\n".encode())
    assert Synonyms.from_file(path).of(["a"]) == (("ä",),)
    path.write_bytes(b"a, b\nc, \xff\n")
    with pytest.raises(SettingsError, match="line 2: this is not UTF-8"):
        Synonyms.from_file(path)


@given(st.text(), st.lists(st.text()))
def test_any_file(text: str, words: list[str]) -> None:
    try:
        synonyms = Synonyms(text, "file")
    except SettingsError:
        return
    synonyms.lookup(words)
