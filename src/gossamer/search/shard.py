"""One shard: an open generation of an index, and what it answers at each stage of a question."""

import threading
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import numpy as np

from gossamer.config import IndexSettings
from gossamer.errors import UsageError
from gossamer.index.fields import FieldType
from gossamer.index.reader import IndexReader
from gossamer.lib.kernels import load_kernels
from gossamer.matches import Floats, Ints, Statistics
from gossamer.query.nodes import Group, Node
from gossamer.query.synonyms import Synonyms, changed_at
from gossamer.rank.evidence import Parameters, Word
from gossamer.rank.formula import Formula
from gossamer.rank.profiles import Profile, load_profile
from gossamer.search import feedback, safety
from gossamer.search.aliases import with_alias_frequencies, with_capital_frequencies
from gossamer.search.candidates import TIERS, CandidateFinder, Candidates, Wish, order_of
from gossamer.search.checking import check_profile, formula_variables
from gossamer.search.clauses import clauses_of
from gossamer.search.contract import Filter, Hit, SearchRequest
from gossamer.search.destinations import destination, name_in
from gossamer.search.facets import Facets, check_facets, count_facets
from gossamer.search.hits import HitMaker, document_id
from gossamer.search.languages import Foreign, Form, FormCount, Languages
from gossamer.search.planning import PREFIX_TERMS, Plan, Planner
from gossamer.search.reading import condition_of, read, typed_words
from gossamer.search.scoring import Gathered, Scored, Scorer, pair_frequencies
from gossamer.search.slots import Reading, SlotMaker
from gossamer.search.stages import (
    Begun,
    Find,
    Found,
    PrefixQuestion,
    PrefixWords,
    Question,
    Rows,
    Score,
    Voters,
)
from gossamer.text import Analyser, AnalysisSettings

_KERNELS = (
    "gossamer.index.hash_kernels",
    "gossamer.index.kernels",
    "gossamer.rank.cover",
    "gossamer.rank.kernels",
    "gossamer.search.snippets",
)
_EVERYTHING = Group()
_VOTE_DECIMALS = 9  # of the scores of documents that vote


class Shard:
    """One generation, with what is remembered of it from one question to the next."""

    def __init__(self, reader: IndexReader) -> None:
        load_kernels(*_KERNELS)  # not within the deadline of the first search
        self.reader = reader
        self.analyser = Analyser(AnalysisSettings(**reader.manifest.analysis))
        self.finder = CandidateFinder(reader)
        self.languages = Languages(self.analyser, reader.whole.languages)
        self._orders: dict[bytes | str, Ints | None] = {}
        self._planned: tuple[tuple[IndexSettings, int], Planner] | None = None
        self._lock = threading.Lock()

    def __del__(self) -> None:
        # When the last question that uses it has been answered.
        self.reader.close()

    def planner(self, settings: IndexSettings) -> Planner:
        """Kept while the settings stay: it remembers what becomes of stop words."""
        key = settings, changed_at(settings.synonyms)
        if self._planned is None or self._planned[0] != key:
            self._planned = key, self._new_planner(settings)
        return self._planned[1]

    def _new_planner(self, settings: IndexSettings) -> Planner:
        slots = SlotMaker(
            self.analyser,
            self.reader.whole.languages,
            self.reader.documents,
            small_words=settings.small_words,
            stop_words=None if settings.stop_words is None else frozenset(settings.stop_words),
            synonyms=self._synonyms(settings.synonyms),
        )
        return Planner(self.reader, slots)

    def _synonyms(self, path: str) -> Synonyms | None:
        """What else may be said for words, by a person's own file."""
        if not path:
            return None
        words = self.analyser.words
        # Scripts without spaces have no words: there, all that is written together is one.
        return Synonyms.from_file(
            Path(path), lambda text: words(text) or text.casefold().split(), self.languages.stems
        )

    def scorer(
        self,
        profile: Profile,
        request: SearchRequest,
        settings: IndexSettings,
        pairs: Sequence[float] = (),
        foreign: Foreign | None = None,
        stop_words: int = 0,
    ) -> Scorer:
        """`pairs`: how many documents hold each pair of neighbouring words. `stop_words`: how many
        words of the query are left out as such."""
        default = Parameters()
        boost = settings.boost if request.boost is None else request.boost
        parameters = default._replace(
            k=_first(request.k, settings.k, profile.k, default.k),
            b=_first(request.b, settings.b, profile.b, default.b),
            slashes=_first(profile.slashes, default.slashes),
            boost=Formula.parse(boost, formula_variables(self.reader.fields)) if boost else None,
        )
        weights = {
            **{field.name: field.weight for field in self.reader.fields.all},
            **profile.field_weights,
            **settings.field_weights,
            **(request.field_weights or {}),
        }
        points = settings.weights if request.weighted_words is None else request.weighted_words
        planner, reading = self.planner(settings), Reading(foreign or {})
        weighted = [
            (Word(text, 0.0, is_required=False, points=value), list(slot.terms))
            for text, value in points.items()
            for slot in planner.slots.slot(text, reading)[:1]
        ]
        return Scorer(self.reader, profile, parameters, weights, weighted, pairs, stop_words)

    def order(
        self, profile: Profile, request: SearchRequest, settings: IndexSettings
    ) -> Ints | None:
        """All documents, the best first, by what does not depend on the words of a query: the field
        that a person sorts by, or the ranks of a profile. None where that is the same for all."""
        key: bytes | str = request.sort
        if not key:
            if not profile.is_static:
                return None
            key = msgspec.msgpack.encode(
                (profile.name, profile.score.text, request.boost, settings.model_dump())
            )
        with self._lock:
            if key not in self._orders:
                self._orders[key] = (
                    self._sorted(request.sort)
                    if request.sort
                    else self._new_order(profile, request, settings)
                )
            return self._orders[key]

    def _sorted(self, sort: str) -> Ints:
        """By a field; documents without it come last."""
        numbers = self.reader.living()
        descends = sort.startswith("-")
        values = self.reader.values(sort.removeprefix("-"), numbers, largest=descends)
        return numbers[np.argsort(-values if descends else values, kind="stable")]

    def _new_order(
        self, profile: Profile, request: SearchRequest, settings: IndexSettings
    ) -> Ints | None:
        numbers = self.reader.living()
        texts = len(self.reader.fields.texts)
        empty = self.reader.matches(numbers[:0], [], self.reader.statistics([]), np.ones(texts))
        lengths = np.zeros((len(numbers), texts))
        matches = empty._replace(numbers=numbers, lengths=lengths, tallies=None)
        evidence = self.scorer(profile, request, settings).evidence(matches, ())
        scores = profile.static_scores(evidence)
        same = len(scores) == 0 or bool((scores == scores[0]).all())
        return None if same else numbers[order_of(scores)]


