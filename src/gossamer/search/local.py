"""A searcher over one index in this process.

It looks at the newest generation: when another one is published, the next query opens it, while
queries that are being answered keep theirs.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from time import monotonic

from gossamer.config import IndexSettings
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader
from gossamer.search.broker import Broker
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.shard import Inquiry, Shard
from gossamer.search.stages import Asked, Reply, Stage

_LOOK_SECONDS = 0.2


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
        self._open: tuple[int, Broker] | None = None  # the generation, and who answers for it
        self._looked_at = -inf

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

    def _current(self) -> Broker:
        with self._lock:
            now = monotonic()
            if self._open is None or now - self._looked_at > _LOOK_SECONDS:
                self._looked_at = now
                manifest = self._folder.manifest()
                if self._open is None or manifest is None or manifest.generation != self._open[0]:
                    # The old one is let go when the last query that uses it has ended.
                    reader = IndexReader(self._folder)
                    self._open = reader.manifest.generation, _opened(reader)
            return self._open[1]


def _opened(reader: IndexReader) -> Broker:
    shard = Shard(reader)
    return Broker(
        reader.fields,
        shard.analyser,
        reader.whole,
        reader.generation,
        lambda _: _OwnPanel(shard),
    )


class _OwnPanel:
    """The one shard of this process."""

    members: Sequence[int] = (0,)
    missing = ""

    def __init__(self, shard: Shard) -> None:
        self._inquiry = Inquiry(shard)

    def ask(self, stage: Stage[Asked, Reply], asked: Mapping[int, Asked]) -> dict[int, Reply]:
        answer = getattr(self._inquiry, stage.name)
        return {shard: answer(one) for shard, one in asked.items()}

    def release(self) -> None:
        pass
