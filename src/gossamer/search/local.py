"""A searcher over one index in this process.

It looks at the newest generation: when another one is published, the next query opens it, while
queries that are being answered keep theirs.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from gossamer.config import IndexSettings
from gossamer.errors import UsageError
from gossamer.index.fields import Fields, FieldType
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader
from gossamer.matches import Ints
from gossamer.query.nodes import Group, leaves, to_text
from gossamer.query.nodes import Word as TypedWord
from gossamer.query.parser import ParsedQuery, parse, parse_plain
from gossamer.query.spelling import SpellingIndex
from gossamer.query.suggest import SuggestionIndex
from gossamer.query.synonyms import Synonyms
from gossamer.rank.evidence import Parameters, Word
from gossamer.rank.features import FEATURES
from gossamer.rank.formula import Formula
from gossamer.rank.profiles import Profile, load_profile
from gossamer.search.aliases import with_alias_frequencies
from gossamer.search.candidates import CandidateFinder, Candidates, order_of
from gossamer.search.companions import open_spelling, open_suggestions
from gossamer.search.contract import Answer, Hit, SearchRequest
from gossamer.search.destinations import destination
from gossamer.search.grouping import Shown, grouped
from gossamer.search.planning import Plan, Planner
from gossamer.search.safety import NOTHING_MARKED, can_tell, is_safe, without_unsafe
from gossamer.search.scoring import Scored, Scorer, best_first
from gossamer.search.snippets import Snippet, best_place, snippet
from gossamer.search.summary import summary_of
from gossamer.text import Analyser, AnalysisSettings

_SELDOM = 0.001  # of the documents: a word in fewer may be a misspelt one
_ENOUGH = 5
_CACHED_ANSWERS = 1_000
_LOOK_SECONDS = 0.2
_MOST_HITS = 1_000
_INNER_VARIABLES = ("url_length", "url_slashes", "documents_after", "page_rank", "combined_rank")


class LocalSearcher:
    def __init__(
        self,
        folder: IndexFolder,
        settings: Callable[[], IndexSettings],
        profiles: Path | None = None,
    ) -> None:
        """`settings`: those of this moment. `profiles`: a folder with a person's own."""
        self._folder = folder
        self._settings = settings
        self._profiles = profiles
        self._lock = threading.Lock()
        self._open: _OpenIndex | None = None
        self._looked_at = 0.0

    def search(self, request: SearchRequest) -> Answer:
        return self._current().search(request, self._settings(), self._profiles)

    def ranking(self, request: SearchRequest) -> list[str]:
        """The ids of the best `limit` documents, and nothing else of them."""
        return self._current().ranking(request, self._settings(), self._profiles)

    def suggest(self, text: str, limit: int = 10) -> list[str]:
        return self._current().suggest(text, limit)

    def close(self) -> None:
        with self._lock:
            self._open = None

    def _current(self) -> "_OpenIndex":
        with self._lock:
            now = monotonic()
            if self._open is None or now - self._looked_at > _LOOK_SECONDS:
                self._looked_at = now
                manifest = self._folder.manifest()
                if (
                    self._open is None
                    or manifest is None
                    or manifest.generation != self._open.reader.manifest.generation
                ):
                    # The old one is let go when the last query that uses it has ended.
                    self._open = _OpenIndex(self._folder)
            return self._open


