import base64
import hashlib
import random

import pytest

from gossamer.text.rubbish import is_data, is_rubbish

WORDS = """
alprazolam acetylsalicylic dichlorodiphenyltrichloroethane methylenedioxymethamphetamine
llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch antidisestablishmentarianism
pneumonoultramicroscopicsilicovolcanoconiosis rindfleischetikettierungsueberwachungsaufgaben
kraftfahrzeughaftpflichtversicherung angstschweiss borschtschschnitte rechtsschreibung
strengthlessness schlittschuhlaufen weltschmerz nightingale hottentottententententoonstelling
epajarjestelmallisyydellaan przypuszczalnie scvrnkls mississippi tsktsk rhythms crwth
knightsbridge lengthwise catchphrases honorificabilitudinitatibus grzegorzbrzeczyszczykiewicz
1776 9783161484100 004976120367651 1234567890123456 abc1234 0f1e2d3c4b5a b2b h2so4 x86
deadbeef covid19 windows95 c6h12o6 de89370400440532013000
"""


@pytest.mark.parametrize("word", WORDS.split())
def test_words_are_no_rubbish(word: str) -> None:
    assert not is_rubbish(word, 64)
    assert not is_data(word)


@pytest.mark.parametrize(
    "word",
    [
        "a" * 40,
        "xyxyxyxyxyxyxy",
        "bcdfghjklmnpqrstvx",
        "d41d8cd98f00b204",
        "x7f9k2m4q8z1w5v3",
        "1" * 30,
        "word" * 20,
    ],
)
def test_rubbish(word: str) -> None:
    assert is_rubbish(word, 64)


def test_encoded_data_is_no_text() -> None:
    rng = random.Random(7)
    for length in (24, 64, 300):
        assert is_data(base64.b64encode(rng.randbytes(length)).decode())
    assert is_data(hashlib.sha1(b"").hexdigest())
    assert is_data("550e8400-e29b-41d4-a716-446655440000")


@pytest.mark.parametrize(
    "run",
    [
        "usr/share/doc/python3-documentation/index-2",
        "getElementsByTagNameAndAttributeValue2",
        "a-very-long-title-of-a-page-about-1776",
        "CONSTANT_OF_THE_PROGRAM_WITH_NUMBER_2",
        "2024/01/31/what-happened-in-the-world-today",
    ],
)
def test_long_names_are_no_data(run: str) -> None:
    assert not is_data(run)
