"""From a question to its answer: the shards are asked stage by stage, and what they tell is put
together.

One index in this process is one shard, and goes the same way. What depends on all documents (how
rare a word is, which documents give feedback, the order of the hits) is decided here, so that an
answer does not depend on how many shards there are.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from time import monotonic, perf_counter

import msgspec
import numpy as np
from msgspec.structs import replace

from gossamer.config import IndexSettings
from gossamer.index.fields import Fields
from gossamer.index.generations import Whole
from gossamer.lib.kernels import load_kernels
from gossamer.matches import Floats, Ints, Statistics
from gossamer.query.nodes import to_text
from gossamer.query.suggest import SuggestionIndex
from gossamer.query.synonyms import changed_at
from gossamer.rank.profiles import Profile, load_profile
from gossamer.search import facets, feedback
from gossamer.search.best_documents import BestDocuments, Ranked
from gossamer.search.candidates import DEEPEST
from gossamer.search.checking import checked
from gossamer.search.companions import open_spelling, open_suggestions
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.feedback import NO_WORDS, FeedbackWords
from gossamer.search.languages import Form, Languages
from gossamer.search.meaning import Speller, Typed
from gossamer.search.planning import PREFIX_TERMS
from gossamer.search.reading import all_words, prefixes, read, typed_words
from gossamer.search.stages import (
    BEGIN,
    COUNT,
    FIND,
    FORMS,
    PREFIXES,
    VOTE,
    Begun,
    Find,
    Found,
    Panel,
    PrefixQuestion,
    Question,
    Voters,
)
from gossamer.text import Analyser

_KERNELS = (
    "gossamer.query.misspelling",
    "gossamer.query.qgrams",
    "gossamer.query.spelling",
    "gossamer.query.suggest",
)
_CACHED_ANSWERS = 1_000
_KNOWN_FORMS = 5_000
_NO_SCORES = np.empty(0)


class Broker:
    """Answers for one generation of an index, or of a set of shards."""

    def __init__(
        self,
        fields: Fields,
        analyser: Analyser,
        whole: Whole,
        companions: Path,
        panel: Callable[[float], Panel],
    ) -> None:
        """`whole`: all documents. `companions`: the folder of corrections and suggestions.
        `panel`: the shards, for one question that has to be answered at this moment (of
        `monotonic`)."""
        load_kernels(*_KERNELS)  # not within the deadline of the first search
        self._fields = fields
        self._analyser = analyser
        self._documents = whole.documents
        self._languages = Languages(analyser, whole.languages)
        self._forms: dict[Form, bool] = {}  # of other languages: whether they count
        self._companions = companions
        self._panel = panel
        self._answers: OrderedDict[bytes, Answer] = OrderedDict()
        self._lock = threading.Lock()

    def suggest(self, text: str, limit: int) -> list[str]:
        return [found.text for found in self._suggestions.suggest(text, limit)]

    @cached_property
    def _suggestions(self) -> SuggestionIndex:
        return open_suggestions(self._companions)

    @cached_property
    def _speller(self) -> Speller:
        words = open_spelling(self._companions)
        return Speller(words, self._analyser, self._languages.first, self._documents)

    def search(
        self, request: SearchRequest, settings: IndexSettings, profiles: Path | None
    ) -> Answer:
        begin = perf_counter()
        request = checked(request, self._fields)
        synonyms = changed_at(settings.synonyms)
        profile = load_profile(request.profile or settings.profile, profiles)
        key = msgspec.msgpack.encode((request, settings.model_dump(), synonyms, profile.said))
        with self._lock:
            known = self._answers.get(key)
            if known is not None:
                self._answers.move_to_end(key)
        if known is None:
            known = self._answered(request, settings, profiles)
            if not known.partial:
                with self._lock:
                    self._answers[key] = known
                    if len(self._answers) > _CACHED_ANSWERS:
                        self._answers.popitem(last=False)
        return replace(known, took_ms=(perf_counter() - begin) * 1000)

    def ranking(
        self, request: SearchRequest, settings: IndexSettings, profiles: Path | None
    ) -> list[str]:
        """The ids of the best documents, and nothing else of them."""
        request = checked(request, self._fields)
        deadline = monotonic() + request.deadline_seconds
        with ExitStack() as held:
            found = self._ranked(request, settings, profiles, deadline, held)
            while len(found.best.numbers) < request.limit and not found.best.is_all:
                found.best.fetch_more()
            return found.names(range(min(request.limit, len(found.best.numbers))))

    def _answered(
        self, request: SearchRequest, settings: IndexSettings, profiles: Path | None
    ) -> Answer:
        with ExitStack() as held:
            return self._answered_by(request, settings, profiles, held)

    def _answered_by(
        self,
        request: SearchRequest,
        settings: IndexSettings,
        profiles: Path | None,
        held: ExitStack,
    ) -> Answer:
        deadline = monotonic() + request.deadline_seconds
        found = self._ranked(request, settings, profiles, deadline, held)
        meant = self._meant(request, found)
        instead = ""
        if meant and not found.total:
            # Nothing holds what was typed: better an answer to what was meant than none.
            other = replace(request, query=meant)
            corrected = self._ranked(other, settings, profiles, deadline, held)
            if corrected.total:
                found, instead, meant = corrected, meant, ""
        hits, last_page = found.hits(request, settings.per_site)
        # Every stage leaves out what it has no time for.
        late = "the time limit was reached" if monotonic() > deadline else ""
        return Answer(
            query=request.query,
            did_you_mean=meant,
            searched_instead=instead,
            total=found.total,
            is_exact=found.is_exact,
            took_ms=0.0,
            hits=hits,
            profile=found.profile,
            page=request.page,
            limit=request.limit,
            last_page=last_page,
            deepest=DEEPEST,
            notes=found.notes,
            facets=found.facets.counts,
            facets_exact=found.facets.is_exact,
            partial=found.partial or found.panel.missing or late,
        )

    def _meant(self, request: SearchRequest, found: Ranked) -> str:
        """What the person may have meant to type; '' where that is what they typed."""
        words = list(typed_words(found.root, self._fields))
        if not words or request.plain:
            return ""
        typed = Typed(words, found.held, to_text(found.root) == " ".join(words))
        meant = self._speller.meant(typed, found.together)
        if not isinstance(meant, dict):
            return meant or ""
        text = request.query
        for word, better in meant.items():
            text = re.sub(rf"(?<![\w-])(?<!NOT ){re.escape(word)}(?!\w)", better, text)
        return text if text != request.query else ""

    # Stages

    def _ranked(
        self,
        request: SearchRequest,
        settings: IndexSettings,
        profiles: Path | None,
        deadline: float,
        held: ExitStack,
    ) -> Ranked:
        """`held` releases the shards in the end."""
        profile = load_profile(request.profile or settings.profile, profiles)
        panel = self._panel(deadline)
        held.callback(panel.release)
        begins, cut = self._prefixes(panel, request)
        foreign = self._foreign(panel, request, settings) if self._languages.others else {}
        seconds = deadline - monotonic()
        question = Question(request, settings, str(profiles or ""), seconds, begins, foreign)
        begun = panel.ask(BEGIN, dict.fromkeys(panel.members, question))
        statistics = _summed([one.statistics for one in begun.values()])
        named_by, named = _named(begun)
        by_shard = [one.pair_frequencies for one in begun.values()]
        pairs = [sum(counts) for counts in zip(*by_shard, strict=True)]
        found = panel.ask(
            FIND,
            {
                shard: Find(statistics, pairs, named if shard == named_by else None)
                for shard in panel.members
            },
        )
        added = NO_WORDS
        if monotonic() < deadline:
            added = _feedback(panel, found, self._documents)
        best = BestDocuments(panel, request, added, found, named)
        best.fetch()
        counted, facet_notes = facets.joined(request.facets, best.facets)
        one = next(iter(begun.values()), None)
        words, notes = (one.words, tuple(one.notes)) if one else ([], ())
        return Ranked(
            panel=panel,
            profile=profile.name,
            root=read(request, self._fields).root,
            notes=(*notes, *cut, *facet_notes, *_without_effect(request, profile)),
            held=dict(zip(words, statistics.document_frequencies.tolist(), strict=False)),
            partial=next((one.partial for one in found.values() if one.partial), ""),
            best=best,
            facets=counted,
        )

    def _foreign(
        self, panel: Panel, request: SearchRequest, settings: IndexSettings
    ) -> dict[str, tuple[str, ...]]:
        """What languages other than the commonest make of the words, as far as it counts."""
        points = settings.weights if request.weighted_words is None else request.weighted_words
        typed = all_words(read(request, self._fields), self._fields)
        forms = self._languages.forms([*typed, *points])
        known = self._forms
        asked = [form for form in forms if form not in known]
        if asked:
            replies = panel.ask(FORMS, dict.fromkeys(panel.members, asked))
            counts = zip(*replies.values(), strict=True) if replies else [()] * len(asked)
            decided = {
                form: self._languages.counts(
                    form,
                    sum(one.documents for one in known_here),
                    sum(one.own for one in known_here),
                    any(one.is_written for one in known_here),
                )
                for form, known_here in zip(asked, counts, strict=True)
            }
            if not panel.missing:  # a new one: another thread may be reading the old
                self._forms = {**(known if len(known) < _KNOWN_FORMS else {}), **decided}
            known = {**known, **decided}
        found: dict[str, tuple[str, ...]] = {}
        for form in forms:
            if known[form]:
                found[form.language] = (*found.get(form.language, ()), form.term)
        return found

    def _prefixes(
        self, panel: Panel, request: SearchRequest
    ) -> tuple[dict[str, tuple[str, ...]], list[str]]:
        """The words that begin as was typed, by what was typed; and what is to be said of them."""
        typed = prefixes(read(request, self._fields), self._fields)
        notes: list[str] = []
        if not typed:
            return {}, notes
        asked = [
            PrefixQuestion("".join(self._analyser.words(leaf.text)), leaf.field) for leaf in typed
        ]
        replies = panel.ask(PREFIXES, dict.fromkeys(panel.members, asked))
        found: dict[str, tuple[str, ...]] = {}
        for place, leaf in enumerate(typed):
            counts: dict[str, int] = {}
            for words in replies.values() if asked[place].start else ():
                for word, count in words[place].counts.items():
                    counts[word] = counts.get(word, 0) + count
            best = sorted(counts, key=lambda word: (-counts[word], word))
            if len(best) > PREFIX_TERMS:
                notes.append(
                    f"Of the words that begin with '{leaf.text}', only the {PREFIX_TERMS} "
                    "most common were searched for."
                )
            found[to_text(leaf)] = tuple(best[:PREFIX_TERMS])
        return found, notes


def _without_effect(request: SearchRequest, profile: Profile) -> list[str]:
    """What was asked for this query alone, and the formula of the profile knows nothing of."""
    asked = {"boost": request.boost, "weighted_words": request.weighted_words}
    return [
        f"The profile '{profile.name}' does not use '{name}'."
        for name, value in asked.items()
        if value and name not in profile.score.names
    ]


def _summed(statistics: Sequence[Statistics]) -> Statistics:
    """Of all shards together. Lengths and the number of documents are those of all already."""
    if not statistics:
        return Statistics(0, _NO_SCORES, _NO_SCORES, _NO_SCORES)
    first = statistics[0]
    if len(statistics) == 1:
        return first
    frequencies = np.sum([one.document_frequencies for one in statistics], axis=0)
    return first._replace(
        document_frequencies=np.minimum(frequencies, first.documents),
        collection_frequencies=np.sum([one.collection_frequencies for one in statistics], axis=0),
    )


def _named(begun: dict[int, Begun]) -> tuple[int, int | None]:
    """The document that the whole query names, and the shard that it is in."""
    found = [
        (one.destination, shard) for shard, one in begun.items() if one.destination is not None
    ]
    if not found:
        return -1, None
    best, shard = min(found)
    return shard, best.number


def _feedback(panel: Panel, found: dict[int, Found], documents: int) -> FeedbackWords:
    """The words of the best documents of all shards. `documents`: all that there are."""
    scores = np.concatenate([one.first_scores for one in found.values()] or [_NO_SCORES])
    if not len(scores):
        return NO_WORDS
    numbers = np.concatenate([one.first for one in found.values()])
    if len(panel.members) == 1:
        voting, power = feedback.voters(scores)
        voters = dict.fromkeys(panel.members, Voters(numbers[voting], power))
        return feedback.feedback_words([*panel.ask(VOTE, voters).values()], documents, None)
    owners = np.repeat(list(found), [len(one.first) for one in found.values()])
    in_order = np.argsort(np.concatenate([one.first_identities for one in found.values()]))
    numbers, owners = numbers[in_order], owners[in_order]
    voting, power = feedback.voters(scores[in_order])
    asked = {}
    for shard in panel.members:
        mine = np.flatnonzero(owners[voting] == shard)
        asked[shard] = Voters(numbers[voting[mine]], power[mine])
    replies = panel.ask(VOTE, asked)

    def counted_of(words: Ints) -> Floats:
        counts = panel.ask(COUNT, dict.fromkeys(panel.members, words)).values()
        return np.sum([*counts], axis=0) if counts else np.zeros((3, len(words)))

    return feedback.feedback_words([*replies.values()], documents, counted_of)
