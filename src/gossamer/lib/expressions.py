"""Regular expressions that come from outside, searched in linear time whatever they are.

Python's own can take longer than the age of the universe over a short text ('(a*)*b'). RE2 cannot,
and knows neither look-around nor back-references, which is the price.
"""

from collections.abc import Iterable
from typing import Any

_MOST_MEMORY = 64_000_000
_MOST_TOGETHER = 100  # of many alternatives at once, RE2 loses its table, and with it its speed


class AnyOf:
    """Several expressions as one."""

    def __init__(self, expressions: Iterable[str]) -> None:
        wanted = list(expressions)
        self._searches = [
            _compiled("|".join(f"(?:{one})" for one in wanted[start : start + _MOST_TOGETHER]))
            for start in range(0, len(wanted), _MOST_TOGETHER)
        ]

    def found_in(self, text: bytes) -> bool:
        return any(search.search(text) is not None for search in self._searches)


def check(expression: str) -> None:
    """Raises `ValueError` with what is wrong about it."""
    _compiled(expression)


def _compiled(expression: str) -> Any:
    import re2  # only where there are expressions: loading it takes as long as reading ten pages

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _MOST_MEMORY
    try:
        return re2.compile(expression, options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        if isinstance(reason, bytes):
            reason = reason.decode("utf-8", "replace")
        raise ValueError(str(reason)) from None
    except UnicodeEncodeError:
        raise ValueError("it holds half a character") from None
