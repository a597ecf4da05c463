"""What an import knows, on disk: its files, the record of each URL that counts, what is done.

It is a journal like a queue server's, with tables of its own: counters, and the texts by which
pages that repeat others are told, are kept there. What is committed here is never done twice;
what is not is done again after a kill. Memory does not grow with the number of records.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, msgpack, structs

from gossamer.crawl.counters import Counters, count_visits
from gossamer.crawl.journal import Journal
from gossamer.crawl.repeats import Repeats
from gossamer.errors import FormatError
from gossamer.importing.archives import Broken, Shape
from gossamer.importing.tasks import REPEATED, WHOLE, Batch, Part, Repeat, Surveyed
from gossamer.records import CommittedAttempt, Visit

SERVER = 1_000_000
"""In place of a queue server's number: no crawl's watermark is ever taken for an import's."""

_VERSION = 2
_BATCH_RECORDS = 200
_PLAN_AT_ONCE = 50_000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS file(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
    bytes INTEGER NOT NULL, changed INTEGER NOT NULL, shape BLOB NOT NULL,
    surveyed INTEGER NOT NULL, is_surveyed INTEGER NOT NULL, counts BLOB NOT NULL);

-- Of each URL the record that counts. url: where it counts for a revisit, the URL of that one.
CREATE TABLE IF NOT EXISTS record(site INTEGER, key INTEGER, worth INTEGER NOT NULL,
    seconds REAL NOT NULL, file INTEGER NOT NULL, place INTEGER NOT NULL, excluded TEXT NOT NULL,
    url TEXT NOT NULL, PRIMARY KEY(site, key)) WITHOUT ROWID;

