"""The loops that make graphs and turn them round, compiled.

They release the interpreter's lock: several threads can work on ranges of nodes of their own.
"""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel


@kernel("const i8[], const i4[]", nogil=True)
def first_fault(offsets: Any, targets: Any) -> int:
    """The first row whose bounds or targets cannot be; -1 if all is well."""
    nodes = len(offsets) - 1
    if offsets[0] != 0:
        return 0
    for node in range(nodes):
        if offsets[node + 1] < offsets[node] or offsets[node + 1] > len(targets):
            return node
        for place in range(offsets[node], offsets[node + 1]):
            if targets[place] < 0 or targets[place] >= nodes:
                return node
    return -1 if offsets[nodes] == len(targets) else nodes - 1


@kernel("const i4[], i8[]", "const i8[], i8[]", nogil=True)
def count_numbers(numbers: Any, counts: Any) -> bool:
    """Adds one to `counts` at every number; False, and nothing more is done, if one is outside."""
    for place in range(len(numbers)):
        number = numbers[place]
        if number < 0 or number >= len(counts):
            return False
        counts[number] += 1
    return True


@kernel("i8[]", nogil=True)
def offsets_of(counts: Any) -> Any:
    offsets = np.zeros(len(counts) + 1, np.int64)
    for node in range(len(counts)):
        offsets[node + 1] = offsets[node] + counts[node]
    return offsets


@kernel("i4[], i4[], i8[], i4[]", "i8[], i8[], i8[], i4[]", nogil=True)
def place_pairs(keys: Any, values: Any, cursors: Any, placed: Any) -> None:
    """Each value goes where the cursor of its key points, in the order in which they come."""
    for place in range(len(keys)):
        key = keys[place]
        placed[cursors[key]] = values[place]
        cursors[key] += 1


@kernel("const i8[], const i4[], i8[], i4[]", nogil=True)
def transpose(offsets: Any, targets: Any, cursors: Any, placed: Any) -> None:
    """The source of each link, at its target's cursor. As the rows are gone through in their
    order, the sources of each target come out sorted."""
    for source in range(len(offsets) - 1):
        for place in range(offsets[source], offsets[source + 1]):
            target = targets[place]
            placed[cursors[target]] = source
            cursors[target] += 1


@kernel("const i8[], const i4[], const f8[], i8[], i4[], f8[]", nogil=True)
def transpose_weighted(
    offsets: Any, targets: Any, weights: Any, cursors: Any, placed: Any, placed_weights: Any
) -> None:
    for source in range(len(offsets) - 1):
        for place in range(offsets[source], offsets[source + 1]):
            to = cursors[targets[place]]
            placed[to] = source
            placed_weights[to] = weights[place]
            cursors[targets[place]] += 1


@kernel("i8[], i4[], b1, b1, i4[]", nogil=True)
def thin(offsets: Any, targets: Any, distinct: bool, self_links: bool, counts: Any) -> int:
    """Drops, in place, repeated links of sorted rows and links to oneself; how many are left. If
    `counts` has room, it tells how often each link that is left was there."""
    written = 0
    begin = 0
    counting = len(counts) > 0
    for node in range(len(offsets) - 1):
        end = offsets[node + 1]
        row = written
        for place in range(begin, end):
            target = targets[place]
            if target == node and not self_links:
                continue
            if distinct and written > row and targets[written - 1] == target:
                if counting:
                    counts[written - 1] += 1
                continue
            targets[written] = target
            if counting:
                counts[written] = 1
            written += 1
        begin = end
        offsets[node + 1] = written
    return written
