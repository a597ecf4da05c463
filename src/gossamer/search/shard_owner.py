"""A shard's process as its owner holds it: started, asked, restarted, ended."""

import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import monotonic

from gossamer.lib.threads import refuse_thread_pools
from gossamer.search import shard_process
from gossamer.search.wire import Opening, asked, reply

_BACKLOG = 128
_PAUSE_SECONDS = 1.0  # between two starts: one that dies at once is not worth a processor
_LEAST_SECONDS = 0.01
_LOOK_SECONDS = 0.1
_MOST_LATE = 3  # answers in a row, then the process is taken for hanging
_START_SECONDS = 30.0  # so long it may take until it answers for the first time


class ShardOwner:
    """One process, and connections to it that are free."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gossamer-")
        self._listener = socket.socket(socket.AF_UNIX)
        self._path = str(Path(self._folder.name) / "shard")
        self._listener.bind(self._path)
        self._listener.listen(_BACKLOG)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = -_PAUSE_SECONDS
        self._late = 0
        self._has_answered = False  # a whole question: the first one takes it longest
        self._free: list[tuple[Opening, socket.socket]] = []
        self._is_closed = False
        self.start()

    @property
    def pid(self) -> int:
        """Of the process at this moment; 0 where there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else 0

    def start(self) -> bool:
        """See to it that there is a process; False where the last one has died just now."""
        with self._lock:
            if self._is_closed:
                return False
            if self._process is not None and self._process.poll() is None:
                return True
            if monotonic() - self._started_at < _PAUSE_SECONDS:
                return False
            self._end()
            self._started_at = monotonic()
            self._has_answered = False
            environment = dict(os.environ)
            refuse_thread_pools(environment)
            descriptor = self._listener.fileno()
            self._process = subprocess.Popen(  # noqa: S603 - it is ourselves
                [sys.executable, "-m", shard_process.__name__, str(descriptor)],
                stdin=subprocess.PIPE,
                pass_fds=(descriptor,),
                env=environment,
            )
            return True

    def connect(self, opening: Opening, deadline: float) -> socket.socket:
        """A connection on which this generation is open."""
        with self._lock:
            while self._free:
                known, connection = self._free.pop()
                if known is opening:
                    return connection
                connection.close()  # of an older set
        connection = socket.socket(socket.AF_UNIX)
        try:
            wait_until(connection, deadline)
            connection.connect(self._path)
            connection.sendall(asked(None, opening))
            reply(connection, type(None))
        except BaseException:
            connection.close()
            raise
        return connection

    def await_start(self, opening: Opening, deadline: float) -> None:
        """Return when the process answers, has died, or the deadline is over. Starting one can take
        longer than an answer may; its error is raised at the first question."""
        connection = socket.socket(socket.AF_UNIX)
        is_answered = False
        try:
            wait_until(connection, deadline)
            connection.connect(self._path)
            connection.sendall(asked(None, opening))
            while self.pid and not is_answered and monotonic() < deadline:
                is_answered = bool(select.select([connection], [], [], _LOOK_SECONDS)[0])
        except OSError:
            return
        finally:
            connection.close()

    def give_back(self, opening: Opening, connection: socket.socket) -> None:
        """It has answered all that it was asked."""
        with self._lock:
            self._late = 0
            self._has_answered = True
            if self._is_closed:
                connection.close()
            else:
                self._free.append((opening, connection))

    def was_late(self) -> None:
        """After some of these in a row, the process is replaced. One that is still starting is
        given its time: whoever is in a hurry would keep it from ever coming up."""
        with self._lock:
            if not self._has_answered and monotonic() - self._started_at < _START_SECONDS:
                return
            self._late += 1
            if self._late >= _MOST_LATE:
                self._late = 0
                self._end()

    def close(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            self._end()
        self._listener.close()
        self._folder.cleanup()

    def _end(self) -> None:
        """Of the process, and of what leads to it."""
        for _, connection in self._free:
            connection.close()
        self._free.clear()
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.kill()
            self._process.wait()
            self._process.stdin.close()
            self._process = None


def wait_until(connection: socket.socket, deadline: float) -> None:
    """Its next call waits no longer than this; what is there already is taken in any case."""
    connection.settimeout(max(_LEAST_SECONDS, deadline - monotonic()))
