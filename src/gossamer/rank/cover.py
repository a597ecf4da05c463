"""Where all words of a query stand together.

A *cover* is a stretch of a field that holds every word of the query, and no shorter one inside. A
document scores the sum of 1 / length over its covers (Büttcher, Clarke and Cormack, 'Information
Retrieval', 2.2.2), scaled so that neighbours in any order count one.
"""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel
from gossamer.matches import Floats, Matches


def covers(matches: Matches, required: Any) -> Floats:
    """Of each candidate the sum over its covers of the slots that are `required`."""
    hits = matches.hits
    scores: Floats = _covers(
        hits.documents,
        hits.slots,
        hits.fields,
        hits.positions,
        np.asarray(required, np.bool_),
        matches.size,
    )
    return scores * float(np.count_nonzero(required))


@kernel("i4[], i4[], i4[], i4[], b1[], i8")
def _covers(
    documents: Any, slots: Any, fields: Any, positions: Any, required: Any, size: int
) -> Any:
    scores = np.zeros(size)
    wanted = 0
    for slot in range(len(required)):
        wanted += required[slot]
    last = np.full(len(required), -1, np.int64)
    begin_document, begin_field = -1, -1
    seen = 0
    previous_begin = -1
    for hit in range(len(slots)):
        slot = slots[hit]
        if documents[hit] != begin_document or fields[hit] != begin_field:
            begin_document, begin_field = documents[hit], fields[hit]
            last[:] = -1
            seen = 0
            previous_begin = -1
        if not required[slot]:
            continue
        if last[slot] < 0:
            seen += 1
        last[slot] = positions[hit]
        if seen < wanted:
            continue
        begin = positions[hit]
        for other in range(len(required)):
            if required[other] and last[other] < begin:
                begin = last[other]
        # The shortest stretch that ends here is a cover unless one inside it ended before.
        if begin > previous_begin:
            previous_begin = begin
            scores[documents[hit]] += 1.0 / (positions[hit] - begin + 1)
    return scores