class _OpenIndex:
    """One generation, with what is remembered of it."""

    def __init__(self, folder: IndexFolder) -> None:
        self.reader = IndexReader(folder)
        analysis = self.reader.manifest.analysis
        self._analyser = Analyser(AnalysisSettings(**analysis))
        self._finder = CandidateFinder(self.reader)
        self._answers: OrderedDict[bytes, Answer] = OrderedDict()
        self._static_orders: dict[bytes, Ints | None] = {}
        self._planned: tuple[tuple[IndexSettings, int], Planner] | None = None
        self._lock = threading.Lock()

    def __del__(self) -> None:
        if hasattr(self, "reader"):
            self.reader.close()

    def suggest(self, text: str, limit: int) -> list[str]:
        return [found.text for found in self._suggestions.suggest(text, limit)]

    @cached_property
    def _suggestions(self) -> SuggestionIndex:
        return open_suggestions(self.reader.generation)

    @cached_property
    def _spelling(self) -> SpellingIndex:
        return open_spelling(self.reader.generation)

    # Answers

    def search(
        self, request: SearchRequest, settings: IndexSettings, profiles: Path | None
    ) -> Answer:
        begin = perf_counter()
        _check(request)
        key = msgspec.msgpack.encode((request, settings.model_dump(), _changed_at(settings)))
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
        _check(request)
        found = self._ranked(request, settings, profiles)
        numbers = found.scored.numbers[found.order[: request.limit]].tolist()
        addresses = found.candidates.addresses
        return [_id(self.reader.shown(number, addresses.get(number))) for number in numbers]

    def _answered(
        self, request: SearchRequest, settings: IndexSettings, profiles: Path | None
    ) -> Answer:
        found = self._ranked(request, settings, profiles)
        meant = self._meant(request, found)
        instead = ""
        if meant and not found.candidates.total:
            # Nothing holds what was typed: better an answer to what was meant than none.
            corrected = self._ranked(replace(request, query=meant), settings, profiles)
            if corrected.candidates.total:
                found, instead, meant = corrected, meant, ""
        return Answer(
            query=request.query,
            did_you_mean=meant,
            searched_instead=instead,
            total=found.candidates.total,
            is_exact=found.candidates.is_exact,
            took_ms=0.0,
            hits=self._hits(request, settings, found),
            profile=found.profile.name,
            page=request.page,
            limit=request.limit,
            notes=found.notes,
            facets={
                name: self.reader.keyword_counts(name, found.scored.numbers)
                for name in request.facets
            },
            partial=found.candidates.partial,
        )

    def _meant(self, request: SearchRequest, found: "_Ranked") -> str:
        """What the person may have meant to type; '' where that is what they typed."""
        words = [leaf.text for leaf in leaves(found.root) if isinstance(leaf, TypedWord)]
        frequencies = found.scored.matches.statistics.document_frequencies
        known = frequencies[: len(found.plan.slots)]
        rare = _SELDOM * self.reader.documents
        if not words or request.plain or (len(known) and known.min() > max(rare, _ENOUGH)):
            return ""
        folded = [" ".join(self._analyser.words(word)) for word in words]
        meant = self._spelling.correct_query([word for word in folded if word])
        if meant is None:
            return ""
        if len(meant) != len(words):
            return " ".join(meant) if to_text(found.root) == " ".join(words) else ""
        text = request.query
        for word, plain, better in zip(words, folded, meant, strict=True):
            if better != plain:
                text = text.replace(word, better, 1)
        return text

    def _ranked(
        self, request: SearchRequest, settings: IndexSettings, profiles: Path | None
    ) -> "_Ranked":
        deadline = monotonic() + request.deadline_seconds
        profile = load_profile(request.profile or settings.profile, profiles)
        planner = self._planner(settings)
        parsed = parse_plain(request.query) if request.plain else self._parsed(request.query)
        filters = [
            node
            for name, value in request.filters.items()
            for node in self._parsed(f"{name}:{value}").root.must
        ]
        notes = parsed.notes
        is_careful = settings.safe if request.safe is None else request.safe
        if is_careful and can_tell(self.reader.fields):
            parsed = parsed._replace(root=without_unsafe(parsed.root))
        elif is_careful:
            is_careful, notes = False, (*notes, NOTHING_MARKED)
        every_word = request.all_words or settings.all_words or profile.all_words_required
        plan = planner.plan(parsed.root, filters, every_word)
        scorer = self._scorer(profile, request, settings, planner)
        slots, _ = scorer.slots(plan)
        statistics = with_alias_frequencies(
            self.reader.statistics(slots), plan.aliases, self.reader.finder
        )
        own = statistics.document_frequencies[: len(plan.slots)]
        candidates = self._finder.find(
            plan,
            statistics._replace(document_frequencies=own),
            lambda: self._static_order(profile, request, settings),
            deadline,
        )
        named = destination(self.reader, request.query) if request.page == 1 else None
        if named is not None and is_careful and not is_safe(self.reader, named):
            named = None
        if named is not None:
            numbers = np.union1d(candidates.numbers, np.array([named]))
            candidates = candidates._replace(
                numbers=numbers, total=max(candidates.total, len(numbers))
            )
        added = (
            scorer.with_feedback(candidates.first, plan, statistics, planner.is_stop_term)
            if monotonic() < deadline
            else []
        )
        scored = scorer.scored(candidates.numbers, plan, statistics, added)
        order = self._order(scored, request, profile)
        if named is not None and not request.sort:
            place = int(np.searchsorted(scored.numbers, named))
            order = np.concatenate(([place], order[order != place]))
        return _Ranked(
            profile,
            parsed.root,
            plan,
            candidates,
            scorer,
            scored,
            order,
            (*notes, *plan.notes),
        )

    def _parsed(self, text: str) -> ParsedQuery:
        return parse(text, self._field_names())

    def _field_names(self) -> list[str]:
        return [field.name for field in self.reader.fields.all]

    def _planner(self, settings: IndexSettings) -> Planner:
        """Kept while the settings stay: it remembers what becomes of stop words."""
        key = settings, _changed_at(settings)
        if self._planned is None or self._planned[0] != key:
            self._planned = key, self._new_planner(settings)
        return self._planned[1]

    def _new_planner(self, settings: IndexSettings) -> Planner:
        return Planner(
            self.reader,
            self._analyser,
            small_words=settings.small_words,
            stop_words=frozenset(settings.stop_words) if settings.stop_words else None,
            synonyms=self._synonyms(settings.synonyms),
        )

    def _synonyms(self, path: str) -> Synonyms | None:
        """What else may be said for words, by a person's own file."""
        if not path:
            return None
        words = self._analyser.words
        # Scripts without spaces have no words: there, all that is written together is one.
        return Synonyms.from_file(Path(path), lambda text: words(text) or text.casefold().split())

    def _scorer(
        self,
        profile: Profile,
        request: SearchRequest,
        settings: IndexSettings,
        planner: Planner,
    ) -> Scorer:
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
        weighted = [
            (Word(text, 0.0, is_required=False, points=value), list(slot.terms))
            for text, value in points.items()
            for slot in planner.slot(text)[:1]
        ]
        return Scorer(self.reader, profile, parameters, weights, weighted, explains=request.explain)

    def _static_order(
        self, profile: Profile, request: SearchRequest, settings: IndexSettings
    ) -> Ints | None:
        """All documents, the best first, by what does not depend on the words of a query; None
        where that is the same for all."""
        if not profile.is_static:
            return None
        key = msgspec.msgpack.encode(
            (profile.name, profile.score.text, request.boost, settings.model_dump())
        )
        if key not in self._static_orders:
            numbers = self.reader.living()
            empty = self.reader.matches(numbers[:0], [], self.reader.statistics([]))
            matches = empty._replace(
                numbers=numbers, lengths=np.zeros((len(numbers), len(self.reader.fields.texts)))
            )
            scorer = self._scorer(profile, request, settings, self._planner(settings))
            scores = profile.static_scores(scorer.evidence(matches, (), _NO_PLAN))
            same = len(scores) == 0 or bool((scores == scores[0]).all())
            self._static_orders[key] = None if same else numbers[order_of(scores)]
        return self._static_orders[key]

    def _order(self, scored: Scored, request: SearchRequest, profile: Profile) -> Ints:
        if not request.sort:
            return best_first(scored, profile.all_words_first)
        name = request.sort.removeprefix("-")
        if self.reader.fields.type_of(name) not in (FieldType.NUMBER, FieldType.DATE):
            numbers = self.reader.fields.of_type(FieldType.NUMBER, FieldType.DATE)
            raise UsageError(
                f"'{name}' is no field to sort by, only: {', '.join(numbers) or 'none'}."
            )
        values = self.reader.values(name, scored.numbers)
        missing = np.isnan(values)
        signed = -values if request.sort.startswith("-") else values
        return np.lexsort((-scored.scores, np.where(missing, 0.0, signed), missing))

    def _hits(
        self, request: SearchRequest, settings: IndexSettings, found: "_Ranked"
    ) -> tuple[Hit, ...]:
        def load(place: int) -> dict[str, Any]:
            number = int(found.scored.numbers[place])
            return self.reader.shown(number, found.candidates.addresses.get(number))

        per_site = settings.per_site if request.group else 0
        begin = (request.page - 1) * request.limit
        shown = grouped(
            found.order.tolist(), load, begin, request.limit, per_site, fold=request.group
        )
        terms = found.plan.terms
        scorer = found.scorer if request.explain else None
        hits = tuple(self._hit(one, found.scored, terms, scorer) for one in shown)
        if request.summary:
            is_stop = self._planner(settings).is_stop_term
            hits = tuple(
                replace(hit, summary=summary_of(one.stored, self.reader, self._analyser, is_stop))
                for hit, one in zip(hits, shown, strict=True)
            )
        return hits

    def _hit(self, one: Shown, scored: Scored, terms: frozenset[str], scorer: Scorer | None) -> Hit:
        stored = one.stored
        language = stored.get("language", "")
        passage = self._snippet(one, scored, terms, language)
        return Hit(
            number=int(scored.numbers[one.place]),
            id=_id(stored),
            url=stored.get("url", ""),
            title=stored.get("title", ""),
            snippet=passage.text,
            marks=passage.marks,
            score=float(scored.scores[one.place]),
            fields=stored.get("fields", {}),
            explain=scorer.explained(scored, one.place) if scorer else None,
            site=stored.get("site", ""),
            language=language,
            more_from_site=one.more_from_site,
            similar=one.similar,
        )

    def _snippet(self, one: Shown, scored: Scored, terms: frozenset[str], language: str) -> Snippet:
        stored = one.stored
        text = stored.get("text") or stored.get("description") or ""
        if stored.get("nosnippet") or not text:
            return Snippet("", ())
        field = scored.evidence.field(stored.get("text_field", "body"))
        hits = scored.matches.hits
        first, last = np.searchsorted(hits.documents, [one.place, one.place + 1])
        inside = slice(int(first), int(last))
        in_text = (hits.fields[inside] == (0 if field is None else field)) & (
            scored.evidence.required[hits.slots[inside]] > 0  # not what feedback has added
        )
        length = int(scored.matches.lengths[one.place, 0 if field is None else field])
        place = best_place(hits.positions[inside][in_text], hits.slots[inside][in_text], length)
        return snippet(text, place, terms, self._analyser, language)


