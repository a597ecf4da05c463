"""A searcher over the shards of an index, each in a process of its own.

All shards are asked at once, stage by stage. A shard that has died, or that takes more than half of
the time that is left, is left out from then on, and the answer says so; the process is started anew
for the next question.
"""

import socket
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from time import monotonic

from gossamer.config import IndexSettings
from gossamer.errors import FormatError
from gossamer.index.shard_set import HeldSet, SetManifest, ShardSet
from gossamer.search.broker import Broker
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.shard_owner import ShardOwner, wait_until
from gossamer.search.stages import Asked, Reply, Stage
from gossamer.search.wire import Opening, asked, reply
from gossamer.text import Analyser, AnalysisSettings

_LOOK_SECONDS = 0.2
_SHARE = 0.5  # of the time that is left: so long a shard may take for a stage
_LEAST_SECONDS = 0.05
_START_SECONDS = 60.0


class ShardedSearcher:
    def __init__(
        self,
        shards: ShardSet,
        settings: Callable[[], IndexSettings],
        profiles: Path | None = None,
    ) -> None:
        """`settings`: those of this moment. `profiles`: a folder with a person's own."""
        self._set = shards
        self._settings = settings
        self._profiles = profiles
        self._lock = threading.Lock()
        self._owners: list[ShardOwner] = []
        self._open: tuple[SetManifest, Broker] | None = None
        self._looked_at = -inf
        # A searcher that nobody has closed leaves no process behind.
        self._end = weakref.finalize(self, _close_all, self._owners)

    @property
    def pids(self) -> list[int]:
        """Of the shards' processes; 0 for one that is not there."""
        return [owner.pid for owner in self._owners]

    def search(self, request: SearchRequest) -> Answer:
        return self._current().search(request, self._settings(), self._profiles)

    def ranking(self, request: SearchRequest) -> list[str]:
        """The ids of the best `limit` documents, and nothing else of them."""
        return self._current().ranking(request, self._settings(), self._profiles)

    def suggest(self, text: str, limit: int = 10) -> list[str]:
        return self._current().suggest(text, limit)

    def look(self) -> None:
        """The next query looks for another generation: for whoever has just published one."""
        self._looked_at = -inf

    def close(self) -> None:
        with self._lock:
            self._open = None
            self._end()

    def _current(self) -> Broker:
        with self._lock:
            now = monotonic()
            if self._open is None or now - self._looked_at > _LOOK_SECONDS:
                self._looked_at = now
                manifest = self._set.manifest()
                if self._open is None or manifest != self._open[0]:
                    self._open = self._opened()
            return self._open[1]

    def _opened(self) -> tuple[SetManifest, Broker]:
        held = self._set.hold()
        if held is None:
            raise FormatError(f"{self._set.path} holds no index yet: build it first.")
        manifest = held.manifest
        count = len(manifest.generations)
        are_new = len(self._owners) != count
        if are_new:
            _close_all(self._owners)
            self._owners += [ShardOwner() for _ in range(count)]
        calls = _Calls(self._set, held, list(self._owners))
        if are_new:
            until = monotonic() + _START_SECONDS
            for owner, opening in zip(calls.owners, calls.openings, strict=True):
                owner.await_start(opening, until)
        broker = Broker(
            manifest.fields,
            Analyser(AnalysisSettings(**manifest.analysis)),
            manifest.whole,
            self._set.companions(manifest.number),
            lambda deadline: _Panel(calls, deadline),
        )
        return manifest, broker


def _close_all(owners: list[ShardOwner]) -> None:
    for owner in owners:
        owner.close()
    owners.clear()


class _Calls:
    """The shards of one set. The set is let go when the last question to it has been answered."""

    def __init__(self, shards: ShardSet, held: HeldSet, owners: list[ShardOwner]) -> None:
        self.owners = owners
        self._end = weakref.finalize(self, held.release)
        self.openings = []
        for shard, folder in enumerate(shards.folders(len(owners))):
            part = shards.shard_of(held.manifest, shard)
            self.openings.append(
                Opening(str(folder.path), part.generation, part.whole, str(part.moments))
            )


class _Panel:
    """All shards, for one question."""

    def __init__(self, calls: _Calls, deadline: float) -> None:
        self._calls = calls
        self._deadline = deadline
        self._connections: dict[int, socket.socket] = {}
        self._missing: dict[int, str] = {}
        self._is_waiting = False
        until = self._until()
        for shard, owner in enumerate(calls.owners):
            if not owner.start():
                self._missing[shard] = "has died"
                continue
            try:
                self._connections[shard] = owner.connect(calls.openings[shard], until)
            except (TimeoutError, ConnectionError) as fault:
                self._leave_out(shard, fault)
            except BaseException:
                self.release()
                raise

    def release(self) -> None:
        for shard, connection in self._connections.items():
            if self._is_waiting:
                connection.close()
            else:
                self._calls.owners[shard].give_back(self._calls.openings[shard], connection)
        self._connections.clear()

    @property
    def members(self) -> Sequence[int]:
        return list(self._connections)

    @property
    def missing(self) -> str:
        count = len(self._calls.owners)
        return "; ".join(
            f"shard {shard + 1} of {count} {why}" for shard, why in self._missing.items()
        )

    def _until(self) -> float:
        now = monotonic()
        return now + max(_LEAST_SECONDS, _SHARE * (self._deadline - now))

    def ask(self, stage: Stage[Asked, Reply], wanted: Mapping[int, Asked]) -> dict[int, Reply]:
        until = self._until()
        self._is_waiting = True
        encoded: dict[int, bytes] = {}
        for value in wanted.values():
            if id(value) not in encoded:  # mostly all are asked the same
                encoded[id(value)] = asked(stage, value)
        for shard, value in wanted.items():
            try:
                wait_until(self._connections[shard], until)
                self._connections[shard].sendall(encoded[id(value)])
            except (TimeoutError, ConnectionError) as fault:
                self._leave_out(shard, fault)
        replies: dict[int, Reply] = {}
        failure: Exception | None = None
        for shard in wanted:
            if shard not in self._connections:
                continue
            try:
                wait_until(self._connections[shard], until)
                replies[shard] = reply(self._connections[shard], stage.reply)
            except (TimeoutError, ConnectionError) as fault:
                self._leave_out(shard, fault)
            except Exception as fault:  # raised when all have answered, and can be asked again
                failure = failure or fault
        self._is_waiting = False
        if failure is not None:
            raise failure
        return replies

    def _leave_out(self, shard: int, fault: Exception) -> None:
        is_late = isinstance(fault, TimeoutError)
        self._missing[shard] = "did not answer in time" if is_late else "has died"
        connection = self._connections.pop(shard, None)
        if connection is not None:
            connection.close()
        if is_late:
            self._calls.owners[shard].was_late()
