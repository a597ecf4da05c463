"""The loops of ranking over all links, compiled (see `kernels`).

A node that has links is a *giver*; givers are numbered in the order of nodes. What a giver's rank
brings to each of its links (with weights: to each unit of weight) is its *share*. Indices are
unsigned here: numba then leaves out its look for negative ones, a third of the time.
"""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel

_U32 = np.uint32
_U64 = np.uint64
_ONE, _TWO, _THREE, _FOUR = _U64(1), _U64(2), _U64(3), _U64(4)
_LENGTHS = 256
"""Rows longer than that are sorted no further."""


@kernel("const i8[], const i4[], const f8[], f8, i4[], f8[]", nogil=True)
def weigh(offsets: Any, targets: Any, weights: Any, damping: float, counts: Any, gaps: Any) -> int:
    """The number of givers; -1 if a link leads out of the graph, -2 if a weight cannot be one.

    `counts`: of the in-links that come from others. `gaps`: of each giver the weight of its links,
    less what damping leaves of those to itself: what it must be divided by to have its share, so
    that links to oneself need no iterations."""
    givers = 0
    weighted = len(weights) > 0
    for source in range(len(offsets) - 1):
        total, own = 0.0, 0.0
        for place in range(offsets[source], offsets[source + 1]):
            target = targets[place]
            if target < 0 or target >= len(counts):
                return -1
            weight = 1.0
            if weighted:
                weight = weights[place]
                if not 0 <= weight < np.inf:
                    return -2
            total += weight
            if target == source:
                own += weight
            else:
                counts[target] += 1
        if total > 0:
            gaps[givers] = total - damping * own
            givers += 1
        elif weighted:
            # Nothing comes from here after all.
            for place in range(offsets[source], offsets[source + 1]):
                if targets[place] != source:
                    counts[targets[place]] -= 1
    return givers


@kernel()
def total_of(offsets: Any, weights: Any, node: int) -> float:
    """The weight of all links of a node; without weights, their number."""
    if len(weights) == 0:
        return float(offsets[node + 1] - offsets[node])
    total = 0.0
    for place in range(offsets[node], offsets[node + 1]):
        total += weights[place]
    return total


@kernel("const i8[], const f8[], i4[], i8, i4[], i4[]", nogil=True)
def line_up(offsets: Any, weights: Any, counts: Any, block: int, order: Any, starts: Any) -> None:
    """The order in which givers are visited, and where the in-links of each begin.

    Givers with equally many in-links follow each other, within blocks of givers: a processor that
    must guess the end of a loop anew at every node loses half of its time. Within blocks, as near
    nodes often have near numbers. `counts` becomes the place for each node's first in-link; -1 for
    those that give nothing: nobody waits for their ranks."""
    nodes = len(offsets) - 1
    members = np.empty(block, np.int32)
    heads = np.empty(_LENGTHS + 1, np.int64)
    node, giver, placed = 0, 0, np.int64(0)
    while node < nodes:
        size = 0
        while node < nodes and size < block:
            if total_of(offsets, weights, node) > 0:
                members[size] = node
                size += 1
            else:
                counts[node] = -1
            node += 1
        heads[:] = 0
        for member in range(size):
            heads[min(counts[members[member]], _LENGTHS - 1) + 1] += 1
        for length in range(_LENGTHS):
            heads[length + 1] += heads[length]
        for member in range(size):
            length = min(counts[members[member]], _LENGTHS - 1)
            order[giver + heads[length]] = member
            heads[length] += 1
        for row in range(giver, giver + size):
            member = members[order[row]]
            count = counts[member]
            counts[member] = placed
            starts[row] = placed
            placed += count
            order[row] += giver
        giver += size
    starts[giver] = placed


