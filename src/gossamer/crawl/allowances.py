"""Sharing a limit out over queue servers so that it holds exactly.

Each server may have so many pages; together they never have more than the limit. A server that
has used up its share while others have not gets what they can spare: first it is taken from them
(they answer with what they could really give up), then it is given.
"""

from collections.abc import Sequence

from gossamer.crawl.calls import ServerStatus


class Limit:
    """One limit ('pages' or 'documents') and the shares of the servers; 0: no limit."""

    def __init__(self, name: str, limit: int) -> None:
        self.name = name
        self.limit = limit
        self._shares: list[int] = []

    def _used(self, status: ServerStatus) -> int:
        """What a server has, and what it could still get from the URLs that are out."""
        return int(status.counters.get(self.name, 0) + status.counters.get("leased", 0))

    def is_reached(self, statuses: Sequence[ServerStatus]) -> bool:
        total = sum(int(status.counters.get(self.name, 0)) for status in statuses)
        return bool(self.limit) and total >= self.limit

    def start(self, statuses: Sequence[ServerStatus]) -> None:
        """What remains of the limit, in equal parts on top of what each server has used."""
        used = [self._used(status) for status in statuses]
        part, odd = divmod(max(0, self.limit - sum(used)), len(used))
        self._shares = [own + part + (server < odd) for server, own in enumerate(used)]

    def share(self, server: int) -> int | None:
        return self._shares[server] if self.limit else None

    def note(self, server: int, granted: int | None) -> None:
        """The share as the server has confirmed it."""
        if granted is not None:
            self._shares[server] = granted

    def _is_out(self, server: int, status: ServerStatus) -> bool:
        return status.starved and self._used(status) >= self._shares[server]

    def rebalance_needed(self, statuses: Sequence[ServerStatus]) -> bool:
        if not self.limit:
            return False
        out = [self._is_out(server, status) for server, status in enumerate(statuses)]
        return any(out) and (
            self.limit > sum(self._shares)
            or any(
                self._shares[server] > self._used(status)
                for server, status in enumerate(statuses)
                if not out[server]
            )
        )

    def lower(self, statuses: Sequence[ServerStatus]) -> None:
        """Ask those who have something to spare for half of it, and for the last one whole."""
        if not self.rebalance_needed(statuses):
            return
        for server, status in enumerate(statuses):
            unused = self._shares[server] - self._used(status)
            if unused > 0:
                self._shares[server] -= (unused + 1) // 2

    def give_out(self, statuses: Sequence[ServerStatus]) -> None:
        """Share what is free, by the shares as confirmed, out to those who have nothing left."""
        if not self.limit:
            return
        takers = [server for server, status in enumerate(statuses) if self._is_out(server, status)]
        free = self.limit - sum(self._shares)
        if takers and free > 0:
            part, odd = divmod(free, len(takers))
            for position, server in enumerate(takers):
                self._shares[server] += part + (position < odd)
