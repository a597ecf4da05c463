"""The addresses of many link files under one numbering, and which address stands for which.

Link files have their hosts in the same order, so some hosts at a time are merged: what is in memory
is a block, never all addresses. Of several files that know an address, the last that visited it is
believed, and its links are those that count.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gossamer.graph.link_files import LinkFile, State
from gossamer.graph.names import Host, Int32s, Int64s, Names, NamesWriter

BLOCK = 1_000_000
"""Addresses, or links, that are in memory at once; more only where a single host has more."""


class Numbering(NamedTuple):
    names: Names
    maps: list[Int32s]  # of each link file: from its numbers to those of all
    states: NDArray[np.uint8]
    owners: Int32s  # the link file whose word counts; -1 where none has visited it
    roots: Int32s  # who stands for an address in the end: mostly itself


class _HostPlaces(NamedTuple):
    """Where a link file has the hosts of all."""

    begins: Int64s
    ends: Int64s


def number(files: Sequence[LinkFile], folder: Path, block: int = BLOCK) -> Numbering:
    """Writes the names to the folder."""
    hosts = sorted({host for file in files for host in file.names.hosts})
    places = [_host_places(file, hosts) for file in files]
    maps: list[Int32s] = [np.empty(len(file.names), np.int32) for file in files]
    with NamesWriter(folder) as writer:
        for first, end in host_blocks(_sizes(places, len(hosts)), block):
            _number_block(files, places, maps, hosts, first, end, writer)
    names = Names(folder)
    states, owners, forwards = _newest(files, maps, len(names))
    return Numbering(names, maps, states, owners, roots_of(forwards, states))


def host_blocks(sizes: Int64s, block: int) -> Iterator[tuple[int, int]]:
    """Hosts in runs [first, end) that hold about so many things together."""
    first = 0
    while first < len(sizes):
        reached = np.cumsum(sizes[first:])
        end = first + max(1, int(np.searchsorted(reached, block, "right")))
        yield first, end
        first = end


def _host_places(file: LinkFile, hosts: list[Host]) -> _HostPlaces:
    place_of = {host: place for place, host in enumerate(file.names.hosts)}
    begins = np.zeros(len(hosts), np.int64)
    ends = np.zeros(len(hosts), np.int64)
    reached = 0
    for place, host in enumerate(hosts):
        own = place_of.get(host)
        begins[place] = reached
        if own is not None:
            reached = int(file.names.host_ends[own])
        ends[place] = reached
    return _HostPlaces(begins, ends)


def _sizes(places: Sequence[_HostPlaces], hosts: int) -> Int64s:
    sizes = np.zeros(hosts, np.int64)
    for begins, ends in places:
        sizes += ends - begins
    return sizes


def _number_block(
    files: Sequence[LinkFile],
    places: Sequence[_HostPlaces],
    maps: Sequence[Int32s],
    hosts: list[Host],
    first: int,
    end: int,
    writer: NamesWriter,
) -> None:
    owner, local, host, key, visited = [], [], [], [], []
    for place, (file, (begins, ends)) in enumerate(zip(files, places, strict=True)):
        low, high = int(begins[first]), int(ends[end - 1])
        if low == high:
            continue
        owner.append(np.full(high - low, place, np.int32))
        local.append(np.arange(low, high))
        host.append(np.repeat(np.arange(first, end), (ends - begins)[first:end]))
        key.append(file.names.keys[low:high])
        visited.append(file.states[low:high] == State.PAGE)
    if not owner:
        return
    owners, locals_ = np.concatenate(owner), np.concatenate(local)
    host_of, keys = np.concatenate(host), np.concatenate(key)
    # An address is spelt as the page that was found there has it.
    order = np.lexsort((~np.concatenate(visited), keys, host_of))
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (host_of[order[1:]] != host_of[order[:-1]]) | (
        keys[order[1:]] != keys[order[:-1]]
    )
    numbers = np.empty(len(order), np.int64)
    numbers[order] = writer.count + np.cumsum(is_first) - 1
    for place in np.unique(owners).tolist():
        own = owners == place
        maps[place][locals_[own]] = numbers[own]
    chosen = order[is_first]
    counts = np.bincount(host_of[chosen] - first, minlength=end - first).astype(np.int64)
    texts = _texts(files, owners[chosen], locals_[chosen])
    writer.add(hosts[first:end], counts, keys[chosen], texts)


def _texts(files: Sequence[LinkFile], owners: Any, locals_: Any) -> Any:
    pieces, places = [], []
    for place in np.unique(owners).tolist():
        own = np.flatnonzero(owners == place)
        pieces.append(files[place].names.taken(locals_[own]))
        places.append(own)
    back = np.empty(len(owners), np.int64)
    back[np.concatenate(places)] = np.arange(len(owners))
    return pa.concat_arrays(pieces).take(pa.array(back))


def _newest(
    files: Sequence[LinkFile], maps: Sequence[Int32s], count: int
) -> tuple[NDArray[np.uint8], Int32s, Int32s]:
    states = np.zeros(count, np.uint8)
    owners = np.full(count, -1, np.int32)
    forwards = np.full(count, -1, np.int32)
    for place, (file, numbers) in enumerate(zip(files, maps, strict=True)):
        visited = np.flatnonzero(file.states != State.LINKED)
        own = numbers[visited]
        leads = file.forwards[visited]
        states[own] = file.states[visited]
        owners[own] = place
        forwards[own] = np.where(leads >= 0, numbers[leads], -1) if len(numbers) else -1
    return states, owners, forwards


def roots_of(forwards: Int32s, states: NDArray[np.uint8]) -> Int32s:
    """Who stands for each address in the end. A redirect leads wherever it says; a page leaves its
    place to the canonical address that it names only where that is a page itself: nobody may give
    away what is not there. Those that lead to each other in a circle are one, by its first."""
    numbers = np.arange(len(forwards), dtype=np.int32)
    leads = forwards >= 0
    is_page = states == State.PAGE
    leads &= ~is_page | is_page[np.where(leads, forwards, 0)] if len(forwards) else leads
    step = np.where(leads, forwards, numbers).astype(np.int32)
    far, lowest = step, np.minimum(step, numbers)
    for _ in range(len(numbers).bit_length() + 1):
        if np.array_equal(step[far], far):
            return far
        lowest = np.minimum(lowest, lowest[far])
        far = far[far]
    # So many steps lead into any circle; around it, the smallest number is met.
    circle = np.flatnonzero(step[far] != far)
    inside = far[circle]
    far[circle] = lowest[inside]
    return far
