"""The links of one segment as sorted files: read once, and merged with others ever after.

Addresses are numbered within the segment, hosts together (`names`). Links are pairs of such
numbers, in order; of each address is known what became of it, and which one it leads to.

    names.bin ...     the addresses
    states.npy        what this segment knows of each (`State`)
    forwards.npy      where a redirect leads, or the canonical address of a page; -1: nowhere
    sources.npy, targets.npy, flags.npy, counts.npy
                      links, each once with its flags, and how often it stands on its page
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.errors import FormatError
from gossamer.graph.names import ADVICE, Host, Int32s, Int64s, Names, NamesWriter
from gossamer.records import Outcome
from gossamer.storage.arrays import mapped, save
from gossamer.storage.objects import LocalObjects
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import KeyRules, from_href, site_of

VERSION = 1
NOFOLLOW = 1
BOILERPLATE = 2
_WHOLE = "whole.json"
_PAGES = ["url", "key", "outcome", "location", "canonical"]
_LINKS = ["source", "target", "target_key", "nofollow", "boilerplate"]
_HOST = r"^[a-z]+://(?:[^/]*@)?(?P<host>[^/]*)/"


class State(IntEnum):
    """What a segment knows of an address. The newest one that visited it is believed."""

    LINKED = 0  # only that links lead there
    PAGE = 1
    REDIRECT = 2
    FAILED = 3  # it was visited, and there was no page


class Segments(Protocol):
    """What a run's page store offers."""

    def segment_pages(self, number: int, columns: Sequence[str]) -> Iterator[Any]: ...

    def segment_links(self, number: int, columns: Sequence[str]) -> Iterator[Any]: ...

    def forgotten(self) -> Tombstones: ...


class _Whole(Struct, frozen=True):
    """Written last: a folder without it was never finished."""

    version: int
    links: int


class LinkFile:
    """The links of one segment. All arrays are mapped."""

    def __init__(self, folder: Path) -> None:
        self.names = Names(folder)
        self.states: NDArray[np.uint8] = mapped(folder / "states.npy", ADVICE)
        self.forwards: Int32s = mapped(folder / "forwards.npy", ADVICE)
        self.sources: Int32s = mapped(folder / "sources.npy", ADVICE)
        self.targets: Int32s = mapped(folder / "targets.npy", ADVICE)
        self.flags: NDArray[np.uint8] = mapped(folder / "flags.npy", ADVICE)
        self.counts: Int32s = mapped(folder / "counts.npy", ADVICE)


def is_whole(folder: Path) -> bool:
    """Whether the file was written to its end, by this version."""
    try:
        found = msgspec.json.decode((folder / _WHOLE).read_bytes(), type=_Whole)
    except (FileNotFoundError, msgspec.DecodeError):
        return False
    return found.version == VERSION


def links_in(folder: Path) -> int:
    return msgspec.json.decode((folder / _WHOLE).read_bytes(), type=_Whole).links


def write_link_file(
    folder: Path, store: Segments, segment: int, rules: KeyRules, own_keys: bool
) -> int:
    """Read a segment. `rules`: those of the graph. `own_keys`: the run has the same, so that its
    stored keys hold. Returned is how many link rows there were."""
    shutil.rmtree(folder, ignore_errors=True)
    read = _Reading(rules if not own_keys else None, rules, store.forgotten())
    for table in store.segment_pages(segment, _PAGES):
        read.add_pages(table)
    rows = 0
    for table in store.segment_links(segment, _LINKS):
        rows += table.num_rows
        read.add_links(table)
    read.write(folder)
    LocalObjects(folder).put(_WHOLE, msgspec.json.encode(_Whole(VERSION, rows)))
    return rows


class _Known(NamedTuple):
    """Addresses as they came, each with its host and key."""

    names: Any
    hosts: Int32s
    keys: Int64s


