"""What is asked and what is answered, wherever the index lies."""

from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct


class Filter(Struct, frozen=True):
    """A condition on a field: it has one of some values, or one in some ranges ('10..50')."""

    field: str
    values: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()  # further values, which are no ranges whatever they look like


class SearchRequest(Struct, frozen=True):
    query: str
    limit: int = 10
    page: int = 1
    profile: str = ""  # '': that of the index
    sort: str = ""  # a number or date field; '-price' for the highest first
    filters: tuple[Filter, ...] = ()  # all of them have to hold
    explain: bool = False
    summary: bool = False  # of each hit: its best sentences
    group: bool = True  # at most two hits of a site on a page, near-duplicates folded
    all_words: bool = False  # only documents with all words
    safe: bool | None = None  # leave out what is marked; None: as the index is set
    plain: bool = False  # the query is nothing but words, whatever signs it holds
    facets: tuple[str, ...] = ()  # fields whose values are counted; of dates, the years
    deadline_seconds: float = 10.0
    # What is set for this request alone; None: as the index has it
    k: float | None = None
    b: float | None = None
    boost: str | None = None
    weighted_words: dict[str, float] | None = None
    field_weights: dict[str, float] | None = None


# Nothing of an answer holds what holds it: the garbage collector need not look at the thousands of
# them that are kept, which would make every hundredth answer a millisecond slower.


class Mark(Struct, frozen=True, gc=False):
    start: int
    end: int


class Hit(Struct, frozen=True, gc=False):
    number: int
    id: str  # of a plain document; the address of a page
    url: str
    title: str
    snippet: str  # text, never markup
    marks: tuple[Mark, ...]  # the words of the query in the snippet
    score: float
    fields: dict[str, Any]
    explain: dict[str, Any] | None = None
    site: str = ""
    language: str = ""
    date: str = ""  # of a page, as '2024-05-31'
    noarchive: bool = False  # the page asks that no copy of it is shown
    from_links: bool = False  # nobody has fetched the page: what is known of it are links to it
    folded: int = 0  # hits of its site that are better than the last one of the page, not shown
    more_from_site: int = 0  # where some are: all matches of its site that the page does not show,
    # which the same request with the filter `site` finds
    summary: tuple[str, ...] = ()  # sentences in their order, where they were asked for
    similar: int = 0  # near-duplicates that are not shown


class Answer(Struct, frozen=True, gc=False):
    query: str
    total: int
    is_exact: bool  # the total; else it is 'about' that many
    took_ms: float
    hits: tuple[Hit, ...]
    profile: str
    page: int = 1
    limit: int = 10  # hits a page
    last_page: Annotated[
        int,
        Meta(
            description="The last page found so far; there is a next page if it is above 'page'. "
            "Where results are grouped, it grows as later pages are fetched."
        ),
    ] = 0
    deepest: Annotated[int, Meta(description="The best hits that can be paged through.")] = 0
    did_you_mean: str = ""
    searched_instead: str = ""  # where nothing matched what was typed
    notes: tuple[str, ...] = ()  # how the query was read, where that may surprise
    facets: dict[str, dict[str, int]] = {}  # how many matches have each value, most first
    facets_exact: bool = True  # else they are 'about' that many
    partial: str = ""  # why not everything was looked at


class Searcher(Protocol):
    def search(self, request: SearchRequest) -> Answer: ...

    def ranking(self, request: SearchRequest) -> list[str]:
        """The ids of the best `limit` documents, and nothing else of them."""
        ...

    def suggest(self, text: str, limit: int = 10) -> list[str]: ...

    def close(self) -> None: ...
