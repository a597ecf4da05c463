"""One shard in a process of its own: answers stage after stage, a thread for each connection.

python -m gossamer.search.shard_process DESCRIPTOR

The descriptor is that of a listening socket, which is the parent's and outlives this process: those
who connect while it starts wait for it. It ends when its standard input does, a pipe of the parent.
"""

import os
import socket
import sys
import threading
from pathlib import Path

from gossamer.errors import RuntimeFault
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader, ShardOf
from gossamer.search.shard import Inquiry, Shard
from gossamer.search.stages import BEGIN, PREFIXES
from gossamer.search.wire import Opening, answered, failed, next_call

_KEPT_OPEN = 2  # generations: the newest, and the one before that others may still ask for


class Shards:
    """The generations that are open here."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, int, str], Shard] = {}
        self._lock = threading.Lock()

    def get(self, opening: Opening) -> Shard:
        # What a shard tells depends on the others, too: the moments are those of one set.
        key = (opening.folder, opening.generation, opening.moments)
        with self._lock:
            shard = self._open.pop(key, None)
            if shard is None:
                part = ShardOf(opening.generation, opening.whole, Path(opening.moments))
                shard = Shard(IndexReader(IndexFolder(Path(opening.folder)), part))
            self._open[key] = shard
            while len(self._open) > _KEPT_OPEN:
                self._open.pop(next(iter(self._open)))
            return shard


def serve(connection: socket.socket, shards: Shards) -> None:
    """Answer the calls of one connection until it is closed."""
    shard: Shard | None = None
    inquiry: Inquiry | None = None
    with connection:
        while (call := next_call(connection)) is not None:
            stage, value = call
            try:
                if stage is None:
                    shard, inquiry = shards.get(value), None
                    data = answered(None)
                elif shard is None:
                    raise RuntimeFault("a shard was asked before it was opened")
                else:
                    if inquiry is None or stage in (PREFIXES, BEGIN):
                        inquiry = Inquiry(shard)  # another question
                    data = answered(getattr(inquiry, stage.name)(value))
            except Exception as fault:  # the other end must hear of every fault, also of bugs
                data = failed(fault)
            try:
                connection.sendall(data)
            except OSError:
                return  # given up by the one who asked


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    listener = socket.socket(fileno=int(sys.argv[1]))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    shards = Shards()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, shards), daemon=True).start()


if __name__ == "__main__":
    main()
