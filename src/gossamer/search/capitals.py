"""How rare are words that only count in capitals?"""

from collections.abc import Sequence

from gossamer.index.reader import IndexReader
from gossamer.matches import Statistics
from gossamer.text import capital_form


def with_capital_frequencies(
    reader: IndexReader, slots: Sequence[Sequence[str]], in_capitals: Sequence[int]
) -> Statistics:
    """Return the statistics of slots, of which those in capitals are as rare as their capital
    forms: 'IT' is rarer than 'it'."""
    if not in_capitals:
        return reader.statistics(slots)
    return reader.statistics(
        [
            [capital_form(term) for term in terms] if place in in_capitals else terms
            for place, terms in enumerate(slots)
        ]
    )
