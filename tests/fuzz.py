"""Damages pages for as long as one likes, and reads them as a crawl does.

    python -m tests.fuzz --seconds 3600 [--format pdf] [--seeds FOLDER] [--keep FOLDER]

Ends with a JSON object: how many pages of each format had which outcome, how long they took, which
was the slowest. A page that took its process down, took too long, or showed a bug of ours is kept;
the exit status is 1 where there was a bug of ours. Files of a folder of seeds, if there is one,
are damaged as well; their names end in the name of their format.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from gossamer.extract.isolated import HeavyProcessors, Limits
from gossamer.lib.hashing import hash64
from gossamer.records import Outcome, Processed, RawPage, Unread
from tests.extract.heavy import assert_whole, is_our_bug
from tests.mutations import MEDIA_TYPES, PAGES, TOKENS, mutated, random_edits

LIMITS = Limits(seconds=10.0, memory_bytes=1_000_000_000)
_LYING_TYPES = ("", "text/html", "text/plain", "application/octet-stream", "application/pdf")
_SLOW_SECONDS = 2.0
_NEWS_SECONDS = 60.0


@dataclass
class Tally:
    outcomes: Counter[str] = field(default_factory=Counter)
    details: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest_seconds: float = 0.0
    kept: list[str] = field(default_factory=list)
    bugs: int = 0

    def report(self) -> dict[str, object]:
        pages = sum(self.outcomes.values())
        return {
            "pages": pages,
            "outcomes": dict(self.outcomes.most_common()),
            "details": dict(self.details.most_common(12)),
            "milliseconds": round(1000 * self.seconds / max(1, pages), 2),
            "slowest_seconds": round(self.slowest_seconds, 3),
            "kept": self.kept,
            "bugs": self.bugs,
        }


class Campaign:
    def __init__(self, formats: list[str], seeds: Path | None, keep: Path, start: int) -> None:
        self._chance = random.Random(start)
        self._keep = keep
        self._pages = {name: [*PAGES[name]] for name in formats}
        if seeds is not None:
            for path in sorted(seeds.iterdir()):
                self._pages.get(path.suffix.removeprefix("."), []).append(path.read_bytes())
        self.tallies = {name: Tally() for name in formats}

    async def run(self, seconds: float) -> None:
        heavy = HeavyProcessors("Gossamer", LIMITS)
        end = time.monotonic() + seconds
        news = time.monotonic() + _NEWS_SECONDS
        try:
            while time.monotonic() < end:
                name = self._chance.choice([*self._pages])
                await self._try(heavy, name, self._damaged(name))
                if time.monotonic() > news:
                    news += _NEWS_SECONDS
                    print(self._summary(), file=sys.stderr, flush=True)
        finally:
            await heavy.close()

    def _damaged(self, name: str) -> RawPage:
        chance = self._chance
        body = chance.choice(self._pages[name])
        donor = chance.choice(self._pages[chance.choice([*self._pages])])
        edits = random_edits(chance, TOKENS[name], donor)
        body = mutated(body, edits, inside=chance.random() < 0.6)
        media_type = MEDIA_TYPES[name] if chance.random() < 0.9 else chance.choice(_LYING_TYPES)
        return RawPage("https://example.org/dir/", media_type, "", body)

    async def _try(self, heavy: HeavyProcessors, name: str, page: RawPage) -> None:
        tally = self.tallies[name]
        processed, seconds = await _processed(heavy, page)
        if seconds > _SLOW_SECONDS:  # others may need this machine as well
            seconds = min(seconds, (await _processed(heavy, page))[1])
        tally.seconds += seconds
        problem = self._problem(processed)
        if seconds > tally.slowest_seconds:
            tally.slowest_seconds = seconds
            if seconds > _SLOW_SECONDS:
                problem = problem or f"took {seconds:.1f} s"
        if isinstance(processed, Unread):
            tally.outcomes[processed.outcome] += 1
            tally.details[f"{processed.outcome}: {_kind(processed.detail)}"] += 1
        else:
            tally.outcomes["ok, in part" if processed.is_partial else "ok"] += 1
        if problem:
            tally.bugs += problem.startswith("a bug")
            tally.kept.append(self._save(name, page, problem))

    def _problem(self, processed: Processed) -> str:
        try:
            assert_whole(processed)
        except AssertionError as error:
            return f"a bug: {error}"
        if is_our_bug(processed):
            assert isinstance(processed, Unread)
            return f"a bug: {processed.detail}"
        if isinstance(processed, Unread) and processed.outcome is Outcome.POISON:
            return processed.detail
        return ""

    def _save(self, name: str, page: RawPage, problem: str) -> str:
        path = self._keep / f"{hash64(page.body) & 0xFFFFFFFF:08x}.{name}"
        path.write_bytes(page.body)
        print(f"{path} ({page.media_type}): {problem}", file=sys.stderr, flush=True)
        return f"{path.name}: {problem}"[:200]

    def _summary(self) -> str:
        return "  ".join(
            f"{name} {sum(tally.outcomes.values()):,}" for name, tally in self.tallies.items()
        )


async def _processed(heavy: HeavyProcessors, page: RawPage) -> tuple[Processed, float]:
    started = time.monotonic()
    processed = await heavy.process(page, 1.0)
    assert processed is not None
    return processed, time.monotonic() - started


def _kind(detail: str) -> str:
    """Without what differs from page to page."""
    return "".join("#" if letter.isdigit() else letter for letter in detail.split("(")[0])[:80]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--format", choices=[*PAGES], action="append", dest="formats")
    parser.add_argument("--seeds", type=Path, help="folder of further pages to damage")
    parser.add_argument("--keep", type=Path, help="folder for pages that did harm")
    parser.add_argument("--start", type=int, help="of the random numbers", default=None)
    options = parser.parse_args()
    keep = options.keep or Path(tempfile.mkdtemp(prefix="gossamer-fuzz-"))
    keep.mkdir(parents=True, exist_ok=True)
    start = random.randrange(1 << 32) if options.start is None else options.start
    campaign = Campaign(options.formats or [*PAGES], options.seeds, keep, start)
    asyncio.run(campaign.run(options.seconds))
    report = {name: tally.report() for name, tally in campaign.tallies.items()}
    print(json.dumps({"start": start, "formats": report}, indent=1))
    sys.exit(any(tally.bugs for tally in campaign.tallies.values()))


if __name__ == "__main__":
    main()