@kernel(
    "const i8[], const i4[], const f8[], i4[], i8, i4[], f8[], f8[]",
    "const i8[], const i4[], const f8[], i4[], i8, i4[], f8[], i4[]",
    nogil=True,
)
def place_sources(
    offsets: Any,
    targets: Any,
    weights: Any,
    cursors: Any,
    begin: int,
    sources: Any,
    placed_weights: Any,
    passed_on: Any,
) -> None:
    """The givers behind the in-links whose places are in [begin, begin + len(sources)). What each
    giver gives to them, in shares, is added to `passed_on`."""
    giver = -1
    end = begin + len(sources)
    weighted = len(weights) > 0
    for source in range(len(offsets) - 1):
        if total_of(offsets, weights, source) <= 0:
            continue
        giver += 1
        for place in range(offsets[source], offsets[source + 1]):
            target = targets[place]
            to = cursors[target]
            if begin <= to < end and target != source:
                sources[to - begin] = giver
                if weighted:
                    placed_weights[to - begin] = weights[place]
                    passed_on[giver] += weights[place]
                else:
                    passed_on[giver] += 1
                cursors[target] = to + 1


@kernel("const i8[], const i4[], i8, i8[], i4[], i4[]", nogil=True)
def sort_roughly(
    offsets: Any, targets: Any, shift: int, heads: Any, giving: Any, receiving: Any
) -> None:
    """All links but those to oneself, as pairs of giver and target, by the high bits of the target:
    each at the head of its group."""
    giver = -1
    for source in range(len(offsets) - 1):
        if offsets[source + 1] == offsets[source]:
            continue
        giver += 1
        for place in range(_U64(offsets[source]), _U64(offsets[source + 1])):
            target = targets[place]
            if target != source:
                group = _U32(target >> shift)
                head = _U64(heads[group])
                heads[group] = head + _ONE
                giving[head] = giver
                receiving[head] = target


@kernel("i4[], i4[], i4[], i4[], i4[]", nogil=True)
def place_pairs(giving: Any, receiving: Any, cursors: Any, sources: Any, passed_on: Any) -> None:
    """Each giver at the cursor of its target. `sources` has one place more than are needed: those
    of targets that nobody waits for end there, which is faster than to look who they are."""
    spare = _U64(len(sources) - 1)
    for pair in range(_U64(len(giving))):
        target = _U32(receiving[pair])
        to = cursors[target]
        is_wanted = to >= 0
        giver = _U32(giving[pair])
        sources[_U64(to) if is_wanted else spare] = giver
        cursors[target] = to + is_wanted
        passed_on[giver] += is_wanted


@kernel(
    "i4[], i4[], i4[], f8[], f8[], f8[], f8[], f8[], f8, f8",
    "i4[], i4[], i4[], f8[], f8[], f8[], i4[], f8[], f8, f8",
    nogil=True,
)
def relax(
    order: Any,
    starts: Any,
    sources: Any,
    weights: Any,
    shares: Any,
    gaps: Any,
    passed_on: Any,
    jumps: Any,
    jumping: float,
    damping: float,
) -> Any:
    """One visit to the givers in `order`, whose in-links are in `sources` from `starts` on. Shares
    change in place: whoever is visited later sees what was just computed. The sum of all changes of
    ranks, the sum of ranks, and what of them does not come to other givers by links."""
    changed, total, lost = 0.0, 0.0, 0.0
    begin = _U64(starts[0])
    place = _U64(0)
    many = len(jumps) > 1
    weighted = len(weights) > 0
    for row in range(_U64(len(order))):
        end = _U64(starts[row + _ONE]) - begin
        # Two sums: an addition need not wait for the one before it.
        first, second = 0.0, 0.0
        if weighted:
            while place < end:
                first += shares[_U32(sources[place])] * weights[place]
                place += _ONE
        else:
            while place + _FOUR <= end:
                first += shares[_U32(sources[place])] + shares[_U32(sources[place + _ONE])]
                second += (
                    shares[_U32(sources[place + _TWO])] + shares[_U32(sources[place + _THREE])]
                )
                place += _FOUR
            while place < end:
                first += shares[_U32(sources[place])]
                place += _ONE
        giver = _U32(order[row])
        jump = jumps[giver] if many else jumps[0]
        gap = gaps[giver]
        rank = jumping * jump + damping * (first + second)
        share = rank / gap
        changed += abs(share - shares[giver]) * gap
        total += rank
        lost += share * (gap - damping * passed_on[giver])
        shares[giver] = share
    return changed, total, lost


