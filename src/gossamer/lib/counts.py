"""Numbers of things in sentences for people."""


def count(number: float) -> str:
    return f"{number:,.0f}"


def several(number: float, thing: str, more: str = "") -> str:
    """'1 page', '2 pages'; `more`: the plural, where it is not made with an 's'."""
    return f"{count(number)} {thing if number == 1 else more or thing + 's'}"
