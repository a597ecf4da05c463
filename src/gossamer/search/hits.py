"""What does an answer show of a document?

In: scored documents and what is stored of them. Out: hits, with the best passage of each, its
explanation, and a summary if the request asks for one.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Any

import numpy as np

from gossamer.index.documents import text_of
from gossamer.index.fields import FieldType
from gossamer.index.reader import IndexReader
from gossamer.matches import Ints
from gossamer.search.aliases import phrase_places
from gossamer.search.contract import Hit, SearchRequest
from gossamer.search.planning import Plan, Planner
from gossamer.search.scoring import Scored, Scorer
from gossamer.search.snippets import Snippet, SnippetMaker, Source, best_places
from gossamer.search.summary import summary_of
from gossamer.text import Analyser


class HitMaker:
    """Makes the hits of one question at one shard."""

    def __init__(
        self,
        reader: IndexReader,
        analyser: Analyser,
        request: SearchRequest,
        planner: Planner,
        plan: Plan,
        scorer: Scorer,
        deadline: float,
    ) -> None:
        self._reader = reader
        self._analyser = analyser
        self._request = request
        self._planner = planner
        self._quoted = plan.quoted
        self._scorer = scorer
        self._deadline = deadline
        self._snippets = SnippetMaker(plan.shown_terms, analyser, plan.quoted)

    def hits(self, scored: Scored, numbers: Ints, loaded: Sequence[dict[str, Any]]) -> list[Hit]:
        """The hits of documents of one tier. `loaded`: what is stored of them."""
        places = np.searchsorted(scored.numbers, numbers)
        fields = np.array([self._text_field(scored, stored) for stored in loaded], np.int64)
        near = best_places(scored.matches.hits, scored.evidence.required > 0, places, fields)
        if self._quoted:
            there = phrase_places(self._reader, numbers, fields, self._quoted)
            near = np.where(there < 0, near, there).tolist()
        lengths = scored.matches.lengths[places, fields]
        shares = (near / np.maximum(lengths, 1.0)).tolist()
        sources = list(map(_source, loaded, shares))
        snippets = [
            found if found.marks or not source.text else self._snippet_of_others(stored, found)
            for stored, source, found in zip(
                loaded, sources, self._snippets.snippets(sources), strict=True
            )
        ]
        explained: Sequence[dict[str, Any] | None] = [None] * len(places)
        if self._request.explain:
            explained = self._scorer.explained(scored, places)
        return [
            self._hit(scored, *of_hit)
            for of_hit in zip(places.tolist(), loaded, snippets, explained, strict=True)
        ]

    def _text_field(self, scored: Scored, stored: dict[str, Any]) -> int:
        """The field that snippets are cut from."""
        return scored.evidence.field(stored.get("text_field", "body")) or 0

    def _hit(
        self,
        scored: Scored,
        place: int,
        stored: dict[str, Any],
        passage: Snippet,
        explained: dict[str, Any] | None,
    ) -> Hit:
        return Hit(
            number=int(scored.numbers[place]),
            id=document_id(stored),
            url=stored.get("url", ""),
            title=stored.get("title", ""),
            snippet=passage.text,
            marks=passage.marks,
            score=float(scored.scores[place]),
            fields=stored.get("fields", {}),
            explain=explained,
            site=stored.get("site", ""),
            language=stored.get("language", ""),
            date=stored.get("date", ""),
            noarchive=stored.get("noarchive", False),
            from_links=stored.get("from_links", False),
            summary=self._summary(stored),
        )

    def _snippet_of_others(self, stored: dict[str, Any], own: Snippet) -> Snippet:
        """From the description or the first of the other text fields that hold a word; the title is
        shown anyway."""
        description = stored.get("description", "")
        if description and not stored.get("nosnippet"):
            (found,) = self._snippets.snippets([_plain_source(description, stored)])
            if found.marks:
                return found
        for name, value in stored.get("fields", {}).items():
            if self._reader.fields.type_of(name) is FieldType.TEXT:
                text = text_of(value)
                (found,) = self._snippets.snippets([_plain_source(text, stored)])
                if found.marks and text != stored.get("title"):
                    return found
        return own

    def _summary(self, stored: dict[str, Any]) -> tuple[str, ...]:
        if not self._request.summary or monotonic() > self._deadline:
            return ()
        is_stop = self._planner.slots.is_stop_term
        return summary_of(stored, self._reader, self._analyser, is_stop)


def document_id(stored: dict[str, Any]) -> str:
    found: str = stored.get("id") or stored.get("url", "")
    return found


def _source(stored: dict[str, Any], share: float) -> Source:
    """The text that a snippet is cut from, and how far into it the best passage is."""
    is_silent = stored.get("nosnippet")
    text = "" if is_silent else stored.get("text") or stored.get("description") or ""
    return Source(text, share, stored.get("language", ""))


def _plain_source(text: str, stored: dict[str, Any]) -> Source:
    return Source(text, 0.0, stored.get("language", ""))
