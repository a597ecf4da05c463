"""From candidates to scores: the evidence, the profile's formula, and what explains a score."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.lib.hashing import hash64
from gossamer.matches import Floats, Ints, Matches, Statistics
from gossamer.rank.evidence import Breakdown, Evidence, Parameters, Word
from gossamer.rank.profiles import Profile
from gossamer.rank.relevance import further_words, pairs, text
from gossamer.search.aliases import matches_with_aliases
from gossamer.search.feedback import NO_WORDS, FeedbackWords
from gossamer.search.planning import Plan

_PAIRS = 0.2  # as in the default profile
_NEW = -1  # a word that no slot stands for


class Scored(NamedTuple):
    """Candidates in the order of their numbers."""

    numbers: Ints
    scores: Floats
    holds_all: Floats
    evidence: Evidence
    matches: Matches


class Gathered(NamedTuple):
    """Candidates with all places of the words of a query."""

    evidence: Evidence
    slots: list[list[str]]
    known: Mapping[str, Breakdown]  # features that the words which feedback adds do not change

    @property
    def numbers(self) -> Ints:
        return self.evidence.matches.numbers

    def text_scores(self) -> Floats:
        """How well each candidate matches by its words alone: what is liked for other reasons has
        nothing to say on the subject. None where nobody asks."""
        if not self.known:
            return np.empty(0)
        return self.known["text"].total + _PAIRS * self.known["pairs"].total


class Scorer:
    def __init__(
        self,
        reader: IndexReader,
        profile: Profile,
        parameters: Parameters,
        field_weights: Mapping[str, float],
        weighted_words: Sequence[tuple[Word, list[str]]] = (),
        pair_frequencies: Sequence[float] = (),
        explains: bool = False,
    ) -> None:
        """`weighted_words`: words with points, and their terms. `pair_frequencies`: how many
        documents hold each pair of neighbouring words, where the profile asks for that."""
        self._pair_frequencies = pair_frequencies
        self._explains = explains
        self._reader = reader
        self._profile = profile
        self._parameters = parameters
        self._field_weights = field_weights
        texts = reader.fields.texts
        self._weights = np.array([field_weights.get(name, 1.0) for name in texts], np.float64)
        self._weighted_words = weighted_words

    @property
    def points(self) -> list[tuple[float, list[str]]]:
        """What documents get for the terms of words."""
        return [(word.points, terms) for word, terms in self._weighted_words if word.points]

    def slots(self, plan: Plan) -> tuple[list[list[str]], list[Word]]:
        """Those of the query, and those that the settings give points."""
        return _joined(plan.slots, plan.words, self._weighted_words)

    def gathered(self, numbers: Ints, plan: Plan, statistics: Statistics) -> Gathered:
        """`statistics`: of `slots(plan)`."""
        slots, words = self.slots(plan)
        evidence = self.evidence(self._matches(numbers, slots, statistics, plan), words)
        known: dict[str, Breakdown] = {}
        if self._profile.feedback and slots:
            known = {"text": text(evidence), "pairs": pairs(evidence)}
        return Gathered(evidence, slots, known)

    def scored(self, gathered: Gathered, plan: Plan, added: FeedbackWords = NO_WORDS) -> Scored:
        evidence, known = gathered.evidence, gathered.known
        if len(added.words):
            slot_of = {
                hash64(term.encode()): slot
                for slot, terms in enumerate(gathered.slots)
                for term in terms
            }
            slots = [slot_of.get(word, _NEW) for word in added.words.tolist()]
            if self._explains:
                evidence = self._with_places(gathered, plan, added, slots)
            else:
                known = {**known, "feedback": self._feedback(gathered, added, slots)}
        scores = self._profile.scores(evidence, {} if self._explains else known)
        matches = evidence.matches
        return Scored(matches.numbers, scores, evidence.holds_all, evidence, matches)

    def _with_places(
        self, gathered: Gathered, plan: Plan, added: FeedbackWords, slots_of: Sequence[int]
    ) -> Evidence:
        """With the words of the best documents as slots, too. `slots_of`: those that they have."""
        slots, words = [*gathered.slots], [*gathered.evidence.words]
        new = []
        terms = self._reader.words_by_hash(added.words)
        weights = added.weights.tolist()
        for place, (term, slot) in enumerate(zip(terms, slots_of, strict=True)):
            if slot != _NEW:
                feedback = words[slot].feedback + weights[place]
                words[slot] = words[slot]._replace(feedback=feedback)
            elif term:
                slots.append([term])
                words.append(Word(term, 0.0, is_required=False, feedback=weights[place]))
                new.append(place)
        known = gathered.evidence.matches.statistics
        statistics = known._replace(
            document_frequencies=np.append(known.document_frequencies, added.documents[new]),
            collection_frequencies=np.append(known.collection_frequencies, added.occurrences[new]),
        )
        return self.evidence(self._matches(gathered.numbers, slots, statistics, plan), words)

    def _feedback(
        self, gathered: Gathered, added: FeedbackWords, slots_of: Sequence[int]
    ) -> Breakdown:
        """What the words of the best documents bring, where nobody asks in which places."""
        own = np.zeros(len(gathered.slots))
        new = []
        for place, slot in enumerate(slots_of):
            if slot == _NEW:
                new.append(place)
            else:
                own[slot] += added.weights[place]
        words = added.words[new]
        return further_words(
            gathered.evidence,
            own,
            added.documents[new],
            added.weights[new],
            lambda weights, norms: self._reader.saturated(
                gathered.numbers, words, weights, self._weights, norms
            ),
        )

    def _matches(
        self,
        numbers: Ints,
        slots: Sequence[list[str]],
        statistics: Statistics,
        plan: Plan,
    ) -> Matches:
        if not plan.aliases and not plan.in_capitals:
            return self._reader.matches(numbers, slots, statistics, self._weights)
        return matches_with_aliases(
            *(self._reader, numbers, slots, statistics, self._weights),
            *(plan.aliases, plan.in_capitals),
        )

    def evidence(self, matches: Matches, words: Sequence[Word]) -> Evidence:
        return Evidence(
            matches,
            words,
            self._reader.fields.texts,
            self._field_weights,
            self._parameters,
            lambda name: self._reader.known_values(name, matches.numbers),
            self._pair_frequencies,
            self._explains,
        )

    def explained(self, scored: Scored, place: int) -> dict[str, Any]:
        """The score of one candidate, opened: formula, features, words, fields."""
        breakdowns = self._profile.breakdowns(scored.evidence)
        values = {name: found.value(place) for name, found in breakdowns.items()}
        return {
            "profile": self._profile.name,
            "formula": self._profile.score.text,
            "score": float(scored.scores[place]),
            "features": {
                name: self._opened(found, place, scored.evidence)
                for name, found in breakdowns.items()
            },
            "parts": self._profile.score.explain(values),
        }

    def _opened(self, found: Breakdown, place: int, evidence: Evidence) -> dict[str, Any]:
        opened: dict[str, Any] = {"value": found.value(place)}
        if found.by_word is not None:
            words = []
            for slot, word in enumerate(evidence.words):
                value = float(found.by_word[place, slot])
                if not value:
                    continue
                part: dict[str, Any] = {"word": word.text, "value": value}
                if found.by_field is not None:
                    part["fields"] = {
                        name: float(found.by_field[place, slot, position])
                        for position, name in enumerate(evidence.fields)
                        if found.by_field[place, slot, position]
                    }
                words.append(part)
            opened["words"] = words
        return opened


def _joined(
    slots: Sequence[list[str]], words: Sequence[Word], more: Sequence[tuple[Word, list[str]]]
) -> tuple[list[list[str]], list[Word]]:
    """With further words. One that the query has, too, is no slot of its own: a term stands for one
    slot only."""
    all_slots, all_words = [*slots], [*words]
    place_of = {term: place for place, terms in enumerate(slots) for term in terms}
    for word, terms in more:
        place = next((place_of[term] for term in terms if term in place_of), None)
        if place is None:
            place_of.update(dict.fromkeys(terms, len(all_slots)))
            all_slots.append(terms)
            all_words.append(word)
        else:
            known = all_words[place]
            all_words[place] = known._replace(
                points=known.points + word.points, feedback=known.feedback + word.feedback
            )
    return all_slots, all_words


def pair_frequencies(reader: IndexReader, plan: Plan) -> list[float]:
    """How many documents hold each pair of neighbouring words of a query."""
    finder = reader.finder
    return [
        float(
            finder.count(
                finder.combined(
                    (), [finder.phrase([one, other]) for one in first for other in second]
                )
            )
        )
        for first, second in zip(plan.slots, plan.slots[1:], strict=False)
    ]


def best_first(scores: Floats, holds_all: Floats, all_words_first: bool) -> Ints:
    """Places of documents, the best first; of equals, the one that stands first."""
    return np.lexsort((-scores, -holds_all) if all_words_first else (-scores,))