class _Reading:
    def __init__(self, rekeyed: KeyRules | None, rules: KeyRules, gone: Tombstones) -> None:
        self._rekeyed = rekeyed
        self._rules = rules
        self._gone = gone
        self._host_codes: dict[str, int] = {}
        self._known: list[_Known] = []
        self._count = 0
        self._visited: list[tuple[Int64s, Any, Int64s]] = []  # who, states, where to
        self._links: list[tuple[Int64s, Int64s, NDArray[np.uint8]]] = []

    def add_pages(self, table: Any) -> None:
        first = self._take(table["url"], table["key"].to_numpy())
        outcomes = table["outcome"].to_pylist()
        states = np.array([_STATES.get(outcome, State.FAILED) for outcome in outcomes], np.uint8)
        leads = pc.if_else(
            pc.equal(table["outcome"], Outcome.REDIRECT.value),
            table["location"],
            pc.if_else(pc.equal(table["outcome"], Outcome.OK.value), table["canonical"], ""),
        )
        self._visited.append((first, states, self._take(leads)))

    def add_links(self, table: Any) -> None:
        sources = table["source"].combine_chunks().dictionary_encode()
        targets = table["target"].combine_chunks().dictionary_encode()
        places = targets.indices.to_numpy(zero_copy_only=False)
        keys = np.zeros(len(targets.dictionary), np.int64)
        keys[places] = table["target_key"].to_numpy()
        source = self._take(sources.dictionary)[sources.indices.to_numpy(zero_copy_only=False)]
        target = self._take(targets.dictionary, keys)[places]
        flags = table["nofollow"].to_numpy().astype(np.uint8) * NOFOLLOW
        flags |= table["boilerplate"].to_numpy().astype(np.uint8) * BOILERPLATE
        self._links.append((source, target, flags))

    def _take(self, names: Any, keys: Int64s | None = None) -> Int64s:
        """The places of addresses among all that came; -1 for those that are none, or that are to
        be forgotten."""
        array = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
        found = pc.struct_field(pc.extract_regex(array, _HOST), "host").dictionary_encode()
        codes = np.array([self._host_code(host) for host in found.dictionary.to_pylist()], np.int32)
        places = found.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        hosts = np.where(places >= 0, codes[places], -1) if len(codes) else np.full(len(array), -1)
        if keys is None or self._rekeyed is not None:
            keys = np.array(
                [
                    from_href(name, self._rules).key if host >= 0 else 0
                    for name, host in zip(array.to_pylist(), hosts.tolist(), strict=True)
                ],
                np.int64,
            )
        if self._gone.urls:
            hosts = np.where(self._is_gone(hosts, keys), -1, hosts)
        numbers = np.where(hosts >= 0, np.arange(len(hosts)) + self._count, -1)
        self._known.append(_Known(array, hosts.astype(np.int32), keys))
        self._count += len(hosts)
        return numbers.astype(np.int64)

    def _host_code(self, host: str | None) -> int:
        if host is None or host in self._gone.hosts or self._gone.whole_run:
            return -1
        return self._host_codes.setdefault(host, len(self._host_codes))

    def _is_gone(self, hosts: Any, keys: Int64s) -> Any:
        suspects = np.isin(keys, np.array([key for _, key in self._gone.urls], np.int64))
        names = list(self._host_codes)
        for place in np.flatnonzero(suspects & (hosts >= 0)).tolist():
            site_hash = site_of(names[int(hosts[place])])[1]
            suspects[place] = (site_hash, int(keys[place])) in self._gone.urls
        return suspects

    def write(self, folder: Path) -> None:
        order = sorted(Host(site_of(name)[0], name) for name in self._host_codes)
        rank = np.full(len(order) + 1, -1, np.int32)  # the last: no host
        for place, host in enumerate(order):
            rank[self._host_codes[host.name]] = place
        hosts = rank[_joined([known.hosts for known in self._known], np.int32)]
        keys = _joined([known.keys for known in self._known], np.int64)
        # What a page says of its own address stands first, and of equal ones the first stays.
        places = np.lexsort((keys, hosts))
        places = places[hosts[places] >= 0]
        is_first = np.ones(len(places), np.bool_)
        is_first[1:] = (hosts[places[1:]] != hosts[places[:-1]]) | (
            keys[places[1:]] != keys[places[:-1]]
        )
        numbers = np.full(self._count + 1, -1, np.int32)  # the last: nowhere
        numbers[places] = np.cumsum(is_first) - 1
        chosen = places[is_first]
        nothing = pa.array([], pa.large_string())
        names = [known.names.cast(pa.large_string()) for known in self._known]
        texts = pa.concat_arrays([nothing, *names]).take(pa.array(chosen))
        counts = np.bincount(hosts[chosen], minlength=len(order)).astype(np.int64)
        with NamesWriter(folder) as writer:
            writer.add(order, counts, keys[chosen], texts)
        self._write_states(folder, numbers, len(chosen))
        self._write_links(folder, numbers)

    def _write_states(self, folder: Path, numbers: Int32s, count: int) -> None:
        states = np.zeros(count, np.uint8)
        forwards = np.full(count, -1, np.int32)
        for who, what, where in self._visited:
            own = numbers[who]
            kept = own >= 0
            states[own[kept]] = what[kept]
            forwards[own[kept]] = numbers[where[kept]]
        save(folder / "states.npy", states)
        save(folder / "forwards.npy", forwards)

    def _write_links(self, folder: Path, numbers: Int32s) -> None:
        sources = numbers[_joined([one[0] for one in self._links], np.int64)]
        targets = numbers[_joined([one[1] for one in self._links], np.int64)]
        flags = _joined([one[2] for one in self._links], np.uint8)
        kept = (sources >= 0) & (targets >= 0)
        sources, targets, flags = sources[kept], targets[kept], flags[kept]
        order = np.lexsort((flags, targets, sources))
        sources, targets, flags = sources[order], targets[order], flags[order]
        is_first = np.ones(len(sources), np.bool_)
        is_first[1:] = (
            (sources[1:] != sources[:-1])
            | (targets[1:] != targets[:-1])
            | (flags[1:] != flags[:-1])
        )
        firsts = np.flatnonzero(is_first)
        counts = np.diff(np.append(firsts, len(sources))).astype(np.int32)
        save(folder / "sources.npy", sources[firsts])
        save(folder / "targets.npy", targets[firsts])
        save(folder / "flags.npy", flags[firsts])
        save(folder / "counts.npy", counts)


