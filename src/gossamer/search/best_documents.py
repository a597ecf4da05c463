"""The best documents of all shards in one order, and the hits of a page.

Shards score in tiers; a page that lies deeper asks them for more.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from gossamer.matches import Floats, Ints
from gossamer.query.nodes import Group
from gossamer.search import facets
from gossamer.search.candidates import DEEPEST
from gossamer.search.contract import Hit, SearchRequest
from gossamer.search.destinations import named_bonus
from gossamer.search.feedback import FeedbackWords
from gossamer.search.grouping import LOOKED_AT, Page, Shown, grouped
from gossamer.search.scoring import limited, with_bonus
from gossamer.search.stages import (
    NAMES,
    OF_SITES,
    SCORE,
    SHOW,
    TOGETHER,
    Found,
    Panel,
    Reply,
    Rows,
    Score,
    Stage,
)

_ROWS = 2_000
"""So many of the best documents of each shard are searched for near-duplicates."""
_NO_NUMBERS = np.empty(0, np.int64)
_NO_SCORES = np.empty(0)


class BestDocuments:
    """The best documents of all shards in their order, as far as pages need it."""

    def __init__(
        self,
        panel: Panel,
        request: SearchRequest,
        added: FeedbackWords,
        found: Mapping[int, Found],
        named: int | None,
    ) -> None:
        """`found`: by shards. `named`: the document that the query names."""
        self._panel = panel
        self._request = request
        self._added = added
        self._found = found
        self.total = sum(one.total for one in found.values())
        self.is_exact = False  # the total
        self._scores_ties = self.total <= DEEPEST
        self._tier = 0
        self._most = max(request.page * request.limit + LOOKED_AT, _ROWS)
        self.named = named
        self.bonus = 0.0  # what is added to its score, where that alone is not the best
        self.facets: list[facets.Facets] = []
        self.numbers = self.shards = self.similarities = self.sites = _NO_NUMBERS
        self.scores = _NO_SCORES
        self.title_matches = np.empty(0, np.bool_)
        self.is_all = True

    def fetch(self) -> None:
        panel = self._panel
        asked = Score(self._added, self._tier, self._most)
        rows = panel.ask(SCORE, dict.fromkeys(panel.members, asked))
        self.facets = [one.facets for one in rows.values()]
        self._count(rows)
        self._is_cut = any(one.is_cut for one in rows.values())
        self.is_all = not self._is_cut and all(one.is_last for one in rows.values())
        if not rows:
            return
        shards = np.repeat(list(rows), [len(one.numbers) for one in rows.values()])
        joined = {
            name: np.concatenate([getattr(one, name) for one in rows.values()])
            for name in ("numbers", "tiers", "scores", "similarities", "sites", "title_matches")
        }
        scores = _shown_scores(joined["scores"], joined["tiers"], [*rows.values()])
        if self._request.sort:
            values = np.concatenate([one.values for one in rows.values() if one.values is not None])
            order = self._sorted(values, scores, joined["numbers"])
        else:
            if self.named is not None and (joined["numbers"] == self.named).any():
                self.bonus = named_bonus(joined["numbers"], scores, self.named)
                scores = np.where(joined["numbers"] == self.named, scores + self.bonus, scores)
            order = np.lexsort((joined["numbers"], -scores, joined["tiers"]))
        self.numbers, self.shards = joined["numbers"][order], shards[order]
        self.similarities, self.sites = joined["similarities"][order], joined["sites"][order]
        self.scores = scores[order]
        self.title_matches = joined["title_matches"][order]

    def _count(self, rows: Mapping[int, Rows]) -> None:
        """Total the matches, as far as they are known by now."""
        known = {shard: one.matches for shard, one in rows.items() if one.matches is not None}
        self.total = sum(known.get(shard, one.total) for shard, one in self._found.items())
        self.is_exact = len(known) == len(self._found)

    def fetch_more(self) -> None:
        """Look further than before; not to be called where everything is here."""
        if not self._is_cut:
            self._tier += 1
        self._most = 0
        self.fetch()

    def _sorted(self, values: Floats, scores: Floats, numbers: Ints) -> Ints:
        """By a field; of equals the best, or the oldest where more match than are scored."""
        missing = np.isnan(values)
        signed = -values if self._request.sort.startswith("-") else values
        ties = -scores if self._scores_ties else np.zeros(len(scores))
        return np.lexsort((numbers, ties, np.where(missing, 0.0, signed), missing))


def _shown_scores(scores: Floats, tiers: Ints, rows: Sequence[Rows]) -> Floats:
    """The scores by which documents are ordered. Those of later tiers come after all of the earlier
    ones, so that no page depends on how far somebody looks: none has a higher score than these."""
    count = max(len(one.least) for one in rows)
    if count == 1:
        return scores
    least = [
        min(float(one.least[tier]) for one in rows if tier < len(one.least))
        for tier in range(count)
    ]
    highest = np.minimum.accumulate([np.inf, *least])[tiers]
    return np.minimum(scores, highest)


class Ranked(NamedTuple):
    """The answer to a question, the best documents first."""

    panel: Panel
    profile: str
    root: Group
    notes: tuple[str, ...]
    held: dict[str, float]  # how many documents hold each word of the query
    partial: str
    best: BestDocuments
    facets: facets.Facets

    @property
    def total(self) -> int:
        """How many documents match; about so many, unless it `is_exact`."""
        return self.best.total

    @property
    def is_exact(self) -> bool:
        return self.best.is_exact and not self.panel.missing

    def together(self, phrase: str) -> int:
        """How many documents hold some words one behind the other."""
        replies = self.panel.ask(TOGETHER, {shard: [phrase] for shard in self.panel.members})
        return sum(one[0] for one in replies.values())

    def names(self, places: Sequence[int]) -> list[str]:
        """Their ids; those of a shard that went missing are left out."""
        return [name for _, name in self._ask_owners(NAMES, places)]

    def hits(self, request: SearchRequest, per_site: int) -> tuple[tuple[Hit, ...], int]:
        """Return the hits of one page, and the last page that is known."""
        best = self.best
        page = self._page(request, per_site)
        while not page.is_certain and not self.panel.missing:
            best.fetch_more()
            page = self._page(request, per_site)
        by_place: dict[int, Shown] = {one.place: one for one in page.shown if one.place < DEEPEST}
        last = page.last
        if not self._is_grouped(request):
            last = -(-min(self.total, DEEPEST) // request.limit)
        hits = [
            replace(
                self._scored(hit, float(best.scores[place])),
                folded=by_place[place].folded,
                similar=by_place[place].similar,
            )
            for place, hit in self._ask_owners(SHOW, list(by_place))
        ]
        return tuple(self._with_more(hits)), last

    def _with_more(self, hits: list[Hit]) -> list[Hit]:
        """The hits of a page, with how many further matches their sites have."""
        sites = [hit.site for hit in hits if hit.folded]
        if not sites:
            return hits
        replies = self.panel.ask(OF_SITES, dict.fromkeys(self.panel.members, sites))
        matches = dict(zip(sites, map(sum, zip(*replies.values(), strict=True)), strict=False))
        shown = Counter(hit.site for hit in hits)
        return [
            replace(hit, more_from_site=max(hit.folded, matches.get(hit.site, 0) - shown[hit.site]))
            if hit.folded
            else hit
            for hit in hits
        ]

    def _scored(self, hit: Hit, score: float) -> Hit:
        """A hit with the score by which it is ordered, and what explains that."""
        if hit.number == self.best.named:
            hit = with_bonus(hit, self.best.bonus)
        return limited(hit, score) if score < hit.score else hit

    def _is_grouped(self, request: SearchRequest) -> bool:
        best = self.best
        has_groups = bool(best.similarities.any() or best.sites.any())
        return request.group and not request.sort and has_groups

    def _page(self, request: SearchRequest, per_site: int) -> Page:
        best = self.best
        is_grouped = self._is_grouped(request)
        nothing = np.zeros_like(best.sites)
        return grouped(
            best.similarities if is_grouped else nothing,
            best.sites if is_grouped else nothing,
            request.page,
            request.limit,
            per_site,
            exempt=best.title_matches,
            is_all=best.is_all,
        )

    def _ask_owners(
        self, stage: Stage[Ints, list[Reply]], places: Sequence[int]
    ) -> list[tuple[int, Reply]]:
        """Ask the shards that own some documents; replies in the order of the places."""
        owners = self.best.shards[places]
        mine = {
            shard: np.flatnonzero(owners == shard)
            for shard in self.panel.members
            if len(places) and (owners == shard).any()
        }
        numbers = self.best.numbers[places]
        replies = self.panel.ask(stage, {shard: numbers[which] for shard, which in mine.items()})
        found = {
            places[which]: one
            for shard, answers in replies.items()
            for which, one in zip(mine[shard].tolist(), answers, strict=True)
        }
        return [(place, found[place]) for place in places if place in found]
