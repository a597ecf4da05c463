"""Numbers as people write them: '39.5', '1,234.50', '1.234,50', '1 234', '39,50 EUR'.

The same digits mean different numbers in different countries, so each number field of an index has
one format, for its documents and for queries. A value is read in that format. The one exception is
a plain machine number whose point cannot separate thousands ('39.5', '0.125'): it means the same in
every format.
"""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any

from msgspec import Struct


class NumberFormat(Struct, frozen=True):
    """How the texts of a number field are read."""

    decimal: str = ""
    """'.' or ','. Empty where no value shows which: then '39,5' is 39.5, '1,234' is 1234 and
    '1.234' is 1.234."""
    currency: str = ""  # as in ISO 4217; a value in another currency is not comparable


MACHINE = NumberFormat()


class Shape(Enum):
    """How a text may be read: which sign before its last digits is the decimal one."""

    WHOLE = "whole"  # '39', '1 234', '1e3': the same in every format
    CODE = "code"  # '007', or too many digits for a number: rather a name made of digits
    PLAIN = "plain"  # '39.5': a decimal point, as machines write it
    POINT = "point"  # '1,234.50', '1,234,567'
    COMMA = "comma"  # '39,5', '1.234,50', '1.234.567'
    POINT_OR_GROUP = "point or group"  # '1.234'
    COMMA_OR_GROUP = "comma or group"  # '1,234'


class WrittenNumber(Struct, frozen=True):
    """A number in a text, before its format is known."""

    shape: Shape
    currency: str
    point: float  # its value where '.' is the decimal sign
    comma: float  # its value where ',' is


_LONGEST = 64
_MOST_DIGITS = 15  # that a float holds exactly
_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW"}
_SIGNS |= {"₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "zł": "PLN"}
_CODES = (
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES "
    "KRW MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND "
    "ZAR"
)
_CURRENCY = "|".join([*map(re.escape, _SIGNS), *_CODES.split()])
_MONEY = re.compile(
    rf"(?P<minus>[-+]?)\s*(?:(?P<before>{_CURRENCY})\s*(?P<first>[-+]?[0-9.].*)"
    rf"|(?P<second>[0-9.].*?)\s*(?P<after>{_CURRENCY}))"
)
_MACHINE = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?P<exponent>[eE][-+]?[0-9]{1,4})?")
_SPACED = re.compile(r"[-+]?[0-9]{1,3}(?:[ '][0-9]{3})+(?:[.,][0-9]*)?")
_POINT_OR_GROUP = re.compile(r"[-+]?[1-9][0-9]{0,2}\.[0-9]{3}")
_COMMA_OR_GROUP = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
_COMMA = re.compile(
    r"[-+]?(?:[0-9]+,[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]*|[0-9]{1,3}(?:\.[0-9]{3}){2,})"
)
_POINT = re.compile(
    r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]*|[0-9]{1,3}(?:,[0-9]{3}){2,}"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]*)?)"  # the last one: in India
)
_SAME = str.maketrans(
    {"−": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'", "\u2007": " "}
)
_BEGINNINGS = frozenset("0123456789.-+−" + "".join(sign[0] for sign in _SIGNS))
_CODE_SET = frozenset(_CODES.split())
_TRUTH = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}


def written_number(text: str) -> WrittenNumber | None:
    """Return what a text may mean as a number; None where it is none in any format."""
    if len(text) > _LONGEST or not _may_begin(text):
        return None
    text = text.translate(_SAME).strip()
    currency = ""
    if text and not (text[-1].isdecimal() and text.isascii() and text[0] in "0123456789.-+"):
        found = _MONEY.fullmatch(text)
        if found is not None:
            name = found["before"] or found["after"]
            currency = _SIGNS.get(name, name)
            text = found["minus"] + (found["first"] or found["second"])
    if _MACHINE.fullmatch(text):
        return _machine(text, currency)
    if _SPACED.fullmatch(text):
        bare = text.replace(" ", "").replace("'", "")
        shape = Shape.COMMA if "," in bare else Shape.POINT if "." in bare else Shape.WHOLE
        value = float(bare.replace(",", "."))
        return WrittenNumber(shape, currency, value, value)
    if _COMMA_OR_GROUP.fullmatch(text):
        shape = Shape.COMMA_OR_GROUP
    elif _POINT.fullmatch(text):
        shape = Shape.POINT
    elif _COMMA.fullmatch(text):
        shape = Shape.COMMA
    else:
        return None
    point = text.replace(",", "")
    comma = text.replace(".", "").replace(",", ".")
    return WrittenNumber(
        shape,
        currency,
        float(point) if point.count(".") < 2 else 0.0,
        float(comma) if comma.count(".") < 2 else 0.0,
    )


def _may_begin(text: str) -> bool:
    """Return False for most texts that are no numbers, at no cost."""
    first = text[:1]
    return first in _BEGINNINGS or first.isspace() or text[:3] in _CODE_SET


def _machine(text: str, currency: str) -> WrittenNumber | None:
    value = float(text)
    if abs(value) == float("inf"):
        return None
    digits = text.lstrip("+-")
    if digits.isdecimal():
        is_code = (digits[0] == "0" and len(digits) > 1) or len(digits) > _MOST_DIGITS
        return WrittenNumber(Shape.CODE if is_code else Shape.WHOLE, currency, value, value)
    if "e" in text or "E" in text or text.endswith("."):
        return WrittenNumber(Shape.WHOLE, currency, value, value)
    if _POINT_OR_GROUP.fullmatch(text):
        grouped = float(text.replace(".", ""))
        return WrittenNumber(Shape.POINT_OR_GROUP, currency, value, grouped)
    return WrittenNumber(Shape.PLAIN, currency, value, value)


def value_of(written: WrittenNumber, format_: NumberFormat) -> float | None:
    """Return its value in a format; None where it cannot be written so."""
    if written.currency and written.currency != format_.currency:
        return None
    if not can_be(written.shape, format_.decimal):
        return None
    is_comma = format_.decimal == "," if format_.decimal else written.shape is Shape.COMMA
    return (written.comma if is_comma else written.point) + 0.0  # never -0.0


def truth(text: str) -> float | None:
    """Return 1 for 'yes' and 'true', 0 for 'no' and 'false'; None for all else."""
    return _TRUTH.get(text.strip().lower()) if len(text) <= _LONGEST else None


def can_be(shape: Shape, decimal: str) -> bool:
    """Return True if a number of this shape can be read with this decimal sign."""
    if shape is Shape.POINT:
        return decimal != ","
    return shape is not Shape.COMMA or decimal != "."


def decimal_sign(counts: Mapping[Shape, int]) -> str:
    """Return the decimal sign that most values show, of those that show one; '' if none does."""
    points = counts.get(Shape.PLAIN, 0) + counts.get(Shape.POINT, 0)
    commas = counts.get(Shape.COMMA, 0)
    if not points and not commas:
        return ""
    return "," if commas > points else "."


def as_number(value: Any, format_: NumberFormat = MACHINE) -> float | None:
    """Return a value of a number field; None where it is no finite number in this format."""
    if isinstance(value, str):
        written = written_number(value)
        if written is not None:
            return value_of(written, format_)
        return truth(value)
    if isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:  # an integer of more than 308 digits
            return None
        return number + 0.0 if abs(number) < float("inf") else None
    return None
