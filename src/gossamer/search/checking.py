"""Whether a search can be asked for."""

from math import isfinite, isnan

import msgspec
from msgspec.structs import replace

from gossamer.config.index import MOST_WEIGHTED_WORDS
from gossamer.errors import UsageError
from gossamer.index.fields import Fields
from gossamer.search.candidates import DEEPEST
from gossamer.search.contract import SearchRequest

_MOST_HITS = 1_000


def checked(request: SearchRequest, fields: Fields) -> SearchRequest:
    """What can be asked, and sent to a shard: of the query, what is a character of some text. (Half
    of a pair, or a byte that could not be read, is none.)"""
    if not 1 <= request.limit <= _MOST_HITS:
        raise UsageError(f"A page has 1 to {_MOST_HITS} hits.")
    if request.page < 1:
        raise UsageError("Pages are counted from 1.")
    if request.page * request.limit > DEEPEST:
        raise UsageError(
            f"Only the best {DEEPEST:,} hits can be paged through: ask for an earlier page, or "
            "narrow the query with filters."
        )
    unknown = [name for name in request.field_weights or {} if name not in fields.texts]
    if unknown:
        raise UsageError(f"There is no text field '{unknown[0]}', only: {', '.join(fields.texts)}.")
    if len(request.weighted_words or ()) > MOST_WEIGHTED_WORDS:
        raise UsageError(f"At most {MOST_WEIGHTED_WORDS} words can have points.")
    weights = {**(request.field_weights or {}), **(request.weighted_words or {})}
    for name, value in {**weights, "k": request.k or 0.0, "b": request.b or 0.0}.items():
        if not isfinite(value):
            raise UsageError(f"The number for '{name}' is not finite.")
    if not 0 <= (request.b or 0.0) <= 1 or (request.k or 0.0) < 0:
        raise UsageError("k is 0 or more, b is 0 to 1.")
    if min((request.field_weights or {}).values(), default=0.0) < 0:
        raise UsageError("The weight of a field is 0 or more.")
    if isnan(request.deadline_seconds):
        raise UsageError("The deadline is no number of seconds.")
    query = request.query.encode("utf-8", "replace").decode()
    request = replace(request, query=query) if query != request.query else request
    try:
        msgspec.msgpack.encode(request)
    except (UnicodeEncodeError, OverflowError):
        raise UsageError("A filter, a field or a number of the request cannot be read.") from None
    return request
