"""Suggestions from a dictionary of 2.6 million entries: time to make it, memory, latency.

Scriburg needed 1.8 minutes to make one of that size. How the cost grows is shown by smaller ones.
"""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.suggest import Measured, measure
from experiments.page import Page

SIZES = (100_000, 400_000, 1_000_000, 2_700_000)
"""Some of the invented entries are the same: 2.6 million of the last are left."""


def measured(sizes: Sequence[int]) -> list[Measured]:
    """Each in a process of its own, so that the peak of memory is its own."""
    context = multiprocessing.get_context("spawn")
    found = []
    for size in sizes:
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            found.append(pool.submit(measure, size).result())
    return found


def page(dictionaries: Sequence[Measured]) -> Page:
    found = Page("dictionary", "Suggestions from a large dictionary")
    largest = dictionaries[-1]
    found.say(
        "Entries of invented words that are as unevenly frequent as real ones, two to six words "
        "each. The dictionary is made, saved, mapped and then asked for completions. Scriburg "
        f"reports 1.8 minutes for 2.6 million entries; here {largest.entries:,} take "
        f"{largest.build_cpu_seconds:.0f} CPU-seconds."
    )
    found.table(
        ["entries", "to make, CPU-s", "peak of memory, MB", "size, MB", "worst p95, ms"],
        [
            [
                f"{one.entries:,}",
                f"{one.build_cpu_seconds:.1f}",
                f"{one.build_peak_megabytes:,.0f}",
                f"{one.megabytes:.1f}",
                f"{max(asked.p95_ms for asked in one.asked.values()):.2f}",
            ]
            for one in dictionaries
        ],
    )
    found.plot(
        "build",
        {"CPU-seconds": [(one.entries, one.build_cpu_seconds) for one in dictionaries]},
        title="Time to make a dictionary",
        across="entries",
        up="CPU-s",
        doubling=True,
    )
    found.heading(f"Latency with {largest.entries:,} entries")
    found.say(
        "1,000 beginnings of each kind. 'inner_word' begins with the second word of an entry, "
        "'error' has a wrong letter, 'nothing' begins no entry."
    )
    found.table(
        ["asked", "p50 ms", "p95 ms", "longest ms", "led to suggestions"],
        [
            [
                kind,
                f"{asked.p50_ms:.3f}",
                f"{asked.p95_ms:.3f}",
                f"{asked.max_ms:.3f}",
                f"{asked.found:.1%}",
            ]
            for kind, asked in largest.asked.items()
        ],
    )
    return found


def run() -> Page:
    return page(measured(SIZES))
