"""Where does what we fetched live, and how is it found again?

In come the rows, links and raw bytes of attempts at schedules, from fetchers that may die at any
moment. Out go the segments of a run: Parquet tables of pages and links and WARC files of raw
bytes, named by one manifest that is replaced atomically; and the catalogue of all runs.

    objects      the contract with a disk or an object store, and its implementations
    schema       the columns of the page table and the link table
    warc         raw exchanges as WARC records
    staging      what one attempt at a schedule leaves behind
    segments     committed attempts, rolled into numbered, immutable files (one of them in `draft`)
    manifest     which segments there are: replacing it is what publishes
    tombstones   what has to be forgotten: every reader obeys (rows are told apart in `coverage`)
    compaction   segments written anew without it (their WARC files in `raw_files`)
    pages        the reader of a run's segments (Parquet itself is read in `tables`)
    exports      rows as one file for other programs
    catalogue    which runs there are, and how they ended (SQLite in `database`, or `postgresql`)

Not for the frontier (which URLs are still to be visited), and not for search indexes.
"""
