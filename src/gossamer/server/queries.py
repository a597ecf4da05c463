"""A search as an address: every state of the results page is one, and so is a call of the API."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct

from gossamer.errors import UsageError
from gossamer.query.parser import MOST_CHARACTERS
from gossamer.search.checking import MOST_HITS
from gossamer.search.contract import SearchRequest
from gossamer.search.filters import read_filter, written_value

Text = Annotated[str, Meta(max_length=1_000)]
Name = Annotated[str, Meta(max_length=64)]
T = TypeVar("T", bound=Struct)


_OVERRIDES = frozenset({"k", "b", "boost", "weight", "field_weight"})


class SearchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    q: Annotated[str, Meta(description="The query.", max_length=MOST_CHARACTERS)] = ""
    index: Annotated[str, Meta(description="The index; the site's own if empty.")] = ""
    page: Annotated[
        int, Meta(ge=1, description="Counted from 1; the best 10,000 hits at most.")
    ] = 1
    limit: Annotated[int, Meta(ge=1, le=MOST_HITS, description="Hits a page.")] = 10
    profile: Annotated[Name, Meta(description="How to rank; as the index is set if empty.")] = ""
    sort: Annotated[Text, Meta(description="A number or date field; '-price': highest first.")] = ""
    filter: Annotated[
        tuple[Annotated[str, Meta(max_length=MOST_CHARACTERS)], ...],
        Meta(description="'lang:en', 'price:10..50', 'kind:lamps|tools'.", max_length=20),
    ] = ()
    facet: Annotated[
        tuple[Name, ...], Meta(description="Keyword fields to count.", max_length=10)
    ] = ()
    all_words: Annotated[bool, Meta(description="Only documents with all words.")] = False
    group: Annotated[bool, Meta(description="At most a few hits of a site, no repeats.")] = True
    safe: Annotated[
        bool | None, Meta(description="Leave out what is marked; as the index is set if not given.")
    ] = None
    summary: Annotated[bool, Meta(description="The best sentences of each hit.")] = False
    explain: Annotated[bool, Meta(description="Open every score into its parts.")] = False
    words_only: Annotated[
        bool, Meta(description="The query is nothing but words, whatever signs it holds.")
    ] = False
    deadline_seconds: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="Answer with what is found by then.")
    ] = None
    # For this search alone; as the index is set if not given.
    k: Annotated[float | None, Meta(description="k of BM25.")] = None
    b: Annotated[float | None, Meta(description="b of BM25.")] = None
    boost: Annotated[Text, Meta(description="Added to the score: 'log(1 + votes)'.")] = ""
    weight: Annotated[
        tuple[Text, ...], Meta(description="Points for a word: 'freiburg=5'.", max_length=50)
    ] = ()
    field_weight: Annotated[
        tuple[Text, ...], Meta(description="What a field counts: 'title=3'.", max_length=50)
    ] = ()

    def request(self, deadline_seconds: float) -> SearchRequest:
        return SearchRequest(
            self.q,
            limit=self.limit,
            page=self.page,
            profile=self.profile,
            sort=self.sort,
            filters=tuple(read_filter(*field_and_value(text)) for text in self.filter),
            facets=self.facet,
            all_words=self.all_words,
            group=self.group,
            safe=self.safe,
            summary=self.summary,
            explain=self.explain,
            plain=self.words_only,
            deadline_seconds=min(self.deadline_seconds or deadline_seconds, deadline_seconds),
            k=self.k,
            b=self.b,
            boost=self.boost or None,
            weighted_words=dict(_named_number(text) for text in self.weight) or None,
            field_weights=dict(_named_number(text) for text in self.field_weight) or None,
        )

    def address(self, path: str = "/search", **changes: Any) -> str:
        """The same search with something changed; a change goes back to its first page."""
        fresh = {} if "page" in changes else {"page": 1}
        changed = msgspec.structs.replace(self, **{**fresh, **changes})
        return f"{path}?{urlencode(changed._pairs())}"

    def overrides(self) -> list[tuple[str, str]]:
        """What is ranked otherwise than the index is set, as parameters."""
        return [(name, value) for name, value in self._pairs() if name in _OVERRIDES]

    def _pairs(self) -> list[tuple[str, str]]:
        """What is not as usual, as parameters."""
        defaults = type(self)()
        pairs: list[tuple[str, str]] = []
        for name, value in msgspec.structs.asdict(self).items():
            if value != getattr(defaults, name) or name == "q":
                values = value if isinstance(value, tuple) else (value,)
                pairs += [(name, _written(one)) for one in values]
        return pairs

    def with_filter(self, field: str, value: str) -> "SearchQuery":
        """The same search, narrowed to a value of a field. A value that is no range is quoted if it
        could be read as something else."""
        added = f"{field}:{written_value(value)}"
        kept = [text for text in self.filter if text != added]
        return msgspec.structs.replace(self, filter=(*kept, added), page=1)

    def without_filter(self, text: str) -> "SearchQuery":
        kept = tuple(other for other in self.filter if other != text)
        return msgspec.structs.replace(self, filter=kept, page=1)


def read_query(parameters: Mapping[str, list[str]], into: type[T]) -> T:
    """The typed form of the parameters of an address; what is wrong is told by its name. A name
    without a value is not set: browsers leave out so what a search description calls optional."""
    fields = {field.name: field for field in msgspec.structs.fields(into)}
    values: dict[str, Any] = {}
    for name, texts in parameters.items():
        given = [text for text in texts if text]
        if given:
            is_list = name in fields and isinstance(fields[name].default, tuple)
            values[name] = given if is_list else given[-1]
    try:
        return msgspec.convert(values, into, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(_in_words(str(error))) from None


_FAULT = re.compile(
    r"Expected `(?P<kind>\w+)[^`]*`(?: of length)?(?: (?P<sign>[<>]=?) (?P<bound>[\d.]+))?"
    r".* - at `\$\.(?P<name>\w+)"
)
_UNKNOWN = re.compile("Object contains unknown field `(.*)`")
_MISSING = re.compile("Object missing required field `(.*)`")
_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a text"}
_SIGNS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def _in_words(fault: str) -> str:
    """What a validator says, for whoever has typed the address."""
    if unknown := _UNKNOWN.match(fault):
        return f"There is no parameter '{unknown[1]}'."
    if missing := _MISSING.match(fault):
        return f"The parameter '{missing[1]}' is missing."
    found = _FAULT.match(fault)
    if found is None:
        return f"The address cannot be read: {fault}."
    name, kind = found["name"], found["kind"]
    bound = f"{_SIGNS[found['sign']]} {float(found['bound']):g}" if found["sign"] else ""
    if kind == "array":
        return f"'{name}' may be given {bound} times."
    if kind == "str" and bound:
        return f"'{name}' must have {bound} characters."
    return f"'{name}' must be {_KINDS.get(kind, kind)}{bound and f' of {bound}'}."


def field_and_value(text: str) -> tuple[str, str]:
    field, colon, value = text.partition(":")
    if not colon or not field.strip():
        raise UsageError(f"The filter '{text}' must be FIELD:VALUE, as in 'lang:en'.")
    return field.strip(), value.strip()


def _named_number(text: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        if name.strip():
            return name.strip(), float(number)
    except ValueError:
        pass
    raise UsageError(f"'{text}' must be NAME=NUMBER, as in 'freiburg=5'.")


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
