"""From candidates to scores: the evidence, the profile's formula, and what explains a score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints, Matches, Statistics
from gossamer.rank.evidence import Breakdown, Evidence, Parameters, Word
from gossamer.rank.profiles import Profile
from gossamer.rank.relevance import pairs, text
from gossamer.search.aliases import matches_with_aliases
from gossamer.search.feedback import FeedbackWord, feedback_words
from gossamer.search.planning import Plan

_PAIRS = 0.2  # as in the default profile


class Scored(NamedTuple):
    """Candidates in the order of their numbers."""

    numbers: Ints
    scores: Floats
    holds_all: Floats
    evidence: Evidence
    matches: Matches


class Scorer:
    def __init__(
        self,
        reader: IndexReader,
        profile: Profile,
        parameters: Parameters,
        field_weights: Mapping[str, float],
        weighted_words: Sequence[tuple[Word, list[str]]] = (),
        explains: bool = False,
    ) -> None:
        """`weighted_words`: words with points, and their terms."""
        self._explains = explains
        self._reader = reader
        self._profile = profile
        self._parameters = parameters
        self._field_weights = field_weights
        self._weighted_words = weighted_words

    def slots(self, plan: Plan) -> tuple[list[list[str]], list[Word]]:
        """Those of the query, and those that the settings give points."""
        return _joined(plan.slots, plan.words, self._weighted_words)

    def with_feedback(
        self, first: Ints, plan: Plan, statistics: Statistics, is_stop: Callable[[str], bool]
    ) -> list[FeedbackWord]:
        """The words of the best among the first candidates; none where the profile wants none."""
        if not self._profile.feedback or not plan.slots or not len(first):
            return []
        slots, words = self.slots(plan)
        matches = self._matches(first, slots, statistics, plan)
        evidence = self.evidence(matches, words, plan)
        # By their words alone: what is liked for other reasons has nothing to say on the subject.
        scores = text(evidence).total + _PAIRS * pairs(evidence).total
        return feedback_words(self._reader, matches.numbers, scores, is_stop)

    def scored(
        self,
        numbers: Ints,
        plan: Plan,
        statistics: Statistics,
        added: Sequence[FeedbackWord] = (),
    ) -> Scored:
        """`statistics`: of `slots(plan)`."""
        slots, words = self.slots(plan)
        if added:
            more = [
                (Word(word.term, 0.0, is_required=False, feedback=word.weight), [word.term])
                for word in added
            ]
            known = len(slots)
            slots, words = _joined(slots, words, more)
            statistics = _both(statistics, self._reader.statistics(slots[known:]))
        matches = self._matches(numbers, slots, statistics, plan)
        evidence = self.evidence(matches, words, plan)
        return Scored(
            matches.numbers, self._profile.scores(evidence), evidence.holds_all, evidence, matches
        )

    def _matches(
        self, numbers: Ints, slots: Sequence[list[str]], statistics: Statistics, plan: Plan
    ) -> Matches:
        return matches_with_aliases(self._reader, numbers, slots, statistics, plan.aliases)

    def evidence(self, matches: Matches, words: Sequence[Word], plan: Plan) -> Evidence:
        return Evidence(
            matches,
            words,
            self._reader.fields.texts,
            self._field_weights,
            self._parameters,
            lambda name: self._reader.values(name, matches.numbers),
            self._pair_frequencies(plan) if self._profile.pairs else (),
            self._explains,
        )

    def _pair_frequencies(self, plan: Plan) -> list[float]:
        finder = self._reader.finder
        return [
            float(
                finder.count(
                    finder.combined(
                        (),
                        [finder.phrase([one, other]) for one in first for other in second],
                    )
                )
            )
            for first, second in zip(plan.slots, plan.slots[1:], strict=False)
        ]

    def explained(self, scored: Scored, place: int) -> dict[str, Any]:
        """The score of one candidate, opened: formula, features, words, fields."""
        breakdowns = self._profile.breakdowns(scored.evidence)
        values = {name: float(found.total[place]) for name, found in breakdowns.items()}
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
        opened: dict[str, Any] = {"value": float(found.total[place])}
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


def _both(one: Statistics, other: Statistics) -> Statistics:
    return one._replace(
        document_frequencies=np.concatenate((one.document_frequencies, other.document_frequencies)),
        collection_frequencies=np.concatenate(
            (one.collection_frequencies, other.collection_frequencies)
        ),
    )


def best_first(scored: Scored, all_words_first: bool) -> Ints:
    """Places of the candidates, the best first; of equals, the older document."""
    keys = (-scored.scores, -scored.holds_all) if all_words_first else (-scored.scores,)
    return np.lexsort(keys)
