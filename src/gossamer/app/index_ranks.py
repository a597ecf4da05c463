"""How ranks come into an index: those of its runs, for each document and all that it stands for."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from gossamer.app.home import Home
from gossamer.errors import FormatError
from gossamer.graph.reader import STATICS, RankReader
from gossamer.graph.store import RankSet, RankStore
from gossamer.index.statics import NO_STATICS, Statics, StaticSource

Groups = Callable[[], Iterator[tuple[int, list[str]]]]
"""The documents of an index: identity, and the addresses that each stands for."""


def statics_for(home: Home, runs: Sequence[str], groups: Groups) -> StaticSource:
    """The ranks of these runs, if any have been computed."""
    names = tuple(home.record(run).name for run in runs)
    found = _readable(RankStore(home.path / "ranks"), names)
    if not found:
        return NO_STATICS
    manifests = [ranks.manifest() for ranks in found]
    stamp = "; ".join(manifest.stamp for manifest in manifests if manifest is not None)
    return StaticSource(stamp, lambda: _read(found, groups))


def _readable(store: RankStore, runs: Sequence[str]) -> list[RankSet]:
    """Ranks that cannot be read count as none: they are no reason to have no index."""
    try:
        found = store.best_for(runs)
        for ranks in found:
            RankReader(ranks).close()
    except FormatError:
        return []
    return found


def _read(found: Sequence[RankSet], groups: Groups) -> Statics:
    identities = []
    addresses = []
    for identity, urls in groups():
        identities.append(identity)
        addresses.append(urls)
    values = np.full((len(identities), len(STATICS)), np.nan)
    for ranks in found:
        with RankReader(ranks) as reader:
            known = reader.statics(addresses)
        values = np.where(np.isnan(values), known, values)
    return Statics.of(STATICS, identities, values)
