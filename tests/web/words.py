"""Plain English from a number: different for each number, the same on every machine."""

import random

_WORDS = (
    "above across after again against almost always among animal another answer around autumn "
    "basket because before behind believe below beside better between beyond bicycle bottle "
    "branch bread bridge bright brother build business butter camera candle careful castle "
    "century certain chair chance change church circle city clear climb clock cloud coffee cold "
    "common corner country courage cousin dance danger daughter decide deep desert different "
    "distance doctor double dream early earth easy eight engine enough evening every example "
    "famous farmer father feather field finger finish flower follow foreign forest forget friend "
    "garden gentle glass golden grass green ground guess guitar happy harbour heavy history "
    "holiday honest horse hospital hotel hungry hunter island jacket journey kitchen ladder "
    "language laugh leather lesson letter library little lonely machine market meadow measure "
    "memory middle minute mirror modern moment money morning mountain music narrow nature "
    "neighbour never night number ocean office often orange orchard ordinary other paper parent "
    "pencil people perhaps picture planet pocket poor potato present pretty quarter question "
    "quick quiet rabbit railway reach ready reason remember repeat river road round sailor "
    "school science season second secret shadow sharp shoulder silver simple sister sleep slow "
    "small snow soldier something south spring square station stone storm story strange street "
    "strong student sugar summer surprise sweet table teacher thick thousand thread together "
    "tomorrow tower travel tree trouble under uncle valley village visit voice wagon wall warm "
    "watch water weather weight white whole window winter wonder wooden world yellow young"
)
_LIST = _WORDS.split()


def paragraph(number: int, words: int = 80) -> str:
    """Sentences of ten words."""
    chosen = random.Random(number).choices(_LIST, k=words)
    return " ".join(
        " ".join(chosen[first : first + 10]).capitalize() + "." for first in range(0, words, 10)
    )