class Inquiry:
    """One question at one shard. The stages follow each other; see `stages`."""

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self._reader = shard.reader
        # What one stage leaves for the next
        self._question: Question
        self._profile: Profile
        self._planner: Planner
        self._plan: Plan
        self._scorer: Scorer
        self._deadline = 0.0
        self._stop_words = 0  # words of the query that are left out as such
        self._gathered: Gathered
        self._ballot = feedback.ballot_of(shard.reader, np.empty(0, np.int64), np.empty(0))
        self._candidates: Candidates
        self._statistics: Statistics
        self._named: int | None = None
        self._scored: list[Scored] = []  # a tier each
        self._matches: int | None = None  # how many documents match, where that is known
        self._counted: Facets | None = None
        self._stored: dict[int, dict[str, Any]] = {}

    def prefixes(self, asked: list[PrefixQuestion]) -> list[PrefixWords]:
        # More than are looked for: a word may be common in other shards alone.
        most = 5 * PREFIX_TERMS
        finder = self._reader.finder
        return [PrefixWords(dict(finder.prefix(one.start, one.field, most))) for one in asked]

    def forms(self, asked: list[Form]) -> list[FormCount]:
        frequencies = self._reader.statistics([[form.term] for form in asked]).document_frequencies
        return [
            FormCount(
                int(documents),
                self._in_language(form, int(documents)),
                all(self._reader.is_written(word, form.language) for word in form.words),
            )
            for form, documents in zip(asked, frequencies.tolist(), strict=True)
        ]

    def _in_language(self, form: Form, documents: int) -> int:
        """How many of the documents that hold a form are in its language."""
        languages, finder = self._shard.languages, self._reader.finder
        if not languages.may_count(form, documents):
            return 0
        if not form.language or self._reader.fields.type_of("lang") is not FieldType.KEYWORD:
            return documents  # as far as is known
        own = [finder.keyword("lang", code) for code in languages.codes(form.language)]
        return finder.count(finder.combined([finder.term(form.term), finder.combined((), own)]))

    def begin(self, question: Question) -> Begun:
        request, settings = question.request, question.settings
        self._question = question
        self._deadline = monotonic() + question.seconds
        folder = Path(question.profiles) if question.profiles else None
        profile = self._profile = load_profile(request.profile or settings.profile, folder)
        check_profile(profile, self._reader.fields)
        self._check_sort(request.sort)
        check_facets(request.facets, self._reader.fields)
        self._planner = self._shard.planner(settings)
        query = read(request, self._reader.fields)
        is_careful = safety.is_wanted(request, settings)
        if is_careful:
            query = safety.made_safe(query, self._reader.fields)
        every_word = request.all_words or settings.all_words or profile.all_words_required
        points = settings.weights if request.weighted_words is None else request.weighted_words
        plan = self._planner.plan(
            *(query.root, query.filters, every_word, question.prefixes, question.foreign),
            weighted_words=len(points),
            deadline=self._deadline,
        )
        self._plan = plan
        typed = typed_words(query.root, self._reader.fields)
        self._stop_words = max(0, len(typed) - len(plan.words))
        self._scorer = self._new_scorer(())
        slots, _ = self._scorer.slots(plan)
        statistics = with_capital_frequencies(self._reader, slots, plan.in_capitals)
        clauses = clauses_of(query.root)
        named = destination(self._reader, name_in(request.query, clauses))
        if named is not None and is_careful and not safety.is_safe(self._reader, named.number):
            named = None
        narrowing = Group(must=clauses.conditions, must_not=clauses.excluded)
        if named is not None and not self._passes(narrowing, query.filters, named.number):
            named = None
        return Begun(
            words=[word.text for word in plan.words],
            statistics=with_alias_frequencies(statistics, plan.aliases, self._reader.finder),
            pair_frequencies=pair_frequencies(self._reader, plan) if profile.pairs else [],
            notes=[*query.notes, *plan.notes],
            destination=named,
        )

    def _new_scorer(self, pairs: Sequence[float]) -> Scorer:
        question = self._question
        return self._shard.scorer(
            *(self._profile, question.request, question.settings, pairs),
            *(question.foreign, self._stop_words),
        )

    def _passes(self, narrowing: Group, filters: Sequence[Node], number: int) -> bool:
        """Whether a document fulfils all conditions and filters, and none of the exclusions."""
        if not filters and narrowing == _EVERYTHING:
            return True
        finder = self._reader.finder
        return finder.count(finder.among(self._filter(filters, narrowing), np.array([number]))) > 0

    def _filter(self, filters: Sequence[Node], narrowing: Group = _EVERYTHING) -> Any:
        """For the finder: the documents that fulfil all filters, and what narrows the query."""
        question = self._question
        plan = self._planner.plan(
            *(narrowing, filters, False, question.prefixes, question.foreign),
            deadline=self._deadline,
        )
        return plan.find_any

    def _check_sort(self, sort: str) -> None:
        name = sort.removeprefix("-")
        known = self._reader.fields.of_type(FieldType.NUMBER, FieldType.DATE)
        if sort and name not in known:
            raise UsageError(
                f"'{name}' cannot be sorted by. Fields to sort by: {', '.join(known) or 'none'}."
            )

    def find(self, asked: Find) -> Found:
        profile, statistics = self._profile, asked.statistics
        request, settings = self._question.request, self._question.settings
        if asked.pair_frequencies:
            self._scorer = self._new_scorer(asked.pair_frequencies)
        self._statistics, self._named = statistics, asked.named
        own = statistics.document_frequencies[: len(self._plan.slots)]
        if asked.named is not None:
            self._plan = self._plan.with_document(self._reader.finder, asked.named)
        candidates = self._candidates = self._shard.finder.find(
            self._plan,
            statistics._replace(document_frequencies=own),
            Wish(
                lambda: self._shard.order(profile, request, settings),
                request.page * request.limit if request.sort else 0,
                points=self._scorer.points if "weighted_words" in profile.score.names else (),
            ),
            self._deadline,
        )
        if asked.named is not None and asked.named not in candidates.numbers:
            numbers = np.union1d(candidates.numbers, np.array([asked.named]))
            candidates = self._candidates = candidates._replace(numbers=numbers)
        self._gathered = self._scorer.gathered(candidates.numbers, self._plan, statistics)
        first, identities, scores = candidates.numbers[:0], candidates.numbers[:0], np.empty(0)
        every = self._gathered.text_scores()
        # What documents with the same stop words have in common is an accident.
        tells = not all(
            terms and self._planner.slots.is_stop_term(terms[0]) for terms in self._plan.slots
        )
        if len(every) and tells and monotonic() < self._deadline:
            every = np.round(every, _VOTE_DECIMALS)  # sums over shards differ in the last bits
            best = feedback.best_of(every, self._identities)
            first, scores = self._gathered.numbers[best], every[best]
            identities = self._identities(best)
        total, is_exact, partial = candidates.total, candidates.is_exact, candidates.partial
        return Found(total, is_exact, partial, first, scores, identities)

    def _identities(self, places: Ints) -> Ints:
        """Of candidates, by their places."""
        return self._reader.identities(self._gathered.numbers[places])

    def vote(self, asked: Voters) -> feedback.Votes:
        self._ballot = feedback.ballot_of(self._reader, asked.numbers, asked.power)
        return feedback.votes(self._ballot, self._planner.slots.stop_hashes)

    def count(self, words: Ints) -> Floats:
        return self._ballot.counted(words)

    def score(self, asked: Score) -> Rows:
        request = self._question.request
        is_last = self._candidates.is_all or bool(request.sort)
        last = 0 if is_last else min(asked.tier, len(TIERS) - 1)
        self._score_tiers(last, asked.added)
        tiers = self._scored[: last + 1]
        numbers = np.concatenate([one.numbers for one in tiers])
        scores = np.concatenate([one.scores for one in tiers])
        in_tier = np.repeat(np.arange(len(tiers)), [len(one.numbers) for one in tiers])
        values = None
        if request.sort:
            name, descends = request.sort.removeprefix("-"), request.sort.startswith("-")
            values = self._reader.values(name, numbers, largest=descends)
        is_kept = np.ones(len(numbers), np.bool_)
        is_cut = bool(asked.most and values is None and len(tiers[-1].numbers) > asked.most)
        if is_cut:
            own = np.flatnonzero(in_tier == last)
            is_kept[own[order_of(scores[own])[asked.most :]]] = False
            is_kept |= numbers == self._named
        order = np.flatnonzero(is_kept)
        order = order[np.argsort(numbers[order])]
        similarities, sites = self._reader.groups(numbers[order])
        title_matches = np.zeros(len(order), np.bool_)
        if self._reader.has_groups:  # nothing else asks for it
            found = np.concatenate([one.evidence.title_matches for one in tiers])
            title_matches = found[order]
        counted = self._facets()
        if self._candidates.is_exact:
            self._matches = self._candidates.total
        elif counted.matches is not None:
            self._matches = counted.matches
        return Rows(
            numbers=numbers[order],
            tiers=in_tier[order],
            scores=scores[order],
            least=np.array([one.scores.min(initial=np.inf) for one in tiers]),
            values=None if values is None else values[order],
            similarities=similarities,
            sites=sites,
            title_matches=title_matches,
            facets=counted,
            matches=self._matches,
            is_cut=is_cut,
            is_last=is_last or last == len(TIERS) - 1,
        )

    def _score_tiers(self, last: int, added: feedback.FeedbackWords) -> None:
        """Score the candidates of all tiers up to the last one that is wanted."""
        if not self._scored:
            self._scored = [self._scorer.scored(self._gathered, added)]
        while len(self._scored) <= last:
            known = np.concatenate([one.numbers for one in self._scored])
            found = self._shard.finder.tier(self._plan, len(self._scored), known)
            gathered = self._scorer.gathered(found.numbers, self._plan, self._statistics)
            self._scored.append(self._scorer.scored(gathered, added))
            if found.total is not None:
                self._matches = found.total
            self._candidates.found.append(found)

    def _facets(self) -> Facets:
        request = self._question.request
        if self._counted is None:
            self._counted = count_facets(
                request.facets, self._reader, self._plan, self._candidates, self._deadline
            )
        return self._counted

    def together(self, texts: list[str]) -> list[int]:
        finder, phrases = self._reader.finder, self._planner.slots.phrases
        return [
            finder.count(finder.combined((), [finder.phrase(terms) for terms in phrases(text)]))
            for text in texts
        ]

    def of_sites(self, sites: list[str]) -> list[int]:
        finder = self._reader.finder
        return [
            finder.count(finder.combined([self._plan.find_any, self._filter(condition)]))
            for condition in (
                (condition_of(Filter("site", (site,)), self._reader.fields),) for site in sites
            )
        ]

    def names(self, numbers: Ints) -> list[str]:
        return [document_id(stored) for stored in self._load(numbers)]

    def _load(self, numbers: Ints) -> list[dict[str, Any]]:
        wanted = numbers.tolist()
        if not self._stored.keys() >= set(wanted):
            addresses = self._candidates.addresses(numbers)
            for number in wanted:
                if number not in self._stored:
                    self._stored[number] = self._reader.shown(number, addresses.get(number))
        return [self._stored[number] for number in wanted]

    def show(self, numbers: Ints) -> list[Hit]:
        maker = HitMaker(
            *(self._reader, self._shard.analyser, self._question.request, self._planner),
            *(self._plan, self._scorer, self._deadline),
        )
        found: dict[int, Hit] = {}
        for scored in self._scored:
            mine = numbers[np.isin(numbers, scored.numbers)]
            if len(mine):
                hits = maker.hits(scored, mine, self._load(mine))
                found.update(zip(mine.tolist(), hits, strict=True))
        return [found[number] for number in numbers.tolist()]


def _first(*values: float | None) -> float:
    found = next(value for value in values if value is not None)
    return float(found)
