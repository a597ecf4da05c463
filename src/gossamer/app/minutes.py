"""What is written down of a sitting, of whatever kind: that it began, how far it has got, how it
ended; and how a person stops it."""

import asyncio
import os
import resource
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from msgspec import Struct

from gossamer.app.home import Home
from gossamer.config import CrawlSettings
from gossamer.errors import StorageError
from gossamer.storage.catalogue import Run, RunState

_SAVE_EVERY_SECONDS = 2.0


class Report(Struct, frozen=True):
    run: str
    state: str
    reason: str
    elapsed_seconds: float
    cpu_seconds: float
    statistics: dict[str, float]
    advice: list[str]


class Stoppable(Protocol):
    @property
    def is_stopping(self) -> bool: ...

    def stop(self) -> None: ...


class Minutes:
    """Of one sitting, in the catalogue."""

    def __init__(self, home: Home, run: Run) -> None:
        self._catalogue = home.catalogue
        self._run = run
        self._saved = 0.0

    def save(self, statistics: dict[str, float], note: str) -> None:
        """How far it has got: every now and then, however often it is told."""
        if time.monotonic() - self._saved >= _SAVE_EVERY_SECONDS:
            self._saved = time.monotonic()
            state = RunState.PAUSED if note.startswith("paused") else RunState.RUNNING
            with suppress(StorageError):  # of a full disk the note tells, and it may pass
                self._catalogue.update(
                    self._run.id, statistics=statistics, state=state, reason=note
                )

    def close(
        self,
        state: RunState,
        reason: str,
        statistics: dict[str, float],
        advice: Sequence[str] = (),
    ) -> Report:
        """It has come to an end of its own."""
        self._catalogue.update(
            self._run.id,
            state=state,
            pid=0,
            ended_at=time.time(),
            reason=reason,
            statistics=statistics,
        )
        return Report(
            run=self._run.name,
            state=state.value,
            reason=reason,
            elapsed_seconds=statistics["elapsed_seconds"],
            cpu_seconds=_cpu_seconds(),
            statistics=statistics,
            advice=list(advice),
        )

    def note_failure(self, error: BaseException) -> None:
        """It has been ended."""
        state, reason = RunState.FAILED, str(error)
        if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
            state, reason = RunState.STOPPED, "stopped at once by the user"
        with suppress(StorageError):  # a full disk must not hide the error
            self._catalogue.update(
                self._run.id, state=state, pid=0, ended_at=time.time(), reason=reason
            )


@contextmanager
def minutes(home: Home, run: Run, settings: CrawlSettings) -> Iterator[Minutes]:
    """Of a sitting that begins now. One that ends with an error has failed."""
    home.folder(run.name).control.unlink(missing_ok=True)
    home.catalogue.update(
        run.id,
        state=RunState.RUNNING,
        pid=os.getpid(),
        started_at=time.time(),
        reason="",
        settings=settings.model_dump(mode="json"),
    )
    written = Minutes(home, run)
    try:
        yield written
    except BaseException as error:
        written.note_failure(error)
        raise


def report_of_finished(run: Run, again: str) -> Report:
    """Of a run that has nothing left to do. `again`: how to have it done once more."""
    return Report(
        run=run.name,
        state=run.state.value,
        reason=f"{run.reason}. {again}",
        elapsed_seconds=run.statistics.get("elapsed_seconds", 0.0),
        cpu_seconds=0.0,
        statistics=run.statistics,
        advice=[],
    )


def stop_on_signals(work: Stoppable) -> None:
    """The first Ctrl-C finishes what is in hand; the second ends at once, and loses nothing that
    was committed."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def on_signal() -> None:
        if not work.is_stopping:
            work.stop()
        elif not task.cancelling():  # a third one would interrupt the wait for the workers' end
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)


def _cpu_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(usage.ru_utime + usage.ru_stime for usage in usages), 3)
