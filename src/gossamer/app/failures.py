"""What went wrong in a run, by its causes: how often, where, which pages, and what to do."""

import re
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from gossamer.advice import EXCLUSIONS, FINE, OUTCOMES, status_remedy
from gossamer.app.home import Home
from gossamer.app.journals import journals_of
from gossamer.crawl.lookup import known_ends
from gossamer.records import Exclusion, Outcome
from gossamer.urls import host_of, site_of

if TYPE_CHECKING:
    from gossamer.storage.pages import PageStore

_EXAMPLES = 3
_SOME_HOSTS = 3
_MOST_CAUSES = 1_000
_LINKS_LOOKED_AT = 50_000
_LINKS_AT_ONCE = 5_000

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_ADDRESS = re.compile(r"\bhttps?://\S+|\[[0-9a-fA-F:.]+\]|\b[\w-]+(?:\.[\w-]+)+(?::\d+)?")
_NUMBER = re.compile(r"\d+")
_LONGEST_DETAIL = 100


class Failure(Struct, frozen=True):
    outcome: str
    status: int  # 0: no answer, or not a matter of the status
    detail: str  # what all of them have in common
    label: str
    count: int
    share: float  # of all visits
    hosts: dict[str, int]  # the ones with the most
    host_count: int
    examples: tuple[str, ...]
    advice: str


class ExcludedGroup(Struct, frozen=True):
    exclusion: str
    label: str
    count: int
    share: float  # of all addresses found
    examples: tuple[str, ...]
    advice: str


class Failures(Struct, frozen=True):
    run: str
    visited: int
    failed: int  # among the published pages
    unpublished: int  # failures that come with the next segment
    failures: list[Failure]  # the most frequent first
    found: int
    excluded: list[ExcludedGroup]


class _Cause(NamedTuple):
    outcome: str
    status: int
    detail: str


class _Tally:
    def __init__(self) -> None:
        self.hosts: Counter[str] = Counter()
        self._first: dict[str, str] = {}  # a URL of each of some hosts
        self._more: list[str] = []

    def note(self, row: dict[str, Any]) -> None:
        host = row["host"]
        if not self.hosts[host] and len(self._first) < _EXAMPLES:
            self._first[host] = row["url"]
        elif len(self._more) < _EXAMPLES:
            self._more.append(row["url"])
        self.hosts[host] += 1

    @property
    def examples(self) -> tuple[str, ...]:
        """Those of different hosts say more than more of the same."""
        return tuple([*self._first.values(), *self._more][:_EXAMPLES])


def failures(home: Home, name: str) -> Failures:
    run = home.record(name)
    statistics = run.statistics
    visited = _total(statistics, "done.")
    tallies = _tallied(home.store(run))
    found = int(statistics.get("found", 0))
    failed = sum(tally.hosts.total() for tally in tallies.values())
    counted = visited - sum(int(statistics.get(f"done.{end}", 0)) for end in FINE)
    return Failures(
        run=run.name,
        visited=visited,
        failed=failed,
        unpublished=max(0, counted - failed),
        failures=sorted(
            (_failure(cause, tally, visited) for cause, tally in tallies.items()),
            key=lambda failure: -failure.count,
        ),
        found=found,
        excluded=_excluded(home, run.name, statistics, found),
    )


def _total(statistics: dict[str, Any], prefix: str) -> int:
    return int(sum(count for name, count in statistics.items() if name.startswith(prefix)))


def _tallied(store: "PageStore") -> dict[_Cause, _Tally]:
    import pyarrow as pa
    import pyarrow.compute as pc

    from gossamer.storage.tables import rows_of

    tallies: dict[_Cause, _Tally] = {}
    fine = pa.array([end.value for end in FINE], pa.string())
    for table in store.page_tables("", ["url", "host", "outcome", "status", "detail"]):
        failed = table.filter(pc.invert(pc.is_in(table["outcome"], value_set=fine)))
        for row in rows_of(failed):
            cause = _cause_of(row)
            if cause not in tallies and len(tallies) >= _MOST_CAUSES:
                cause = cause._replace(detail="")
            tallies.setdefault(cause, _Tally()).note(row)
    return tallies


def _cause_of(row: dict[str, Any]) -> _Cause:
    is_error = row["outcome"] == Outcome.HTTP_ERROR.value
    return _Cause(row["outcome"], row["status"] if is_error else 0, _alike(row["detail"].strip()))


def _alike(detail: str) -> str:
    """What the details of a cause have in common: names and numbers differ from page to page."""
    for pattern in (_QUOTED, _ADDRESS, _NUMBER):
        detail = pattern.sub("…", detail[: 2 * _LONGEST_DETAIL])
    return detail[:_LONGEST_DETAIL]


def _failure(cause: _Cause, tally: _Tally, visited: int) -> Failure:
    outcome = Outcome(cause.outcome)
    known = OUTCOMES[outcome]
    count = tally.hosts.total()
    return Failure(
        outcome=cause.outcome,
        status=cause.status,
        detail=cause.detail,
        label=_status_text(cause.status) if cause.status else known.label,
        count=count,
        share=round(count / max(visited, count), 4),
        hosts=dict(tally.hosts.most_common(_SOME_HOSTS)),
        host_count=len(tally.hosts),
        examples=tally.examples,
        advice=status_remedy(cause.status) if cause.status else known.remedy,
    )


def _status_text(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"status {status}"


# What was left out


def _excluded(home: Home, run: str, statistics: dict[str, Any], found: int) -> list[ExcludedGroup]:
    counts = {
        reason: int(count)
        for reason in Exclusion
        if (count := statistics.get(f"excluded.{reason}", 0)) > 0
    }
    examples = _examples(home, run, set(counts))
    return [
        ExcludedGroup(
            exclusion=reason.value,
            label=EXCLUSIONS[reason].label,
            count=count,
            share=round(count / max(found, count), 4),
            examples=tuple(examples.get(reason, ())),
            advice=EXCLUSIONS[reason].remedy,
        )
        for reason, count in sorted(counts.items(), key=lambda part: -part[1])
    ]


def _examples(home: Home, run: str, wanted: set[Exclusion]) -> dict[Exclusion, list[str]]:
    """Addresses that were left out, from among the first links of the run: the journals know
    what became of an address, not what it was."""
    found: dict[Exclusion, list[str]] = {reason: [] for reason in wanted}
    journals = journals_of(home.folder(run))
    links = islice(_targets(home, run), _LINKS_LOOKED_AT)
    while some := dict(islice(links, _LINKS_AT_ONCE)):
        if all(len(urls) >= _EXAMPLES for urls in found.values()):
            break
        for slot, end in known_ends(journals, some).items():
            if isinstance(end, Exclusion) and len(found.get(end, ())) < _EXAMPLES:
                found.setdefault(end, []).append(some[slot])
    return {reason: list(dict.fromkeys(urls)) for reason, urls in found.items()}


def _targets(home: Home, run: str) -> Iterator[tuple[tuple[int, int], str]]:
    store = home.store(home.record(run))
    for table in store.link_tables("", ["target", "target_key"]):
        targets, keys = table["target"].to_pylist(), table["target_key"].to_pylist()
        for target, key in zip(targets, keys, strict=True):
            yield (site_of(host_of(target))[1], key), target
