"""Why a URL was crawled, or was not, in sentences; and what to do for the opposite.

In: what the journals, the segments and the filters know of the URL. Out: lines for people.
"""

import time
from http import HTTPStatus
from typing import Any

from msgspec import Struct

from gossamer.advice.causes import cause_of, status_remedy
from gossamer.config import CrawlSettings
from gossamer.crawl.explaining import Rule
from gossamer.crawl.lookup import HostFacts, Known, Whereabouts
from gossamer.records import Exclusion, Outcome
from gossamer.url_display import readable

_TIER = 1_000  # priorities of the order 'budget' are made of a tier and a depth
_SAME_COMMAND = "and run the same command again to continue this run"


class Facts(Struct, frozen=True, kw_only=True):
    url: str
    host: str
    run: str
    state: str  # of the run
    reason: str
    is_running: bool
    settings: CrawlSettings
    statistics: dict[str, float]
    known: Known
    row: dict[str, Any] | None  # its newest row among the published pages
    depth: int | None  # steps from a seed, where it is known
    rule: Rule | None
    scope: str  # the narrowest scope that would let it in
    links: int  # that point to it
    only_nofollow: bool  # all of these


def reasons(facts: Facts) -> list[str]:
    """What became of it, and why; the main thing first."""
    known = facts.known
    match known.whereabouts:
        case Whereabouts.NOWHERE:
            return _never_found(facts)
        case Whereabouts.QUEUED:
            return _queued(facts)
        case Whereabouts.RETRY:
            tries = known.item.tries if known.item else 0
            wait = known.until - time.time()
            when = f"in {_seconds(wait)}" if wait > 0 else "as soon as its host allows"
            times = _times(tries)
            return [
                f"It was tried {times} without success. The next try is due {when}.",
                *_run_line(facts),
            ]
        case Whereabouts.LEASED | Whereabouts.STRAGGLING:
            return _with_a_fetcher(facts)
        case Whereabouts.ANSWERED:
            end = f": {cause_of(known.end).meaning}" if known.end else ", to be tried again"
            return [
                f"It was visited{end}. The result will be committed when it is the turn of its "
                f"schedule."
            ]
        case Whereabouts.IN_TRANSIT:
            if known.end is not None:
                return [_capital(f"{cause_of(known.end).meaning}."), _ON_ITS_WAY]
            return [f"It was found. {_ON_ITS_WAY}"]
        case Whereabouts.MOVING:
            return ["It was found, and is moving between queues right now. Ask again in a second."]
        case Whereabouts.DONE:
            return _visited(facts)
        case Whereabouts.EXCLUDED:
            return _excluded(facts)


_ON_ITS_WAY = "It is on its way to the queue server that owns its site."


def _is_import(facts: Facts) -> bool:
    return not facts.settings.seeds and not facts.settings.seed_files


def _never_found(facts: Facts) -> list[str]:
    if _is_import(facts):
        links = "Pages link to it, but it" if facts.links else "It"
        lines = [f"{links} is not in the imported files: an import follows no links."]
    elif not facts.links:
        lines = ["It was never found: no crawled page links to it."]
    elif facts.only_nofollow and facts.settings.obey_robots:
        lines = ["It was found only in links marked 'nofollow', which are not followed."]
    else:
        lines = [
            "Pages link to it, but these links were not followed: the pages are marked nofollow, "
            "or 'link_scope' leaves the links out."
        ]
    queued = int(facts.statistics.get("queued", 0))
    if queued:
        are = "address is" if queued == 1 else "addresses are"
        lines.append(f"{queued:,} {are} still queued: one of these pages may link to it.")
    return lines


def _queued(facts: Facts) -> list[str]:
    known = facts.known
    place = known.place
    lines = ["It was found, and is queued."]
    if place is not None:
        before = place.before
        are = "address of its host is" if before == 1 else "addresses of its host are"
        first = f"{before:,} {are}" if before else "No other address is"
        tier = f" It is in tier {place.priority // _TIER + 1}." * (facts.settings.order == "budget")
        lines.append(f"{first} ahead of it.{tier}")
    if known.item is not None and known.item.tries:
        lines.append(f"It was tried {_times(known.item.tries)} without success.")
    if known.host is not None and facts.is_running:
        lines.append(_host_line(known.host))
    return [*lines, *_run_line(facts)]


