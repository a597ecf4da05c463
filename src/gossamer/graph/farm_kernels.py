"""The loops over links that finding farms needs, compiled.

Marks: `marks[node]` is the mark of the set that is looked at if the node is one of its members, the
mark plus one if it is one of the pages that the set boosts. Marks only grow, so nothing is ever
wiped.
"""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel


@kernel()
def _root(parents: Any, node: int) -> int:
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node


@kernel("const i8[], const i4[], f8[], f8[], b1[], f8")
def alike_pieces(
    offsets: Any, targets: Any, ranks: Any, gaps: Any, taken: Any, tolerance: float
) -> Any:
    """Which piece each page belongs to, if only links count that join pages with nearly the same
    logarithms of PageRank and of GapRank. Pages without links belong to none (-1)."""
    nodes = len(offsets) - 1
    parents = np.arange(nodes).astype(np.int32)
    for source in range(nodes):
        if taken[source]:
            continue
        for place in range(offsets[source], offsets[source + 1]):
            target = targets[place]
            if (
                not taken[target]
                and offsets[target] < offsets[target + 1]
                and abs(ranks[source] - ranks[target]) <= tolerance
                and abs(gaps[source] - gaps[target]) <= tolerance
            ):
                one, other = _root(parents, source), _root(parents, target)
                if one < other:
                    parents[other] = one
                elif other < one:
                    parents[one] = other
    for node in range(nodes):
        if taken[node] or offsets[node] == offsets[node + 1]:
            parents[node] = -1
        else:
            parents[node] = _root(parents, node)
    return parents


@kernel("const i8[], const i4[], b1[], i8")
def funnels(offsets: Any, targets: Any, taken: Any, most: int) -> Any:
    """For each page with few links, `most` or fewer: whom it works for, the one of its targets to
    which most other such pages link; -1 for other pages."""
    nodes = len(offsets) - 1
    thin_links = np.zeros(nodes, np.int32)
    for source in range(nodes):
        if 0 < offsets[source + 1] - offsets[source] <= most and not taken[source]:
            for place in range(offsets[source], offsets[source + 1]):
                thin_links[targets[place]] += 1
    found = np.full(nodes, -1, np.int32)
    for source in range(nodes):
        if 0 < offsets[source + 1] - offsets[source] <= most and not taken[source]:
            best = targets[offsets[source]]
            for place in range(offsets[source] + 1, offsets[source + 1]):
                if thin_links[targets[place]] > thin_links[best]:
                    best = targets[place]
            found[source] = best
    return found


@kernel("i8[], i4[], i8")
def mark_members(marks: Any, members: Any, mark: int) -> None:
    for member in members:
        marks[member] = mark


@kernel("const i8[], const i4[], i4[], i8[], i8, i4[]")
def count_receivers(
    offsets: Any, targets: Any, members: Any, marks: Any, mark: int, counts: Any
) -> Any:
    """Pages outside the set that members link to, and how many members do. `counts` is all zeros
    before and after."""
    room = 0
    for member in members:
        room += offsets[member + 1] - offsets[member]
    touched = np.empty(room, np.int32)
    used = 0
    for member in members:
        for place in range(offsets[member], offsets[member + 1]):
            target = targets[place]
            if marks[target] != mark:
                if counts[target] == 0:
                    touched[used] = target
                    used += 1
                counts[target] += 1
    touched = touched[:used].copy()
    linked = np.empty(used, np.int32)
    for place in range(used):
        linked[place] = counts[touched[place]]
        counts[touched[place]] = 0
    return touched, linked


@kernel("const i8[], const i4[], i8[], i4[], i4[], i8[], i8, i4[], i8[], i8")
def survey(
    offsets: Any,
    targets: Any,
    in_offsets: Any,
    in_sources: Any,
    members: Any,
    marks: Any,
    mark: int,
    domains: Any,
    seen: Any,
    stamp: int,
) -> Any:
    """Of each member: links to members on its own domain (0), on others (1), to boosted pages, all
    (2) and on other domains (3); in-links from members of its domain (4), of others (5), from
    boosted pages (6), and from outside (7); how many other domains it links to (8). `seen` has a
    number for each domain; none is above `stamp`."""
    counts = np.zeros((9, len(members)), np.int64)
    for row in range(len(members)):
        member = members[row]
        home = domains[member]
        for place in range(offsets[member], offsets[member + 1]):
            target = targets[place]
            if marks[target] == mark:
                counts[0 if domains[target] == home else 1, row] += 1
                if domains[target] != home and seen[domains[target]] != stamp + row + 1:
                    seen[domains[target]] = stamp + row + 1
                    counts[8, row] += 1
            elif marks[target] == mark + 1:
                counts[2, row] += 1
                if domains[target] != home:
                    counts[3, row] += 1
        for place in range(in_offsets[member], in_offsets[member + 1]):
            source = in_sources[place]
            if marks[source] == mark:
                counts[4 if domains[source] == home else 5, row] += 1
            elif marks[source] == mark + 1:
                counts[6, row] += 1
            else:
                counts[7, row] += 1
    return counts


