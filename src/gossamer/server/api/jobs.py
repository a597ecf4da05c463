"""Jobs: what is being done outside of the web process, and how it went."""

from typing import Annotated

from msgspec import Meta, Struct

from gossamer.server.api.calls import CallTable, Events, Listing
from gossamer.server.api.indexes import PartQuery, start_of
from gossamer.server.asking import Ask
from gossamer.server.contract import Job, JobState
from gossamer.server.events import Event, News, stream
from gossamer.server.visitors import Role

CALLS = CallTable()


@CALLS.add("GET", "/jobs", role=Role.VIEWER)
def list_jobs(ask: Ask, query: PartQuery) -> Listing[Job]:
    """All jobs, the newest first."""
    jobs = ask.site.jobs.jobs(query.limit + 1, start_of(query))
    part = tuple(jobs[: query.limit])
    return Listing(part, str(part[-1].id) if len(jobs) > len(part) else "")


@CALLS.add("GET", "/jobs/{job}", role=Role.VIEWER)
def show_job(ask: Ask, job: int) -> Job:
    """One job: state, and what it said at its end."""
    return ask.site.jobs.job(job)


class LogQuery(Struct, frozen=True, forbid_unknown_fields=True):
    start: Annotated[int, Meta(ge=0, le=1 << 60, description="From this byte on.")] = 0


class JobLog(Struct, frozen=True):
    text: str
    end: int  # the byte to go on from


@CALLS.add("GET", "/jobs/{job}/log", role=Role.VIEWER)
def show_job_log(ask: Ask, job: int, query: LogQuery) -> JobLog:
    """What a job has written to its log."""
    found = ask.site.jobs.log(job, query.start)
    return JobLog(found.decode("utf-8", "replace"), query.start + len(found))


@CALLS.add("POST", "/jobs/{job}/stop", role=Role.EDITOR)
def stop_job(ask: Ask, job: int) -> Job:
    """Ask a job to stop cleanly."""
    found = ask.site.jobs.stop(job)
    ask.note("job stopped", str(job), kind=found.kind, of=found.subject)
    return found


@CALLS.add("GET", "/jobs/{job}/events", role=Role.VIEWER)
def watch_job(ask: Ask, job: int) -> Events:
    """Lines of its log ('log') and its states ('job') as events, until it has ended."""
    jobs = ask.site.jobs
    jobs.job(job)
    last: Job | None = None
    read = 0

    def look() -> News:
        nonlocal last, read
        now = jobs.job(job)  # before the log: an ended job writes no more
        text = jobs.log(job, read)
        whole = text if now.state is not JobState.RUNNING else text[: text.rfind(b"\n") + 1]
        read += len(whole)
        lines = whole.decode("utf-8", "replace").splitlines()
        events = [Event("log", line) for line in lines]
        if now != last:
            events.append(Event("job", now))
        last = now
        return News(events, now.state is not JobState.RUNNING)

    return Events(stream(look))