def _host_line(host: HostFacts) -> str:
    wait = host.due - time.time()
    if host.state == "held":
        return f"A fetcher is visiting '{host.name}' right now."
    if wait > 0:
        pause = f" (its delay is {host.delay_seconds:g} s)" if host.delay_seconds else ""
        return f"The next request to '{host.name}' is allowed in {_seconds(wait)}{pause}."
    if host.hosts_before:
        return (
            f"'{host.name}' can be visited, but {host.hosts_before:,} hosts have addresses of "
            f"higher priority."
        )
    return f"'{host.name}' can be visited at once."


def _run_line(facts: Facts) -> list[str]:
    if facts.is_running:
        return []
    reason = facts.reason.rstrip(".")
    return [f"The run is {facts.state}{': ' + reason if reason else ''}."]


def _with_a_fetcher(facts: Facts) -> list[str]:
    if not facts.is_running:
        return [
            "It was being fetched when the run was interrupted, and will be fetched again.",
            *_run_line(facts),
        ]
    if not facts.known.fetcher:
        return ["It was being fetched when its fetcher died, and will be assigned again."]
    name = facts.known.fetcher.partition(".")[0]
    if facts.known.whereabouts is Whereabouts.STRAGGLING:
        return [f"'{name}' is fetching it, and is over the time of its schedule."]
    return [f"'{name}' is about to fetch it."]


def _visited(facts: Facts) -> list[str]:
    end, row = facts.known.end, facts.row
    assert isinstance(end, Outcome)
    meaning = cause_of(end).meaning
    if row is None or row["outcome"] != end.value:
        return [f"It was visited: {meaning}.", "Its page will be published with the next segment."]
    status = _status(row["status"]) if end is Outcome.HTTP_ERROR else ""
    lines = [f"It was visited: {meaning}{f' ({status})' if status else ''}."]
    if row["location"]:
        lines.append(f"It redirects to {readable(row['location'])}.")
    elif row["detail"]:
        lines.append(_capital(f"{row['detail'].rstrip('.')}."))
    if row["tries"] > 1:
        lines.append(f"It took {row['tries']} tries.")
    for column, words in (("duplicate_of", "the same"), ("near_duplicate_of", "nearly the same")):
        if row[column]:
            lines.append(f"Its text is {words} as that of {readable(row[column])}.")
    if row["canonical"] and row["canonical"] != row["url"]:
        lines.append(f"It names {readable(row['canonical'])} its canonical address.")
    return lines


def _excluded(facts: Facts) -> list[str]:
    end = facts.known.end
    assert isinstance(end, Exclusion)
    lines = [f"It was found, but excluded: {cause_of(end).meaning}."]
    settings, rule, trap = facts.settings, facts.rule, facts.known.trap
    if end is Exclusion.SCOPE:
        lines.append(f"The scope is '{settings.scope}', from {_several(settings.seeds)}.")
    elif end is Exclusion.DEPTH and facts.depth is not None:
        lines.append(f"It is {facts.depth} steps from a seed; max_depth is {settings.max_depth}.")
    elif end is Exclusion.LINK_LIMIT:
        lines.append(f"max_links_per_page is {settings.max_links_per_page:,}.")
    elif end is Exclusion.HOST_BYTES and facts.known.host is not None:
        lines.append(
            f"'{facts.host}' has sent {facts.known.host.bytes:,} bytes; max_bytes_per_host is "
            f"{settings.max_bytes_per_host:,}."
        )
    elif end is Exclusion.ROBOTS:
        lines += _robots(facts)
    elif end is Exclusion.FILTER:
        lines.append(f"The plugins are {_several(settings.plugins)}.")
    elif end.startswith("trap.") and trap is not None and trap.visited:
        lines.append(
            f"Of {trap.visited:,} addresses of its kind that were visited on '{facts.host}', "
            f"{trap.repeats:,} had no new content."
        )
    if rule is not None and rule.setting == "include":
        lines.append(f"No pattern of 'include' matches it: {rule.text}.")
    elif rule is not None and rule.setting == "exclude":
        lines.append(f"It matches this pattern of 'exclude': {rule.text}")
    elif rule is not None and rule.setting == "block_lists":
        lines.append(f"{rule.file}, line {rule.line}: {rule.text}")
    elif rule is not None and end.startswith("trap."):
        limit = f"; {rule.setting} is {getattr(settings, rule.setting)}" if rule.setting else ""
        lines.append(_capital(f"{rule.text}{limit}."))
    return lines


