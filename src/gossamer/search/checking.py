"""Is a request valid, and a profile for the fields of an index?"""

from math import isfinite, isnan

import msgspec
from msgspec.structs import replace

from gossamer.config.index import MOST_WEIGHTED_WORDS
from gossamer.errors import UsageError
from gossamer.index.fields import Fields, FieldType
from gossamer.rank.features import FEATURES
from gossamer.rank.formula import Formula
from gossamer.rank.profiles import Profile
from gossamer.search.candidates import DEEPEST
from gossamer.search.contract import SearchRequest

MOST_HITS = 1_000
"""Of one page."""
_INNER_VARIABLES = (
    *("url_length", "url_slashes", "documents_after", "page_rank", "combined_rank"),
    *("host_rank", "domain_rank", "in_degree", "in_hosts", "farm"),
)


def checked(request: SearchRequest, fields: Fields) -> SearchRequest:
    """Return a request that can be sent to a shard, or raise `UsageError`. Half a surrogate pair in
    the query is replaced."""
    if not 1 <= request.limit <= MOST_HITS:
        raise UsageError(f"A page has 1 to {MOST_HITS} hits.")
    if request.page < 1:
        raise UsageError("Pages are counted from 1.")
    if (request.page - 1) * request.limit >= DEEPEST:
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
        raise UsageError("The search option 'deadline_seconds' must be a number of seconds.")
    descends, sort = request.sort[:1] == "-", request.sort.removeprefix("-")
    sort = fields.named(sort) or sort
    request = replace(
        request,
        query=request.query.encode("utf-8", "replace").decode(),
        sort=f"-{sort}" if descends else sort,
        facets=tuple(fields.named(name) or name for name in request.facets),
    )
    try:
        msgspec.msgpack.encode(request)
    except (UnicodeEncodeError, OverflowError):
        raise UsageError("A filter, a field or a number of the request cannot be read.") from None
    return request


def formula_variables(fields: Fields) -> list[str]:
    """The names that a boosting formula may use."""
    return [*fields.of_type(FieldType.NUMBER, FieldType.DATE), *_INNER_VARIABLES]


def check_profile(profile: Profile, fields: Fields) -> None:
    """Raises `FormulaError` where a profile counts on a field that the index does not have."""
    variables = [name for name in profile.score.names if name not in FEATURES]
    if variables:
        Formula.parse(profile.score.text, [*FEATURES, *formula_variables(fields)])
