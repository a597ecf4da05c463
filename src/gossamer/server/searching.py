"""One search, whoever asks for it: may they, how long may it take, what is written down of it."""

import secrets
import time

from msgspec import Struct

from gossamer.search.contract import Answer
from gossamer.server.contract import IndexCard
from gossamer.server.queries import SearchQuery
from gossamer.server.site import Site
from gossamer.server.visitors import Visitor


class Found(Struct, frozen=True):
    answer: Answer
    index: IndexCard
    id: int  # of the search in the query log; 0 where it is not written down


def search(site: Site, visitor: Visitor, query: SearchQuery, *, is_private: bool) -> Found:
    """`is_private`: whoever asks does not want it to be remembered."""
    index = site.index(visitor, query.index)
    begin = time.perf_counter()
    with site.metrics.searching(index.name):
        answer = site.engine.search(index.name, query.request(site.settings.search_seconds))
    took_ms = (time.perf_counter() - begin) * 1000
    number = 0
    if site.settings.query_log and not is_private and query.q.strip():
        number = secrets.randbits(62)
        # Turning the pages of a search is no search of its own.
        if query.page == 1:
            site.queries.note(number, index.name, query.q, answer.total, took_ms)
    return Found(answer, index, number)


def suggest(site: Site, visitor: Visitor, index: str, text: str, limit: int) -> list[str]:
    card = site.index(visitor, index)
    if not text.strip():
        return []
    with site.metrics.suggesting(card.name):
        return site.engine.suggest(card.name, text, limit)
