"""From candidates to scores: the evidence, the profile's formula, and what explains a score."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from gossamer.index.reader import IndexReader
from gossamer.lib.hashing import hash64
from gossamer.matches import Floats, Ints, Matches, Statistics
from gossamer.rank.evidence import Breakdown, Evidence, Parameters, Word
from gossamer.rank.formula import FormulaPart
from gossamer.rank.profiles import Profile
from gossamer.rank.relevance import FurtherWords, feedback, further_words, pairs, text
from gossamer.search.aliases import Alias, matches_with_aliases
from gossamer.search.contract import Hit
from gossamer.search.feedback import NO_WORDS, FeedbackWords
from gossamer.search.planning import Plan

_PAIRS = 0.2  # as in the default profile
_NO_SLOT = -1


class Scored(NamedTuple):
    """Candidates in the order of their numbers."""

    numbers: Ints
    scores: Floats
    known: Mapping[str, Breakdown]  # every name of the profile's formula, as it was scored
    further: FurtherWords | None  # of the best documents
    evidence: Evidence
    matches: Matches


class Gathered(NamedTuple):
    """Candidates with all places of the words of a query."""

    evidence: Evidence
    slots: list[list[str]]
    known: Mapping[str, Breakdown]  # features that choose the documents which give feedback

    @property
    def numbers(self) -> Ints:
        return self.evidence.matches.numbers

    def text_scores(self) -> Floats:
        """How well each candidate matches by its words alone: what is liked for other reasons has
        nothing to say on the subject. None where the profile has no feedback."""
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
        stop_words: int = 0,
    ) -> None:
        """`weighted_words`: words with points, and their terms. `pair_frequencies`: how many
        documents hold each pair of neighbouring words, where the profile asks for that.
        `stop_words`: how many words of the query are left out as stop words."""
        self._stop_words = stop_words
        self._pair_frequencies = pair_frequencies
        self._reader = reader
        self._profile = profile
        self._parameters = parameters
        self._field_weights = field_weights
        texts = reader.fields.texts
        self._weights = np.array([field_weights.get(name, 1.0) for name in texts], np.float64)
        self._content_weights = np.where(reader.is_content, self._weights, 0.0)
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
        matches = self._matches(numbers, slots, statistics, plan)
        evidence = self.evidence(matches, _with_widths(words, plan.aliases))
        known: dict[str, Breakdown] = {}
        if self._profile.feedback and slots:
            known = {"text": text(evidence), "pairs": pairs(evidence)}
        return Gathered(evidence, slots, known)

    def scored(self, gathered: Gathered, added: FeedbackWords = NO_WORDS) -> Scored:
        """`added`: the words of the best documents."""
        evidence, known = gathered.evidence, {**gathered.known}
        further = None
        if len(added.words):
            slot_of = {
                hash64(term.encode()): slot
                for slot, terms in enumerate(gathered.slots)
                for term in terms
            }
            slots = np.array([slot_of.get(word, _NO_SLOT) for word in added.words.tolist()])
            own = slots != _NO_SLOT
            np.add.at(evidence.feedback, slots[own], added.weights[own])
            further = further_words(
                *(evidence, added.words[~own], added.documents[~own], added.weights[~own])
            )
            further_scores = self._reader.saturated(
                *(gathered.numbers, further.words, further.weights, self._content_weights),
                further.norms,
            )
            known["feedback"] = Breakdown(feedback(evidence).total + further_scores)
        known = self._profile.breakdowns(evidence, known)
        scores = self._profile.evaluated(known, evidence.size)
        return Scored(gathered.numbers, scores, known, further, evidence, evidence.matches)

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

    def evidence(self, matches: Matches, words: Sequence[Word], explains: bool = False) -> Evidence:
        """`explains`: features are wanted with their parts."""
        return Evidence(
            matches,
            words,
            self._reader.fields.texts,
            self._field_weights,
            self._parameters,
            lambda name: self._reader.known_values(name, matches.numbers),
            self._pair_frequencies,
            explains,
            self._stop_words,
        )

    def explained(self, scored: Scored, places: Ints) -> list[dict[str, Any]]:
        """The scores of some candidates, opened: formula, features, words, fields. Scores are not
        computed again, so that an explanation can change none."""
        evidence = self.evidence(scored.matches, scored.evidence.words, explains=True)
        evidence.feedback = scored.evidence.feedback
        opened = self._profile.breakdowns(evidence)
        return [self._explained(scored, opened, evidence, place) for place in places.tolist()]

    def _explained(
        self, scored: Scored, opened: Mapping[str, Breakdown], evidence: Evidence, place: int
    ) -> dict[str, Any]:
        values = {name: found.value(place) for name, found in scored.known.items()}
        features = {
            name: self._opened(values[name], found, place, evidence)
            for name, found in opened.items()
        }
        if "feedback" in features and scored.further is not None:
            features["feedback"]["words"] += self._further_words(scored, scored.further, place)
        return {
            "profile": self._profile.name,
            "formula": self._profile.score.text,
            "score": float(scored.scores[place]),
            "features": features,
            "parts": self._profile.score.explain(values),
        }

    def _further_words(
        self, scored: Scored, further: FurtherWords, place: int
    ) -> list[dict[str, Any]]:
        """The share of each feedback word in the score of a candidate."""
        terms = self._reader.words_by_hash(further.words)
        slots = [[term] for term in terms]
        statistics = self._reader.statistics(slots)
        number = scored.numbers[place : place + 1]
        matches = self._reader.matches(number, slots, statistics, self._content_weights)
        found = further.opened(place, matches.frequencies()[0] * self._content_weights)
        names = self._reader.fields.texts
        return [
            {"word": term, "value": float(by_field.sum()), "fields": _named(names, by_field)}
            for term, by_field in zip(terms, found, strict=True)
            if by_field.any()
        ]

    def _opened(
        self, value: float, found: Breakdown, place: int, evidence: Evidence
    ) -> dict[str, Any]:
        opened: dict[str, Any] = {"value": value}
        if found.by_word is not None:
            words = []
            for slot, word in enumerate(evidence.words):
                value = float(found.by_word[place, slot])
                if not value:
                    continue
                part: dict[str, Any] = {"word": word.text, "value": value}
                if found.by_field is not None:
                    part["fields"] = _named(evidence.fields, found.by_field[place, slot])
                words.append(part)
            opened["words"] = words
        return opened


def _with_widths(words: Sequence[Word], aliases: Sequence[Alias]) -> list[Word]:
    """Words that were typed in parts ('well-known') take as many places as they have parts."""
    found = list(words)
    for terms, targets in aliases:
        if len(targets) == 1 and not found[targets[0]].text.isalnum():
            word = found[targets[0]]
            found[targets[0]] = word._replace(width=max(word.width, len(terms)))
    return found


def _named(names: Sequence[str], values: Floats) -> dict[str, float]:
    return {name: float(value) for name, value in zip(names, values, strict=True) if value}


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
            all_words[place] = known._replace(points=known.points + word.points)
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


def with_bonus(hit: Hit, bonus: float) -> Hit:
    """Return the hit that a query names, with what brings it to the first place."""
    return _changed(hit, hit.score + bonus, "{} + named", "named", bonus)


def limited(hit: Hit, limit: float) -> Hit:
    """Return the hit with a lower score than its own: far behind the first pages, none is higher
    than that of a hit on an earlier page."""
    return _changed(hit, limit, "min({}, limit)", "limit", limit)


def _changed(hit: Hit, score: float, formula: str, name: str, value: float) -> Hit:
    if hit.explain is None:
        return replace(hit, score=score)
    whole = formula.format(hit.explain["formula"])
    explain = {
        **hit.explain,
        "formula": whole,
        "score": score,
        "features": {**hit.explain["features"], name: {"value": value}},
        "parts": FormulaPart(whole, score, (hit.explain["parts"], FormulaPart(name, value, ()))),
    }
    return replace(hit, score=score, explain=explain)
