"""Which rule keeps a URL out of a crawl: found by asking again, one rule at a time.

The filters themselves only say 'no'. Asked with a single pattern or a single line, with the others
put aside, they show which of them it was; so do the rules of a robots.txt.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, structs

from gossamer.config import CrawlSettings
from gossamer.crawl.block_lists import hosts_in
from gossamer.crawl.filters import Filters
from gossamer.crawl.patterns import Patterns
from gossamer.crawl.robots import RobotsRules
from gossamer.errors import GossamerError
from gossamer.records import Exclusion, RobotsFile
from gossamer.urls import Url

_SCOPES: tuple[str, ...] = ("prefix", "host", "domain", "anywhere")
"""From the narrowest to the widest."""

_MOST_LINES = 20_000
_IDLE_LINE = "Disallow: /:no:such:path:"
"""In place of a rule that is put aside: without any line there, two groups would become one."""


class Rule(Struct, frozen=True):
    """What decided, and where it stands."""

    setting: str = ""  # the name of the setting, where it is one
    file: str = ""
    line: int = 0
    text: str = ""


class Place(Struct, frozen=True):
    """Where a link to the URL stands: what the filters look at besides the URL."""

    page: Url
    depth: int  # of the URL, when it is reached from there


def explain_filters(settings: CrawlSettings, url: Url, exclusion: Exclusion) -> Rule | None:
    """The rule behind an exclusion that depends on the address alone; None: it cannot be told."""
    try:
        match exclusion:
            case Exclusion.PATTERN:
                return _pattern(settings, url)
            case Exclusion.BLOCKED:
                return _block_list(settings, url)
            case Exclusion.TRAP_GROWTH:
                return _growth(settings, url)
            case Exclusion.TRAP_REPETITION:
                return _repetition(url)
            case _:
                return None
    except (GossamerError, OSError, ValueError):
        return None  # a list may have gone since


def _pattern(settings: CrawlSettings, url: Url) -> Rule | None:
    if settings.include and not Patterns(settings.include, settings.seeds).match(url.href):
        return Rule(setting="include", text=", ".join(settings.include))
    for pattern in settings.exclude:
        if Patterns((pattern,), settings.seeds).match(url.href):
            return Rule(setting="exclude", text=pattern)
    return None


def _block_list(settings: CrawlSettings, url: Url) -> Rule | None:
    name = url.host if url.host.endswith("]") else url.host.partition(":")[0]
    parts = name.rstrip(".").split(".")
    domains = {".".join(parts[start:]) for start in range(len(parts))}
    for path in settings.block_lists:
        with Path(path).open(encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(lines, start=1):
                if not domains.isdisjoint(hosts_in(line)):
                    return Rule(setting="block_lists", file=path, line=number, text=line.strip())
    return None


def _growth(settings: CrawlSettings, url: Url) -> Rule:
    path, _, query = url.href.partition("?")
    parts = len([part for part in path.split("/")[3:] if part])
    if parts > settings.max_path_parts:
        return Rule(setting="max_path_parts", text=f"its path has {parts} parts")
    names = Counter(part.partition("=")[0] for part in query.split("&") if part)
    if names.total() > settings.max_parameters:
        return Rule(setting="max_parameters", text=f"it has {names.total()} parameters")
    (name, most), *_ = names.most_common(1) or [("", 0)]
    return Rule(text=f"it has {most} parameters called '{name}'")


def _repetition(url: Url) -> Rule:
    parts = Counter(part for part in url.href.partition("?")[0].split("/")[3:] if part)
    (part, most), *_ = parts.most_common(1) or [("", 0)]
    return Rule(text=f"'{part}' is {most} times in its path")


def wider_scope(settings: CrawlSettings, url: Url, places: Sequence[Place]) -> str:
    """The narrowest scope that lets the URL in; '' if none does."""
    wider = _SCOPES[_SCOPES.index(settings.scope) + 1 :] if settings.scope in _SCOPES else _SCOPES
    for scope in wider:
        try:
            filters = Filters(settings.model_copy(update={"scope": scope}))
        except (GossamerError, OSError, ValueError):
            continue
        objections = [filters.objection(url, place.page, place.depth) for place in places]
        if any(objection is not Exclusion.SCOPE for objection in objections):
            return scope
    return ""


def explain_robots(file: RobotsFile, agent: str, url: Url) -> Rule | None:
    """The line of a robots.txt that closes a URL to us; None: it is open, or it cannot be told."""
    if RobotsRules.of(file, agent).allows(url.href):
        return None
    where = f"{file.origin}/robots.txt"
    lines = file.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not file.text or len(lines) > _MOST_LINES:
        return Rule(file=where)
    closing = {number for number, line in enumerate(lines) if _would_close(file, agent, url, line)}
    # One of the lines that would close it alone does so here: it stands in the group that is meant
    # for us, and no 'Allow' goes before it. It still closes it when the others are put aside.
    suspects = sorted(closing, key=lambda number: -len(lines[number]))
    while len(suspects) > 1:
        longer, shorter = suspects[: len(suspects) // 2], suspects[len(suspects) // 2 :]
        gone = closing.difference(longer)
        rest = (_IDLE_LINE if number in gone else line for number, line in enumerate(lines))
        suspects = shorter if _opens(file, agent, url, rest) else longer
    if not suspects:
        return Rule(file=where)
    return Rule(file=where, line=suspects[0] + 1, text=lines[suspects[0]].strip())


def _would_close(file: RobotsFile, agent: str, url: Url, line: str) -> bool:
    says_something = "/" in line or "*" in line
    return says_something and not _opens(file, agent, url, ("User-agent: *", line))


def _opens(file: RobotsFile, agent: str, url: Url, lines: Iterable[str]) -> bool:
    text = "\n".join(lines)
    return RobotsRules.of(structs.replace(file, text=text), agent).allows(url.href)