_STATES = {Outcome.OK.value: State.PAGE, Outcome.REDIRECT.value: State.REDIRECT}


def _joined(arrays: list[Any], kind: Any) -> Any:
    return np.concatenate(arrays) if arrays else np.empty(0, kind)


class Gathering:
    """The link files of runs: those that are there stay, those of new segments are made."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def gather(
        self,
        run: str,
        store: Any,
        rules: KeyRules,
        own_keys: bool,
        rules_name: str,
        on_segment: Callable[[int, int], None],
    ) -> tuple[list[Path], int]:
        """The folders of a run's segments in their order, and how many of them were read now."""
        folder = self._root / run / rules_name
        segments = store.stored_segments()
        read = 0
        found = []
        for place, segment in enumerate(segments):
            one = folder / segment.stamp
            if not is_whole(one):
                write_link_file(one, store, segment.number, rules, own_keys)
                read += 1
            found.append(one)
            on_segment(place + 1, len(segments))
        known = {path.name for path in found}
        if folder.exists():
            for path in folder.iterdir():
                if path.name not in known:  # of a form that was covered or written anew since
                    shutil.rmtree(path, ignore_errors=True)
        return found, read


def opened(folders: Sequence[Path]) -> list[LinkFile]:
    for folder in folders:
        if not is_whole(folder):
            raise FormatError(f"{folder} is damaged. {ADVICE}")
    return [LinkFile(folder) for folder in folders]
