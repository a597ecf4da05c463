"""Documents from files on their way into an index: read once, with what was found in them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from gossamer.config import STANDARD_INPUT, IndexSettings
from gossamer.errors import IndexFault, UsageError
from gossamer.index.change_sources import AppliedChanges
from gossamer.index.document_files import (
    DocumentFiles,
    FileReport,
    Scan,
)
from gossamer.index.document_source import DocumentSource
from gossamer.index.documents import LanguageOf
from gossamer.index.field_detection import Detection, FieldReport, detected_fields
from gossamer.index.fields import Fields
from gossamer.index.formats import BadRow
from gossamer.index.safety import SafetyList
from gossamer.storage.document_changes import StoredChange

_MOST_NAMES = 1_000  # of fields in a report


class LoadReport(Struct, frozen=True):
    """The result of reading files of documents."""

    files: tuple[FileReport, ...]
    documents: int
    duplicates: int  # rows that are not in the index, as their id occurs again later
    bad_lines: int  # that could not be read
    first_bad_lines: tuple[BadRow, ...]
    fields: tuple[FieldReport, ...]
    left_out_fields: dict[str, str]  # name -> why it cannot be a field
    left_out_count: int  # all of them; `left_out_fields` has the first
    unused_fields: tuple[str, ...]  # declared, but no document has them
    renamed_fields: dict[str, str] = {}  # name in the files -> name of the field, where they differ
    default_language: str = ""  # of documents that are too short to tell; '': there are none
    overruled_types: dict[str, str] = {}
    """Fields whose values are of this type by now, while the index keeps another."""


class Loaded:
    """Files of documents after the first pass over them."""

    def __init__(
        self,
        names: Sequence[str],
        files: DocumentFiles,
        scan: Scan,
        detection: Detection,
        changes: Sequence[StoredChange],
    ) -> None:
        self._files = files
        self.changes = changes
        """Stored changes of single documents, which are applied after the files."""
        self._scan = scan
        self.fields = detection.fields
        counts = [file.documents for file in scan.files]
        self.held = dict(zip(names, counts, strict=True))
        """file -> documents, as `names` call the files"""
        self.report = LoadReport(
            files=tuple(scan.files),
            documents=len(scan.versions),
            duplicates=scan.duplicates,
            bad_lines=scan.bad_lines,
            first_bad_lines=tuple(scan.first_bad_lines),
            fields=detection.reports,
            left_out_fields=dict(list(detection.left_out.items())[:_MOST_NAMES]),
            left_out_count=len(detection.left_out),
            unused_fields=detection.unused,
            renamed_fields=scan.renamed,
            overruled_types=detection.overruled,
        )

    def texts(self) -> list[str]:
        """The texts of a sample of the documents."""
        return self._scan.sample.texts()

    def source(
        self, detect: LanguageOf, unsafe: SafetyList | None = None, stamp: str = ""
    ) -> DocumentSource:
        versions = self._scan.versions
        return DocumentSource(self._files, self.fields, detect, unsafe, stamp, versions)


def located(names: Sequence[str], stored: Path) -> tuple[list[Path], list[str]]:
    """The paths of files, and what messages call them. `stored`: where the standard input is."""
    paths = [stored if name == STANDARD_INPUT else Path(name) for name in names]
    shown = ["the standard input" if name == STANDARD_INPUT else name for name in names]
    return paths, shown


def load(
    names: Sequence[str],
    stored: Path,
    settings: IndexSettings,
    known: Fields | None = None,
    *,
    keeps_types: bool = False,
    implies: bool = True,
    changes: Sequence[StoredChange] = (),
) -> Loaded:
    """Read files of documents once. `stored`: where the standard input is. `known`: the fields of
    the index so far, which it keeps where there are no documents, or with `keeps_types`. `implies`:
    as for `detected_fields`. `changes`: stored changes of single documents, whose fields count,
    too."""
    files = DocumentFiles(*located(names, stored))
    scan = files.scan(stop_at_bad_lines=settings.stop_at_bad_lines, changes=AppliedChanges(changes))
    if not scan.summaries.documents and not settings.fields:
        if known is None:
            raise UsageError(f"{files.name}: there are no documents, so no fields are known.")
        return Loaded(names, files, scan, Detection(known, (), {}, (), {}), changes)
    detection = detected_fields(
        scan.summaries,
        settings.fields,
        is_complete=settings.fields_complete and bool(settings.fields),
        decimal=settings.decimal,
        known=known if keeps_types else None,
        marks_safety=bool(settings.unsafe_list),
        implies=implies,
    )
    return Loaded(names, files, scan, detection, changes)


def refuse_emptied(
    name: str, held: Mapping[str, int], before: Mapping[str, int], allowed: bool
) -> None:
    """Raise `IndexFault` where a file has lost all its documents, unless that is `allowed`: more
    often than not, whatever writes the file has failed. `held`: file -> documents."""
    if allowed:
        return
    emptied = [file for file, count in held.items() if not count and before.get(file)]
    lost = sum(before[file] for file in emptied)
    if not emptied and not any(held.values()) and any(before.values()):
        emptied, lost = list(held), sum(before.values())
    if emptied:
        _, shown = located(emptied, Path())
        had = "1 document" if lost == 1 else f"{lost:,} documents"
        raise IndexFault(
            f"{', '.join(shown)} {'is empty; it' if len(emptied) == 1 else 'are empty; they'} "
            f"had {had} at the last build of "
            f"'{name}'. Nothing was changed. To delete them from the index, use --allow-empty."
        )
