"""Which request does a call in Python make?

In: a query and options by name. Out: `SearchRequest`, or a `UsageError` that names what is wrong.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from gossamer.errors import UsageError
from gossamer.search.contract import SearchRequest
from gossamer.search.filters import filters_of


def search_request(query: str | SearchRequest, options: Mapping[str, Any]) -> SearchRequest:
    """Return the request with options: the fields of a `SearchRequest` by name, filters as
    `filters_of` reads them. Raise `UsageError` for an option that does not exist, or has a value of
    the wrong kind."""
    if isinstance(query, SearchRequest):
        if options:
            raise UsageError("A SearchRequest holds all options: give none beside it.")
        return query
    known = [field.name for field in msgspec.structs.fields(SearchRequest) if field.name != "query"]
    for name in options:
        if name not in known:
            raise UsageError(
                f"There is no search option '{name}'. There are: {', '.join(sorted(known))}."
            )
    given = {**options, "query": query}
    filters = filters_of(given.pop("filters", ()))
    try:
        request = msgspec.convert(given, SearchRequest)
    except msgspec.ValidationError as error:
        raise _wrong_value(str(error)) from None
    for name, least in (("limit", 1), ("page", 1)):
        if getattr(request, name) < least:
            raise UsageError(f"The search option '{name}' is {least} or more.")
    if not request.deadline_seconds > 0:
        raise UsageError("The search option 'deadline_seconds' is more than 0.")
    return msgspec.structs.replace(request, filters=filters)


def _wrong_value(message: str) -> UsageError:
    """`message`: of msgspec, as in 'Expected `int`, got `str` - at `$.limit`'."""
    expected, _, place = message.partition(" - at ")
    name = place.strip("`").removeprefix("$.")
    what = "The query" if name == "query" else f"The search option '{name}'"
    return UsageError(f"{what} has a wrong value: {_in_python(expected)}.")


def _in_python(expected: str) -> str:
    """With the names that Python has for types of JSON."""
    for name, own in (("null", "None"), ("array", "list"), ("object", "dict")):
        expected = expected.replace(f"`{name}", f"`{own}").replace(f"| {name}", f"| {own}")
    return expected[:1].lower() + expected[1:].replace("`", "")
