"""Single documents of an index, as they are stored in it."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from gossamer.index.documents import identity_of
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader
from gossamer.index.shard_set import ShardSet


def stored_document(folder: Path, id: str) -> dict[str, Any] | None:
    """Return what an index stores of a document: id, url, title, text, fields; None if it has no
    such document."""
    with ExitStack() as stack:
        for reader in _readers(folder, stack):
            number = reader.number_of(identity_of(id))
            stored = reader.shown(number) if number is not None else {}
            if stored.get("id") == id:
                return stored
    return None


def _readers(folder: Path, stack: ExitStack) -> list[IndexReader]:
    """Open the index, or all its shards; `stack` closes them."""
    shards = ShardSet(folder)
    held = shards.hold()
    if held is None:
        reader = IndexReader(IndexFolder(folder))
        stack.callback(reader.close)
        return [reader]
    stack.callback(held.release)
    readers = []
    for number, part in enumerate(shards.folders(len(held.manifest.generations))):
        reader = IndexReader(part, shards.shard_of(held.manifest, number))
        stack.callback(reader.close)
        readers.append(reader)
    return readers
