"""All that the answer to a request needs, made once in each worker process."""

from dataclasses import dataclass

from gossamer.config import EVERY_INDEX, ServerSettings
from gossamer.errors import IndexNotFound
from gossamer.server.access import Access
from gossamer.server.contract import Engine, IndexCard, Jobs
from gossamer.server.guards import RateLimits
from gossamer.server.metrics import Metrics
from gossamer.server.query_writer import QueryWriter
from gossamer.server.visitors import Role, Visitor
from gossamer.storage.audit import AuditLog


@dataclass(frozen=True)
class Site:
    settings: ServerSettings
    engine: Engine
    jobs: Jobs
    access: Access
    audit: AuditLog
    queries: QueryWriter
    limits: RateLimits
    metrics: Metrics

    # Which indexes somebody may search

    def indexes(self, visitor: Visitor) -> list[IndexCard]:
        """Those that the visitor may search, the site's own first."""
        cards = [card for card in self.engine.indexes() if self.may_search(visitor, card.name)]
        return sorted(cards, key=lambda card: card.name != self.settings.default_index)

    def may_search(self, visitor: Visitor, index: str) -> bool:
        public = self.settings.public_indexes
        return EVERY_INDEX in public or index in public or visitor.may(Role.VIEWER)

    def index(self, visitor: Visitor, name: str) -> IndexCard:
        """The index of that name, or the site's own where it is empty."""
        own = self.settings.default_index
        if not name and own and self.may_search(visitor, own):
            name = own
        if name:
            # Who may not search it is not told whether it exists.
            if not self.may_search(visitor, name):
                visitor.demand(Role.VIEWER)
            return self.engine.index(name)
        cards = self.indexes(visitor)
        if not cards:
            if EVERY_INDEX not in self.settings.public_indexes:
                visitor.demand(Role.VIEWER)
            raise IndexNotFound("There is no index to search yet.")
        return cards[0]