@kernel("f8[], f8[], f8[], f8", "f8[], f8[], i4[], f8", nogil=True)
def lost_by_all(shares: Any, gaps: Any, passed_on: Any, damping: float) -> float:
    """What of the ranks of givers does not come to other givers by links."""
    lost = 0.0
    for giver in range(len(shares)):
        lost += shares[giver] * (gaps[giver] - damping * passed_on[giver])
    return lost


@kernel("const i8[], const i4[], const f8[], f8[], f8[]", nogil=True)
def spread(offsets: Any, targets: Any, weights: Any, shares: Any, sums: Any) -> None:
    """Every share goes along its links: `sums` is what arrives at each node."""
    sums[:] = 0.0
    giver = 0
    weighted = len(weights) > 0
    for source in range(len(offsets) - 1):
        if total_of(offsets, weights, source) <= 0:
            continue
        share = shares[giver]
        giver += 1
        if weighted:
            for place in range(offsets[source], offsets[source + 1]):
                sums[_U32(targets[place])] += share * weights[place]
        else:
            for place in range(offsets[source], offsets[source + 1]):
                sums[_U32(targets[place])] += share


@kernel("const i8[], const f8[], f8[], f8[], f8, f8, f8[]", nogil=True)
def settle(
    offsets: Any, weights: Any, shares: Any, jumps: Any, jumping: float, damping: float, sums: Any
) -> float:
    """Turns what arrives at each node into its rank, in place, and tells by how much one more
    application of the formula would change all ranks.

    The ranks of givers are those of their shares, not yet scaled to the sum of one. Those of the
    others follow from them, so that only givers can be off."""
    nodes = len(sums)
    many = len(jumps) > 1
    total, off = 0.0, 0.0
    giver = 0
    for node in range(nodes):
        jump = jumps[node] if many else jumps[0]
        rank = jumping * jump + damping * sums[node]
        weight = total_of(offsets, weights, node)
        if weight > 0:
            held = shares[giver] * weight
            giver += 1
            off += rank - held
            rank = held
        total += rank
    residual = 0.0
    giver = 0
    for node in range(nodes):
        jump = jumps[node] if many else jumps[0]
        rank = jumping * jump + damping * sums[node]
        weight = total_of(offsets, weights, node)
        # The sum of ranks is one: what one gains in this way, all lose by their jumps.
        change = -off * jump
        if weight > 0:
            held = shares[giver] * weight
            giver += 1
            change += rank - held
            rank = held
        residual += abs(change)
        sums[node] = rank / total
    return residual / total


@kernel("const i8[], const f8[], f8[], f8, f8[]", nogil=True)
def shares_from(offsets: Any, weights: Any, ranks: Any, scale: float, shares: Any) -> None:
    """The shares of all givers by their ranks, which are multiplied by `scale` first. `ranks` has
    one number for all nodes, or one for each."""
    many = len(ranks) > 1
    giver = 0
    for node in range(len(offsets) - 1):
        weight = total_of(offsets, weights, node)
        if weight > 0:
            rank = ranks[node] if many else ranks[0]
            shares[giver] = rank * scale / weight
            giver += 1


@kernel("const i8[], const f8[], f8[], f8[]", nogil=True)
def of_givers(offsets: Any, weights: Any, values: Any, chosen: Any) -> float:
    """The values of the givers; the sum of those of the others."""
    left = 0.0
    giver = 0
    for node in range(len(offsets) - 1):
        if total_of(offsets, weights, node) > 0:
            chosen[giver] = values[node]
            giver += 1
        else:
            left += values[node]
    return left
