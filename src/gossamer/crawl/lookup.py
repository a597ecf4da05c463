"""What a run's journals know of a URL, without disturbing the process that works on them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import apsw

from gossamer.crawl.seen import end_of
from gossamer.records import Exclusion, Outcome
from gossamer.urls import Url


def known_state(
    journals: Iterable[Path], url: Url
) -> Outcome | Exclusion | Literal["pending"] | None:
    """None: never found."""
    for path in journals:
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            row = db.execute(
                "SELECT state FROM seen WHERE site=? AND key=?", (url.site_hash, url.key)
            ).fetchone()
        finally:
            db.close()
        if row is not None:
            return end_of(int(row[0])) or "pending"
    return None
