"""Committed attempts become numbered segments: immutable files, published by the manifest.

    segments/pages-000001.parquet   the page rows, in the order of the commits
    segments/links-000001.parquet   the link rows, in the same order
    segments/raw-000001.warc.gz     the raw exchanges, to which the page rows point

The order of a roll: read attempts and append them to local files; put the files; replace the
manifest; delete the attempts. Whatever interrupts it, the manifest tells the truth, and rolling
the same attempts again takes up where it stopped.
"""

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from gossamer.errors import StorageError
from gossamer.records import CommittedAttempt
from gossamer.storage.draft import SEGMENTS, SegmentDraft
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import ObjectStore, refusals
from gossamer.storage.staging import delete_attempt, read_attempt

_SCRATCH = "roll-"


class Roller:
    """The one writer of a run's segments. `scratch` is a local folder of its own; on the disk of
    the objects, finished files are linked instead of copied."""

    def __init__(
        self,
        objects: ObjectStore,
        scratch: Path,
        *,
        run_name: str,
        segment_pages: int,
        keep_raw: bool,
    ) -> None:
        self._objects = objects
        self._scratch = scratch
        self._run_name = run_name
        self._segment_pages = segment_pages
        self._keep_raw = keep_raw
        for leftover in scratch.glob(f"{_SCRATCH}*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def roll(self, attempts: Sequence[CommittedAttempt]) -> Manifest:
        """Publish attempts, in the order given, and delete their staging objects; those that the
        segments contain already are only deleted. Can be called again after any fault."""
        manifest = Manifest.load(self._objects)
        contained, new = _divide(manifest, attempts)
        try:
            self._delete_orphans(manifest)
            if contained:
                # The replacement that took them in may have been cut off before it was durable.
                manifest.save(self._objects)
                self._delete_staged(contained)
            while new:
                manifest, taken = self._roll_segment(manifest, new)
                self._delete_staged(new[:taken])
                new = new[taken:]
        except StorageError:
            # On a full disk, what the failed roll has put already is in the way.
            with suppress(StorageError):
                self._delete_orphans(Manifest.load(self._objects))
            raise
        return manifest

    def _roll_segment(
        self, manifest: Manifest, attempts: Sequence[CommittedAttempt]
    ) -> tuple[Manifest, int]:
        """Publish one segment of the first attempts; returns how many these are."""
        watermarks = dict(manifest.watermarks)
        taken = 0
        visits_round = attempts[0].round
        with refusals(f"Cannot write a segment in {self._scratch}"):
            self._scratch.mkdir(parents=True, exist_ok=True)
            with (
                tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=self._scratch) as folder,
                SegmentDraft(
                    Path(folder), manifest.next_number, self._run_name, self._keep_raw
                ) as draft,
            ):
                for attempt in attempts:
                    if attempt.round != visits_round:
                        break  # rows of a later round take the place of earlier ones
                    if attempt.staged:
                        staged = read_attempt(self._objects, attempt.staged)
                        pages = draft.pages + staged.pages.num_rows
                        if draft.pages and pages > self._segment_pages:
                            break
                        draft.append(attempt, staged)
                    watermarks[attempt.server] = attempt.number
                    taken += 1
                segment = draft.put(self._objects)
        manifest = replace(manifest, run=self._run_name, watermarks=watermarks)
        if segment is not None:
            manifest = manifest.with_segment(replace(segment, round=visits_round))
        manifest.save(self._objects)
        return manifest, taken

    def _delete_orphans(self, manifest: Manifest) -> None:
        named = {file.name for segment in manifest.segments for file in segment.files}
        for name in self._objects.list(SEGMENTS):
            if name not in named:
                self._objects.delete(name)

    def _delete_staged(self, attempts: Iterable[CommittedAttempt]) -> None:
        for attempt in attempts:
            if attempt.staged:
                delete_attempt(self._objects, attempt.staged)


def _divide(
    manifest: Manifest, attempts: Sequence[CommittedAttempt]
) -> tuple[list[CommittedAttempt], list[CommittedAttempt]]:
    """The attempts that the segments contain, and those that they do not.

    The watermark can tell that only if each server's attempts come in the order of their numbers:
    one that comes too late would be lost without a word, so it is a fault.
    """
    contained: list[CommittedAttempt] = []
    new: list[CommittedAttempt] = []
    highest = dict(manifest.watermarks)
    taken: set[tuple[int, int]] = set()
    for attempt in attempts:
        place = (attempt.server, attempt.number)
        if attempt.number > highest.get(attempt.server, -1):
            highest[attempt.server] = attempt.number
            taken.add(place)
            new.append(attempt)
        elif attempt.number <= manifest.watermarks.get(attempt.server, -1):
            contained.append(attempt)
        elif place not in taken:
            raise ValueError(
                f"schedule {attempt.number} of queue server {attempt.server} came after "
                f"schedule {highest[attempt.server]}"
            )
    return contained, new
