"""The stages of an answer: what a shard is asked, and what it tells.

A shard is an index that holds some of the documents, or all of them. All that is said here is plain
data, so that a shard may be in this process or in another one. The order of the stages, and what is
done between them, is in `broker`; what a shard does is in `shard`.

    PREFIXES     which words begin so
    FORMS        in how many documents words have a form, and in what language
    BEGIN        read the question; the statistics of its words
    FIND         with those of all shards: the candidates; which match best
    VOTE         the words of the best documents
    COUNT        how rare further words are, and what those documents say of them
    SCORE        with those words: the exact scores
    TOGETHER     how many documents hold words one behind the other
    NAMES        the ids of documents
    SHOW         the hits, with their snippets
    OF_SITES     how many documents that match are of some sites
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from gossamer.config import IndexSettings
from gossamer.matches import Bools, Floats, Ints, Statistics
from gossamer.search.contract import Hit, SearchRequest
from gossamer.search.destinations import Destination
from gossamer.search.facets import Facets
from gossamer.search.feedback import FeedbackWords, Votes
from gossamer.search.languages import Form, FormCount

Asked = TypeVar("Asked")
Reply = TypeVar("Reply")


class PrefixQuestion(Struct, frozen=True):
    start: str
    field: str


class PrefixWords(Struct, frozen=True):
    counts: dict[str, int]  # words that begin so, and how many documents hold them


class Question(Struct, frozen=True):
    request: SearchRequest
    settings: IndexSettings
    profiles: str  # the folder with a person's own; '': there is none
    seconds: float  # until an answer is wanted
    prefixes: dict[str, tuple[str, ...]] = {}  # by what was typed: the words that begin so
    foreign: dict[str, tuple[str, ...]] = {}  # what counts of other languages, see `languages`


class Begun(Struct, frozen=True):
    words: list[str]  # of the query itself: those of the first slots
    statistics: Statistics  # of all slots, here
    pair_frequencies: list[float]  # how many documents here hold each pair of neighbours
    notes: list[str]
    destination: Destination | None  # what the whole query names, if it is here


class Find(Struct, frozen=True):
    statistics: Statistics  # of all slots, in all shards
    pair_frequencies: list[float]
    named: int | None  # a document that is among the candidates, whatever its words


class Found(Struct, frozen=True):
    total: int
    is_exact: bool
    partial: str
    first: Ints  # the documents that may give feedback
    first_scores: Floats  # by their words alone
    first_identities: Ints  # which decide between equals


class Voters(Struct, frozen=True):
    numbers: Ints
    power: Floats


class Score(Struct, frozen=True):
    added: FeedbackWords
    tier: int  # the last one of the candidates that is wanted
    most: int  # rows of that tier that are wanted; 0: all


class Rows(Struct, frozen=True):
    """The best documents of a shard, in the order of their numbers."""

    numbers: Ints
    tiers: Ints
    scores: Floats
    least: Floats  # for each tier: the lowest score of all its documents here
    values: Floats | None  # of the field to sort by
    similarities: Ints  # by which they are grouped: hashes of their texts
    sites: Ints
    title_matches: Bools  # whose title is the query, see `Evidence.title_matches`
    facets: Facets
    matches: int | None  # how many documents match here, where that is known by now
    is_cut: bool  # there are further rows in these tiers
    is_last: bool  # there is no further tier


class Stage(NamedTuple, Generic[Asked, Reply]):
    name: str  # of the method of `shard.Inquiry`
    asked: type[Asked]
    reply: type[Reply]


PREFIXES = Stage("prefixes", list[PrefixQuestion], list[PrefixWords])
FORMS = Stage("forms", list[Form], list[FormCount])
BEGIN = Stage("begin", Question, Begun)
FIND = Stage("find", Find, Found)
VOTE = Stage("vote", Voters, Votes)
COUNT = Stage("count", Ints, Floats)
SCORE = Stage("score", Score, Rows)
TOGETHER = Stage("together", list[str], list[int])
NAMES = Stage("names", Ints, list[str])
SHOW = Stage("show", Ints, list[Hit])
OF_SITES = Stage("of_sites", list[str], list[int])
STAGES: tuple[Stage[Any, Any], ...] = (
    *(PREFIXES, FORMS, BEGIN, FIND, VOTE, COUNT, SCORE, TOGETHER, NAMES, SHOW, OF_SITES),
)


class Panel(Protocol):
    """The shards that are asked one question, from its first stage to its last."""

    @property
    def members(self) -> Sequence[int]:
        """The shards that have answered so far."""
        ...

    @property
    def missing(self) -> str:
        """Which shards have not, and why; '' where all have."""
        ...

    def ask(self, stage: Stage[Asked, Reply], asked: Mapping[int, Asked]) -> dict[int, Reply]:
        """Ask some members, all at once. Who does not answer in time is a member no more."""
        ...

    def release(self) -> None:
        """The question is answered, or given up."""
        ...
