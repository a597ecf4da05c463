"""Starts jobs, and knows what has become of them, whoever started them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gossamer.errors import NothingThere, RunError
from gossamer.jobs.processes import is_alive, started_at
from gossamer.jobs.shell import EXIT_CODE, LOG, OUTPUT, STOP_SIGNALS
from gossamer.storage.jobs import JobRecord, JobRecords

_LONGEST_RESULT = 1_000_000
_NUMBERS = 1 << 31


class JobStatus(NamedTuple):
    record: JobRecord
    is_running: bool


class JobKeeper:
    def __init__(self, records: JobRecords, folder: Path) -> None:
        """`folder`: where each job has one of its own, for its log and its output."""
        self._records = records
        self._folder = folder

    def start(
        self,
        kind: str,
        subject: str,
        arguments: Sequence[str],
        by: str,
        environment: Mapping[str, str],
    ) -> JobStatus:
        """Start `gossamer ARGUMENTS --json` as a process of its own."""
        number = self._records.add(kind, subject, arguments, by)
        folder = self._of(number)
        folder.mkdir(parents=True, exist_ok=True)
        words = list(arguments)
        words.insert(words.index("--") if "--" in words else len(words), "--json")
        command = [sys.executable, "-m", "gossamer.cli", *words]
        # The process is born with what this thread holds back, and lets it through when it listens.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program, and no shell
                [sys.executable, "-m", "gossamer.jobs.shell", str(folder), "--", *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, **environment},
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._records.started(number, process.pid, started_at(process.pid))
        _forget_process(process)
        return self.status(number)

    def stop(self, number: int) -> JobStatus:
        """Ask a job to stop cleanly. Its end is seen later."""
        status = self.status(number)
        if not status.is_running:
            raise RunError(f"The job {number} has ended already.")
        os.kill(status.record.pid, signal.SIGINT)
        return status

    def status(self, number: int) -> JobStatus:
        record = self._records.record(number) if 0 < number < _NUMBERS else None
        if record is None:
            raise NothingThere(f"There is no job {number}.")
        return self._seen(record)

    def statuses(self, limit: int, before: int = 0) -> list[JobStatus]:
        return [self._seen(record) for record in self._records.records(limit, before)]

    def log(self, number: int, start: int, most: int) -> bytes:
        """What the job has written to its log since byte `start`."""
        self.status(number)
        try:
            with (self._of(number) / LOG).open("rb") as file:
                file.seek(start)
                return file.read(most)
        except FileNotFoundError:
            return b""

    def _seen(self, record: JobRecord) -> JobStatus:
        """Whoever looks first after the end of a job writes it down."""
        if record.ended_at:
            return JobStatus(record, False)
        _reap(record.pid)
        if is_alive(record.pid, record.pid_started):
            return JobStatus(record, True)
        if not record.pid and time.time() - record.created_at < 10:
            return JobStatus(record, True)  # being started at this moment
        folder = self._of(record.id)
        code = _exit_code(folder)
        if code is None:
            _tell_of_loss(folder)
        self._records.ended(record.id, time.time(), code, _result(folder))
        ended = self._records.record(record.id)
        assert ended is not None
        return JobStatus(ended, False)

    def _of(self, number: int) -> Path:
        return self._folder / str(number)


def _exit_code(folder: Path) -> int | None:
    try:
        return int((folder / EXIT_CODE).read_text())
    except FileNotFoundError:
        return None


def _tell_of_loss(folder: Path) -> None:
    """Into the log, for whoever looks there for the reason."""
    text = b"The process is gone without a word: it was killed, or the machine went down.\n"
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / LOG
    if not log.exists() or text not in log.read_bytes()[-1_000:]:
        with log.open("ab") as file:
            file.write(text)


def _result(folder: Path) -> dict[str, Any]:
    """The last line of the output, which is one JSON object; empty where there is none."""
    try:
        with (folder / OUTPUT).open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LONGEST_RESULT))
            lines = file.read().splitlines()
        return msgspec.json.decode(lines[-1], type=dict[str, Any]) if lines else {}
    except (FileNotFoundError, msgspec.DecodeError):
        return {}


def _forget_process(process: subprocess.Popen[bytes]) -> None:
    """It is meant to outlive us: Python need not worry about it."""
    process.returncode = 0


def _reap(pid: int) -> None:
    """Let the system forget a child of ours that has ended."""
    if pid <= 0:
        return  # to the system, that would mean all children
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