def _robots(facts: Facts) -> list[str]:
    rule, file = facts.rule, facts.known.robots
    if rule is not None and rule.line:
        return [f"{rule.file}, line {rule.line}: {rule.text}"]
    if file is not None and not 200 <= file.status < 300:
        why = f"status {file.status}" if file.status else file.detail or "no answer"
        return [
            f"Its robots.txt could not be fetched ({why}), so nothing is fetched from the host "
            f"for now."
        ]
    return []


# What to do


def remedies(facts: Facts) -> list[str]:
    """What to do if its owner wants the opposite."""
    known = facts.known
    match known.whereabouts:
        case Whereabouts.NOWHERE if _is_import(facts):
            return [f"To crawl it: gossamer crawl {facts.url}"]
        case Whereabouts.NOWHERE:
            lines = [f"To crawl it, add it as a seed: gossamer crawl ... {facts.url} --resume"]
            if facts.only_nofollow and facts.links:
                lines.append("To follow links marked 'nofollow', use --no-obey-robots.")
            return lines
        case Whereabouts.QUEUED | Whereabouts.RETRY:
            return _to_go_on(facts)
        case Whereabouts.LEASED | Whereabouts.STRAGGLING | Whereabouts.IN_TRANSIT:
            return (
                [] if facts.is_running else [f"Continue the run: gossamer run resume {facts.run}"]
            )
        case Whereabouts.DONE:
            return _after_visit(facts)
        case Whereabouts.EXCLUDED:
            return _to_let_in(facts)
        case _:
            return []


def _to_go_on(facts: Facts) -> list[str]:
    if facts.is_running:
        return ["Wait: it will be visited unless a limit ends the run first."]
    settings, numbers = facts.settings, facts.statistics
    reached = [
        name
        for name, value in (
            ("max_pages", numbers.get("pages", 0)),
            ("max_documents", numbers.get("documents", 0)),
            ("max_seconds", numbers.get("elapsed_seconds", 0)),
            ("max_disk_bytes", numbers.get("disk_bytes", 0)),
        )
        if 0 < getattr(settings, name) <= value
    ]
    if reached:
        return [f"Raise {' and '.join(reached)}, {_SAME_COMMAND}."]
    return [f"Continue the run: gossamer run resume {facts.run}"]


def _after_visit(facts: Facts) -> list[str]:
    end, row = facts.known.end, facts.row
    assert isinstance(end, Outcome)
    if end is Outcome.HTTP_ERROR and row is not None:
        return [status_remedy(row["status"])]
    if cause_of(end).remedy:
        return [cause_of(end).remedy]
    if end in (Outcome.OK, Outcome.LISTING):
        return [f"To remove it: gossamer forget {facts.run} --url {facts.url}"]
    return []


def _to_let_in(facts: Facts) -> list[str]:
    end = facts.known.end
    assert isinstance(end, Exclusion)
    if end is Exclusion.DEPTH and facts.depth is not None:
        return [f"Raise max_depth to {facts.depth}, {_SAME_COMMAND}."]
    if end is Exclusion.HOST_BYTES:
        return [f"Raise max_bytes_per_host, {_SAME_COMMAND}."]
    if end is Exclusion.SCOPE and facts.scope:
        return [
            f"The scope '{facts.scope}' includes it: run the command again with "
            f"--scope {facts.scope} --resume."
        ]
    return [cause_of(end).remedy]


# Words


def _several(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _seconds(number: float) -> str:
    return f"{number:.0f} s" if number < 120 else f"{number / 60:.0f} min"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