-- Records that revisits may refer to, and the revisits: until the plan is made.
CREATE TABLE IF NOT EXISTS original(file INTEGER, place INTEGER, record INTEGER NOT NULL,
    moment INTEGER NOT NULL, digest INTEGER NOT NULL, PRIMARY KEY(file, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS revisit(file INTEGER, place INTEGER, site INTEGER NOT NULL,
    key INTEGER NOT NULL, url TEXT NOT NULL, seconds REAL NOT NULL, record INTEGER NOT NULL,
    moment INTEGER NOT NULL, digest INTEGER NOT NULL, source_file INTEGER, source_place INTEGER,
    PRIMARY KEY(file, place)) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS broken(file INTEGER, place INTEGER, reason TEXT NOT NULL,
    PRIMARY KEY(file, place)) WITHOUT ROWID;

-- committed: its place in the order of the commits; staged and outcome until it is published.
CREATE TABLE IF NOT EXISTS batch(id INTEGER PRIMARY KEY, file INTEGER NOT NULL,
    first BLOB NOT NULL, last BLOB NOT NULL, records INTEGER NOT NULL, committed INTEGER,
    staged TEXT, outcome BLOB);
CREATE INDEX IF NOT EXISTS batch_committed ON batch(committed) WHERE outcome IS NOT NULL;

-- Places of records that took a process down.
CREATE TABLE IF NOT EXISTS poison(file INTEGER, place INTEGER, PRIMARY KEY(file, place))
    WITHOUT ROWID;
"""

_INDEX = (
    "CREATE INDEX IF NOT EXISTS record_place ON record(file, place, site, key) WHERE excluded = ''"
)

_KEEP_BEST = """
INSERT INTO record VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(site, key) DO UPDATE SET
    worth=excluded.worth, seconds=excluded.seconds, file=excluded.file, place=excluded.place,
    url=excluded.url
WHERE (excluded.worth, excluded.seconds, excluded.file, excluded.place)
    > (worth, seconds, file, place)
"""

_NAMES = ("record", "moment", "digest")
"""Of originals: a digest comes last, since several records may have the same."""

_FIND_ORIGINAL = """
UPDATE revisit SET (source_file, source_place) = (
    SELECT file, place FROM original WHERE original.{name} = revisit.{name}
    ORDER BY file, place LIMIT 1)
WHERE source_file IS NULL AND {name} != 0
"""


class Archive(Struct, frozen=True):
    """A file, as it was when the import began."""

    path: str
    bytes: int
    changed: int  # when, in nanoseconds since 1970
    shape: Shape


class ArchiveState(Struct, frozen=True):
    id: int
    archive: Archive
    surveyed: int  # where to go on
    is_surveyed: bool


class BatchState(Struct, frozen=True):
    id: int
    file: int
    records: int


class BrokenPlace(Struct, frozen=True):
    path: str
    place: int
    by_number: bool  # the place is the number of a record
    reason: str


class _Repeated(Struct, frozen=True):
    duplicates: dict[str, str]
    near_duplicates: dict[str, str]


_shape = msgpack.Decoder(Shape).decode
_counts = msgpack.Decoder(dict[str, int]).decode
_position = msgpack.Decoder(tuple[int, int, int]).decode
_encode = msgpack.Encoder().encode
_BEFORE_ALL = (-1, 0, 0)


class Ledger:
    def __init__(self, path: Path) -> None:
        self._journal = Journal(path)
        self._db = self._journal.db
        with self._journal.transaction(durable=True):
            self._db.execute(_SCHEMA)
            version = self._journal.get("import_version")
            if version not in (None, _VERSION):
                raise FormatError(
                    f"{path} has version {version}, this version of Gossamer reads {_VERSION}: "
                    f"import the files again with --new."
                )
            epoch = self._journal.get("epoch")
            self._epoch = (epoch if isinstance(epoch, int) else 0) + 1
            self._journal.put("epoch", self._epoch)
            self._journal.put("import_version", _VERSION)
        self._load()

    def _load(self) -> None:
        self._counters = Counters(self._journal)
        self._repeats = Repeats(self._journal, None, is_news=lambda _: False)

    def close(self) -> None:
        self._journal.close()

    # Files

    def add_files(self, archives: Sequence[Archive]) -> None:
        with self._journal.transaction(durable=True):
            self._db.executemany(
                "INSERT INTO file(path, bytes, changed, shape, surveyed, is_surveyed, counts)"
                " VALUES(?,?,?,?,0,0,?)",
                [
                    (known.path, known.bytes, known.changed, _encode(known.shape), _encode({}))
                    for known in archives
                ],
            )

    def files(self) -> list[ArchiveState]:
        rows = self._journal.rows(
            "SELECT id, path, bytes, changed, shape, surveyed, is_surveyed FROM file ORDER BY id"
        )
        return [
            ArchiveState(
                id, Archive(path, size, changed, _shape(shape)), surveyed, bool(is_surveyed)
            )
            for id, path, size, changed, shape, surveyed, is_surveyed in rows
        ]

    @property
    def broken_places(self) -> int:
        count: int = self._db.execute("SELECT count(*) FROM broken").get
        return count

    def broken(self, most: int) -> list[BrokenPlace]:
        rows = self._journal.rows(
            "SELECT path, place, shape, reason FROM broken JOIN file ON file.id = broken.file"
            " ORDER BY file, place LIMIT ?",
            (most,),
        )
        return [
            BrokenPlace(path, place, not _shape(shape).can_be_entered, reason)
            for path, place, shape, reason in rows
        ]

    # The survey

    def add_survey(self, part: Part, surveyed: Surveyed) -> None:
        """The parts of a file come in their order."""
        with self._journal.transaction(durable=False):
            self._db.executemany(
                _KEEP_BEST,
                [
                    (
                        *(one.site, one.key, one.worth, one.seconds, part.file, one.place),
                        *(one.excluded, ""),
                    )
                    for one in surveyed.found
                ],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO original VALUES(?,?,?,?,?)",
                [(part.file, one.place, *structs.astuple(one.names)) for one in surveyed.originals],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO revisit VALUES(?,?,?,?,?,?,?,?,?,NULL,NULL)",
                [
                    (
                        *(part.file, one.place, one.site, one.key, one.url, one.seconds),
                        *structs.astuple(one.names),
                    )
                    for one in surveyed.revisits
                ],
            )
            self._note_broken(part.file, surveyed.broken)
            ((blob,),) = self._journal.rows("SELECT counts FROM file WHERE id=?", (part.file,))
            counts = Counter(_counts(blob))
            counts.update(surveyed.counts)
            self._db.execute(
                "UPDATE file SET counts=?, surveyed=?, is_surveyed=? WHERE id=?",
                (
                    _encode(dict(counts)),
                    *(surveyed.next or 0, surveyed.next is None, part.file),
                ),
            )

    def _note_broken(self, file: int, places: Iterable[Broken]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO broken VALUES(?,?,?)",
            [(file, one.place, one.reason) for one in places],
        )

    def survey_again(self, file: int, shape: Shape) -> None:
        """It turned out to be packed in another way: what was noted of its places is void."""
        with self._journal.transaction(durable=False):
            self._db.execute("DELETE FROM record WHERE file=?", (file,))
            self._db.execute("DELETE FROM broken WHERE file=?", (file,))
            self._db.execute("DELETE FROM original WHERE file=?", (file,))
            self._db.execute("DELETE FROM revisit WHERE file=?", (file,))
            self._db.execute(
                "UPDATE file SET shape=?, surveyed=0, is_surveyed=0, counts=? WHERE id=?",
                (_encode(shape), _encode({}), file),
            )

    # The plan

    @property
    def is_planned(self) -> bool:
        return self._journal.get("planned") == 1

    def plan(self) -> None:
        """The records that count, in batches: after the survey, once."""
        with self._journal.transaction(durable=True):
            resolved = self._resolve_revisits()
            self._counters.add("records.resolved", resolved)
            self._db.execute(_INDEX)
            for (file,) in self._journal.rows("SELECT id FROM file ORDER BY id"):
                self._plan_file(file)
            self._count_plan()
            self._counters.save()
            self._journal.put("planned", 1)

    def _resolve_revisits(self) -> int:
        """Let revisits whose original is in the files count as records with its content; return
        how many there are."""
        if not self._journal.rows("SELECT 1 FROM revisit LIMIT 1"):
            self._db.execute("DELETE FROM original")
            return 0
        for name in _NAMES:
            self._db.execute(f"CREATE INDEX original_{name} ON original({name})")
            self._db.execute(_FIND_ORIGINAL.format(name=name))
        after = (-1, -1)
        resolved = 0
        while rows := self._journal.rows(
            "SELECT file, place, site, key, seconds, source_file, source_place, url FROM revisit"
            " WHERE source_file IS NOT NULL AND (file, place) > (?,?)"
            " ORDER BY file, place LIMIT ?",
            (*after, _PLAN_AT_ONCE),
        ):
            after = rows[-1][:2]
            resolved += len(rows)
            self._db.executemany(
                _KEEP_BEST,
                [
                    (site, key, WHOLE, seconds, source_file, source_place, "", url)
                    for _, _, site, key, seconds, source_file, source_place, url in rows
                ],
            )
        self._db.execute("DELETE FROM revisit")
        self._db.execute("DELETE FROM original")
        return resolved

    def _plan_file(self, file: int) -> None:
        after = _BEFORE_ALL
        while True:
            rows = self._journal.rows(
                "SELECT place, site, key FROM record WHERE file=? AND excluded=''"
                " AND place >= ? AND (place, site, key) > (?,?,?)"
                " ORDER BY place, site, key LIMIT ?",
                (file, after[0], *after, _PLAN_AT_ONCE),
            )
            if not rows:
                return
            groups = [rows[at : at + _BATCH_RECORDS] for at in range(0, len(rows), _BATCH_RECORDS)]
            self._db.executemany(
                "INSERT INTO batch(file, first, last, records) VALUES(?,?,?,?)",
                [(file, _encode(group[0]), _encode(group[-1]), len(group)) for group in groups],
            )
            after = rows[-1]

    def _count_plan(self) -> None:
        add = self._counters.add
        for excluded, count in self._journal.rows(
            "SELECT excluded, count(*) FROM record GROUP BY excluded"
        ):
            add("found", count)
            add("found.archive", count)
            add(f"excluded.{excluded}" if excluded else "queued", count)
        totals: Counter[str] = Counter()
        for (blob,) in self._journal.rows("SELECT counts FROM file"):
            totals.update(_counts(blob))
        ((current,),) = self._journal.rows(
            "SELECT count(*) FROM record WHERE worth != ? AND url = ''", (REPEATED,)
        )
        ((broken,),) = self._journal.rows("SELECT count(*) FROM broken")
        add("records", totals["records"])
        for name in ("other", "unaddressed", "revisit"):
            add(f"records.{name}", totals[name])
        add("records.pages", totals["pages"])
        add("records.older", totals["pages"] - current)
        add("records.broken", broken)
        add("files", len(self.files()))

    # Batches

    def waiting(self) -> list[BatchState]:
        rows = self._journal.rows(
            "SELECT id, file, records FROM batch WHERE committed IS NULL ORDER BY id"
        )
        return [BatchState(*row) for row in rows]

    def batch(self, state: BatchState, archive: Archive, attempt: int) -> Batch:
        ((first, last),) = self._journal.rows(
            "SELECT first, last FROM batch WHERE id=?", (state.id,)
        )
        first, last = _position(first), _position(last)
        rows = self._journal.rows(
            "SELECT place, url, seconds FROM record WHERE file=? AND excluded=''"
            " AND place BETWEEN ? AND ? AND (place, site, key) >= (?,?,?)"
            " AND (place, site, key) <= (?,?,?) ORDER BY place, site, key",
            (state.file, first[0], last[0], *first, *last),
        )
        poison = self._journal.rows(
            "SELECT place FROM poison WHERE file=? AND place BETWEEN ? AND ?",
            (state.file, first[0], last[0]),
        )
        return Batch(
            id=state.id,
            name=f"import-{self._epoch:06d}-{state.id:09d}-{attempt:04d}",
            path=archive.path,
            shape=archive.shape,
            places=tuple(place for place, url, _ in rows if not url),
            repeats=tuple(Repeat(*row) for row in rows if row[1]),
            isolated=tuple(place for (place,) in poison),
        )

    def note_poison(self, file: int, place: int) -> None:
        with self._journal.transaction(durable=True):
            self._db.execute("INSERT OR IGNORE INTO poison VALUES(?,?)", (file, place))
            self._counters.add("crashes")
            self._counters.save()

    def commit(self, batch: Batch, staged: bool, visits: Sequence[Visit]) -> None:
        try:
            with self._journal.transaction(durable=True):
                repeats = self._repeats.among(list(visits))
                self._count(visits)
                self._counters.add("duplicates", len(repeats.duplicates))
                self._counters.add("near_duplicates", len(repeats.near_duplicates))
                self._counters.save()
                self._db.execute(
                    "UPDATE batch SET committed=?, staged=?, outcome=? WHERE id=?",
                    (
                        *(self._counters["commits"], batch.name if staged else ""),
                        _encode(_Repeated(repeats.duplicates, repeats.near_duplicates)),
                        batch.id,
                    ),
                )
        except BaseException:
            self._load()  # what is in memory is to be true to the file
            raise

    def _count(self, visits: Sequence[Visit]) -> None:
        count_visits(self._counters, visits)
        add = self._counters.add
        add("commits")
        for visit in visits:
            add("queued", -1)
            add(f"done.{visit.outcome}")
            add("links.unfollowed", visit.links_found - visit.links_nofollow - visit.links_other)

    # Publishing

    def committed(self, after: int, most: int) -> tuple[CommittedAttempt, ...]:
        rows = self._journal.rows(
            "SELECT committed, staged, outcome FROM batch"
            " WHERE outcome IS NOT NULL AND committed>? ORDER BY committed LIMIT ?",
            (after, most),
        )
        attempts = []
        for number, staged, blob in rows:
            repeated = msgpack.decode(blob, type=_Repeated)
            attempts.append(
                CommittedAttempt(
                    SERVER,
                    number,
                    staged,
                    repeated.duplicates,
                    near_duplicates=repeated.near_duplicates,
                )
            )
        return tuple(attempts)

    def staged(self) -> list[str]:
        """The names of what is committed and not published."""
        rows = self._journal.rows("SELECT staged FROM batch WHERE outcome IS NOT NULL")
        return [staged for (staged,) in rows if staged]

    def published(self, through: int) -> None:
        with self._journal.transaction(durable=False):
            self._db.execute(
                "UPDATE batch SET staged=NULL, outcome=NULL"
                " WHERE outcome IS NOT NULL AND committed<=?",
                (through,),
            )

    @property
    def statistics(self) -> dict[str, float]:
        return dict(sorted(self._counters.values.items()))
