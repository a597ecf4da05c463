"""Which records of a segment's WARC file stay, and the file without the others.

Where the responses of page rows lie is known from the rows. What lies between them is looked at:
the requests, and exchanges without a row, of attempts that lost. No record is unpacked but those.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import IO

from msgspec import Struct

from gossamer import __version__
from gossamer.errors import FormatError
from gossamer.storage.manifest import SegmentFile
from gossamer.storage.objects import ObjectStore
from gossamer.storage.warc import record_heads, warcinfo_member

_COPY_BYTES = 4_000_000

Response = tuple[int, bool]
"""Its length, and whether it stays."""

IsGone = Callable[[str, float], bool]
"""Whether the exchange with a URL, at a moment, is to be forgotten."""


class RawPlan(Struct):
    spans: list[tuple[int, int]] = []  # of the bytes that stay: from, to
    responses: list[int] = []  # of those, where the responses of rows begin
    drops: bool = False  # whether any exchange goes

    @property
    def keeps(self) -> bool:
        return bool(self.spans)

    def keep(self, start: int, end: int) -> None:
        if self.spans and self.spans[-1][1] == start:
            self.spans[-1] = (self.spans[-1][0], end)
        else:
            self.spans.append((start, end))


def plan_raw(
    objects: ObjectStore,
    file: SegmentFile | None,
    responses: Mapping[int, Response],
    is_gone: IsGone,
) -> RawPlan:
    """`responses`: by the offsets where they begin."""
    plan = RawPlan()
    if file is None:
        return plan
    position = 0
    stays = True
    for start in [*sorted(responses), file.bytes]:
        if start < position:
            raise FormatError(f"{file.name} is damaged: two responses overlap.")
        for at, size, head in _heads(objects, file, position, start):
            kind = head.get("warc-type")
            if kind == "warcinfo":
                continue  # the new file gets its own
            if kind != "request":  # a request follows its response, and shares its fate
                stays = not is_gone(head.get("warc-target-uri", ""), _moment(head))
            _note(plan, at, at + size, stays)
        if start in responses:
            length, stays = responses[start]
            position = start + length
            _note(plan, start, position, stays)
            if stays:
                plan.responses.append(start)
    return plan


def _note(plan: RawPlan, start: int, end: int, stays: bool) -> None:
    if stays:
        plan.keep(start, end)
    else:
        plan.drops = True


def _heads(
    objects: ObjectStore, file: SegmentFile, start: int, end: int
) -> Iterator[tuple[int, int, dict[str, str]]]:
    """The records of a stretch between two responses: where they lie, how long, and their heads."""
    if start == end:
        return
    data = objects.get_range(file.name, start, end - start)
    if data is None or len(data) != end - start:
        raise FormatError(f"{file.name} is missing or cut short.")
    for size, head in record_heads(data, file.name):
        yield start, size, head
        start += size


def _moment(head: Mapping[str, str]) -> float:
    try:
        return datetime.fromisoformat(head.get("warc-date", "")).timestamp()
    except ValueError:
        return float("inf")  # of unknown age: too new to go for that


def copy_spans(
    objects: ObjectStore, file: SegmentFile, plan: RawPlan, out: IO[bytes], name: str, run: str
) -> dict[int, int]:
    """Write what stays; returns for each response where it was and where it is now."""
    out.write(warcinfo_member(name, f"gossamer/{__version__}", run, time.time()))
    moved: dict[int, int] = {}
    responses = iter(plan.responses)
    response = next(responses, None)
    for start, end in plan.spans:
        shift = out.tell() - start
        while response is not None and response < end:
            moved[response] = response + shift
            response = next(responses, None)
        for place in range(start, end, _COPY_BYTES):
            wanted = min(_COPY_BYTES, end - place)
            piece = objects.get_range(file.name, place, wanted)
            if piece is None or len(piece) != wanted:
                raise FormatError(f"{file.name} is missing or cut short.")
            out.write(piece)
    return moved
