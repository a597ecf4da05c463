"""Traps that the shape of an address gives away, before anything of it is fetched.

A relative link that should not be relative grows its own path (`/a/b/a/b/a/b`), a form appends
its answer to its question (`?tag=x&tag=y&...`). Traps that only show by what comes back are the
queue server's part.
"""

from collections import Counter
from urllib.parse import unquote

from gossamer.records import Exclusion
from gossamer.urls import Url

_IN_A_ROW = 3
_SHORT_IN_A_ROW = 4
_IN_ALL = 4
_SAME_PARAMETER = 3


class UrlTraps:
    def __init__(self, max_path_parts: int, max_parameters: int) -> None:
        self._max_path_parts = max_path_parts
        self._max_parameters = max_parameters

    def objection(self, url: Url, _page: Url, _depth: int) -> Exclusion | None:
        rest, _, query = url.href.partition("?")
        parts = rest.split("/")[3:]
        if not parts[-1]:
            parts.pop()
        if len(parts) > self._max_path_parts:
            return Exclusion.TRAP_GROWTH
        if query and self._grows(query):
            return Exclusion.TRAP_GROWTH
        if len(parts) >= _IN_A_ROW and len(set(parts)) < len(parts) and _repeats(parts):
            return Exclusion.TRAP_REPETITION
        return None

    def _grows(self, query: str) -> bool:
        count = query.count("&") + 1
        if count <= _SAME_PARAMETER:
            return count > self._max_parameters
        parameters = {one for one in query.split("&") if one}
        if len(parameters) > self._max_parameters:
            return True
        names = Counter(one.partition("=")[0] for one in parameters)
        name, most = names.most_common(1)[0] if names else ("", 0)
        # Lists are written with brackets: there, several of a name are what is meant.
        return most > _SAME_PARAMETER and not unquote(name).endswith("[]")


def _repeats(parts: list[str]) -> bool:
    if max(Counter(parts).values()) > _IN_ALL:
        return True
    return any(_runs(parts, length) for length in range(1, len(parts) // _IN_A_ROW + 1))


def _runs(parts: list[str], length: int) -> bool:
    """Whether a sequence of that length stands three times in a row. Numbers and single letters
    come by chance (`/1/1/1/` is a page of a journal, `/f/f/f/` a folder of a store): on their own
    they have to stand four times."""
    same = 0
    for position in range(length, len(parts)):
        same = same + 1 if parts[position] == parts[position - length] else 0
        if length > 1:
            needed = (_IN_A_ROW - 1) * length
        else:
            part = parts[position]
            needed = (_SHORT_IN_A_ROW if len(part) == 1 or part.isdigit() else _IN_A_ROW) - 1
        if same >= needed:
            return True
    return False
