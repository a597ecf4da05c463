"""Who of an import's workers does what next: parts to be surveyed, then batches of records."""

from collections import deque
from dataclasses import dataclass, field

from gossamer.importing.archives import Shape
from gossamer.importing.ledger import Archive, ArchiveState, BatchState, Ledger
from gossamer.importing.tasks import Part, Surveyed

PART_BYTES = 64_000_000
"""Of a packed file: what is read by one worker, while others read its other parts."""


@dataclass(slots=True, eq=False)
class Stretch:
    """A range of a file that is surveyed by one worker, in one answer or in several."""

    file: int
    start: int
    end: int | None
    exact: bool
    held: list[tuple[Part, Surveyed]] = field(default_factory=list)
    is_complete: bool = False


@dataclass(slots=True)
class _FileSurvey:
    archive: Archive
    next: int | None  # where the first record begins that has not been noted; None: the end
    stretches: deque[Stretch] = field(default_factory=deque)


class SurveyOrder:
    """A large file is surveyed in several stretches at once. The first record of a stretch is
    looked for, and what looks like one may lie within another: a stretch counts only if it begins
    where the one before it ended. Otherwise it is read again, from there."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._files: dict[int, _FileSurvey] = {}
        self._queue: deque[Stretch] = deque()
        for known in ledger.files():
            if not known.is_surveyed:
                self._divide(known)

    def _divide(self, known: ArchiveState) -> None:
        archive, position = known.archive, known.surveyed
        survey = self._files[known.id] = _FileSurvey(archive, position)
        is_divided = archive.shape.can_be_entered and archive.shape.packing
        exact = True
        while is_divided and archive.bytes - position > 2 * PART_BYTES:
            survey.stretches.append(Stretch(known.id, position, position + PART_BYTES, exact))
            position += PART_BYTES
            exact = False
        survey.stretches.append(Stretch(known.id, position, None, exact))
        self._queue.extend(survey.stretches)

    @property
    def bytes_left(self) -> int:
        return sum(
            survey.archive.bytes - (survey.next or 0) * survey.archive.shape.can_be_entered
            for survey in self._files.values()
            if survey.stretches
        )

    def next(self) -> tuple[Stretch, Part] | None:
        while self._queue:
            stretch = self._queue.popleft()
            if stretch in self._files[stretch.file].stretches:
                return stretch, self._part(stretch, stretch.start, stretch.exact)
        return None

    def take_in(self, stretch: Stretch, part: Part, surveyed: Surveyed) -> Part | None:
        """Note what was found; return the part that follows in this stretch, if any."""
        survey = self._files[stretch.file]
        if stretch not in survey.stretches:
            return None
        if not surveyed.can_be_entered:
            self._start_over(stretch.file)
            return None
        stretch.held.append((part, surveyed))
        following = surveyed.next
        stretch.is_complete = following is None or (
            stretch.end is not None and following >= stretch.end
        )
        self._settle(survey)
        if following is None or stretch.is_complete or stretch not in survey.stretches:
            return None
        return self._part(stretch, following, exact=True)

    def _part(self, stretch: Stretch, start: int, exact: bool) -> Part:
        archive = self._files[stretch.file].archive
        return Part(stretch.file, archive.path, archive.shape, start, stretch.end, exact)

    def _settle(self, survey: _FileSurvey) -> None:
        """Note what has come of the stretches, in their order."""
        while survey.stretches:
            head = survey.stretches[0]
            if not head.exact:
                if survey.next is None or (head.end is not None and survey.next >= head.end):
                    survey.stretches.popleft()  # one record reaches over all of it
                    continue
                if not head.is_complete:
                    return
                if _first(head) != survey.next:
                    head = Stretch(head.file, survey.next, head.end, exact=True)
                    survey.stretches[0] = head
                    self._queue.appendleft(head)
                    return
            for part, surveyed in head.held:
                self._ledger.add_survey(part, surveyed)
                survey.next = surveyed.next
            head.held.clear()
            if not head.is_complete:
                return
            survey.stretches.popleft()

    def _start_over(self, file: int) -> None:
        """Records share a place: the file has to be read from its beginning, by one worker."""
        known = self._files[file].archive
        shape = Shape(known.shape.packing, can_be_entered=False, bare_lines=known.shape.bare_lines)
        self._ledger.survey_again(file, shape)
        archive = Archive(known.path, known.bytes, known.changed, shape)
        self._divide(ArchiveState(file, archive, 0, is_surveyed=False))


def _first(stretch: Stretch) -> int | None:
    return next((one.first for _, one in stretch.held if one.first is not None), None)


class BatchOrder:
    """The batches of a file that can be entered go to whoever is free. Another file is one
    worker's, which reads on where it is."""

    def __init__(self, ledger: Ledger) -> None:
        self._archives = {known.id: known.archive for known in ledger.files()}
        self._waiting: dict[int, deque[BatchState]] = {}
        for batch in ledger.waiting():
            self._waiting.setdefault(batch.file, deque()).append(batch)
        self._readers: dict[int, int] = {}

    def next(self, worker: int) -> BatchState | None:
        for file, reader in self._readers.items():
            if reader == worker and file in self._waiting:
                return self._taken(file)
        for file in self._waiting:
            if self._archives[file].shape.can_be_entered:
                return self._taken(file)
            if self._readers.setdefault(file, worker) == worker:
                return self._taken(file)
        return None

    def archive(self, batch: BatchState) -> Archive:
        return self._archives[batch.file]

    def _taken(self, file: int) -> BatchState:
        batches = self._waiting[file]
        batch = batches.popleft()
        if not batches:
            del self._waiting[file]
        return batch
