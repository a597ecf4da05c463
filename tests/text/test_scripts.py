import re
import sys
import unicodedata

from gossamer.text.scripts import ACCENTS, INVISIBLE, MARKS, SPACELESS


def test_all_marks_are_known() -> None:
    known = re.compile(f"[{MARKS}{INVISIBLE}]")
    marks = [
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(character)[0] == "M"
    ]
    assert [hex(ord(mark)) for mark in marks if not known.match(mark)] == []


def test_classes_can_be_compiled() -> None:
    for characters in (*SPACELESS, ACCENTS, INVISIBLE):
        assert re.compile(f"[{characters}]")
