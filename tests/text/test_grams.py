from gossamer.text.grams import SPACELESS_RUN, grams


def read(run: str, size: int) -> tuple[list[str], list[str]]:
    pieces = grams(run, 0, size)
    return (
        [piece.text for piece in pieces if piece.main],
        [piece.text for piece in pieces if not piece.main],
    )


def test_groups_overlap_and_single_chinese_characters_can_be_asked_for() -> None:
    assert read("東京都", 2) == (["東京", "京都"], ["東", "京", "都"])
    assert read("サーバ", 2) == (["サー", "ーバ"], [])
    assert read("中", 2) == (["中"], [])
    assert read("東京", 3) == (["東京"], ["東", "京"])


def test_vowels_and_tones_stay_with_their_letter() -> None:
    assert read("กี่คน", 2)[0] == ["กี่ค", "คน"]


def test_places_are_from_an_offset_on() -> None:
    assert [(piece.start, piece.end) for piece in grams("ไทย", 7, 2)] == [(7, 9), (8, 10)]


def test_scripts_are_apart_but_those_of_japanese() -> None:
    assert SPACELESS_RUN.findall("abc漢字かなカナ한국ไทย.中") == [
        "漢字かなカナ",
        "한국",
        "ไทย",
        "中",
    ]