@kernel("const i8[], const i4[], i4[], i8[], i8, i4[]")
def pieces_of(offsets: Any, targets: Any, members: Any, marks: Any, mark: int, rows: Any) -> Any:
    """The members in pieces that hang together by their links, or by a page that they boost.
    `rows` is room for a number a node."""
    parents = np.arange(len(members)).astype(np.int32)
    for row in range(len(members)):
        rows[members[row]] = row
        # A boosted page stands for the first member that links to it.
        for place in range(offsets[members[row]], offsets[members[row] + 1]):
            if marks[targets[place]] == mark + 1:
                rows[targets[place]] = -1
    for row in range(len(members)):
        for place in range(offsets[members[row]], offsets[members[row] + 1]):
            target = targets[place]
            if marks[target] == mark + 1 and rows[target] < 0:
                rows[target] = row
            if marks[target] == mark or marks[target] == mark + 1:
                one, other = _root(parents, row), _root(parents, rows[target])
                if one < other:
                    parents[other] = one
                elif other < one:
                    parents[one] = other
    for row in range(len(members)):
        parents[row] = _root(parents, row)
    return parents


@kernel("const i8[], const i4[], i8[], i4[], i4[], i8[], i8, b1[], f8")
def neighbours(
    offsets: Any,
    targets: Any,
    in_offsets: Any,
    in_sources: Any,
    members: Any,
    marks: Any,
    mark: int,
    taken: Any,
    least: float,
) -> Any:
    """Pages outside the set that live off it: at least this share of their links leads into it, or
    to what it boosts, and of the links to them at least this share comes from there."""
    found = np.empty(16, np.int32)
    used = 0
    for row in range(len(members)):
        member = members[row]
        for direction in range(2):
            if direction == 0:
                first, last = in_offsets[member], in_offsets[member + 1]
            else:
                first, last = offsets[member], offsets[member + 1]
            for place in range(first, last):
                page = in_sources[place] if direction == 0 else targets[place]
                if marks[page] == mark or marks[page] == -mark or taken[page]:
                    continue
                links = offsets[page + 1] - offsets[page]
                if links == 0:
                    continue
                in_links = in_offsets[page + 1] - in_offsets[page]
                inside = 0
                for where in range(offsets[page], offsets[page + 1]):
                    near = marks[targets[where]]
                    inside += near == mark or near == mark + 1
                if inside < least * links:
                    if marks[page] != mark + 1:
                        marks[page] = -mark  # looked at
                    continue
                coming = 0
                for where in range(in_offsets[page], in_offsets[page + 1]):
                    near = marks[in_sources[where]]
                    coming += near == mark or near == mark + 1
                if coming < least * in_links:
                    if marks[page] != mark + 1:
                        marks[page] = -mark
                    continue
                if used == len(found):
                    found = np.concatenate((found, np.empty(used, np.int32)))
                found[used] = page
                used += 1
                if marks[page] != mark + 1:
                    marks[page] = -mark
    return np.unique(found[:used])


@kernel("const i8[], const i4[], b1[]")
def cut(offsets: Any, targets: Any, farmed: Any) -> Any:
    """The graph without the links of these pages."""
    kept = np.zeros(len(offsets), np.int64)
    for node in range(len(offsets) - 1):
        links = 0 if farmed[node] else offsets[node + 1] - offsets[node]
        kept[node + 1] = kept[node] + links
    left = np.empty(kept[-1], targets.dtype)
    for node in range(len(offsets) - 1):
        if not farmed[node]:
            left[kept[node] : kept[node + 1]] = targets[offsets[node] : offsets[node + 1]]
    return kept, left