def formula_variables(fields: Fields) -> list[str]:
    """The names that a boosting formula may use."""
    return [*fields.of_type(FieldType.NUMBER, FieldType.DATE), *_INNER_VARIABLES]


class _Ranked(NamedTuple):
    profile: Profile
    root: Group
    plan: Plan
    candidates: Candidates
    scorer: Scorer
    scored: Scored
    order: Ints  # places among the scored, the best first
    notes: tuple[str, ...]


def _changed_at(settings: IndexSettings) -> int:
    """When the file of synonyms was, if there is one: it may be edited at any time."""
    path = Path(settings.synonyms)
    return path.stat().st_mtime_ns if settings.synonyms and path.exists() else 0


def _id(stored: dict[str, Any]) -> str:
    found: str = stored.get("id") or stored.get("url", "")
    return found


_NO_PLAN = Plan([], [], None, None, None, True, [])


def _first(*values: float | None) -> float:
    found = next(value for value in values if value is not None)
    return float(found)


def _check(request: SearchRequest) -> None:
    if not 1 <= request.limit <= _MOST_HITS:
        raise UsageError(f"A page has 1 to {_MOST_HITS} hits.")
    if request.page < 1:
        raise UsageError("Pages are counted from 1.")
    unknown = [name for name in FEATURES if name in (request.field_weights or {})]
    if unknown:
        raise UsageError(f"'{unknown[0]}' is a feature, and no field.")
