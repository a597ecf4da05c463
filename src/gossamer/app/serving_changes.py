"""Applies stored changes of documents in the background of a server.

A request is answered when its change is on the disk. The thread applies what has gathered since, so
that many small changes share one new generation of the index.
"""

import threading
from contextlib import suppress
from time import monotonic

from gossamer.app.indexes import Indexes
from gossamer.errors import GossamerError, IndexHeld, IndexNotFound
from gossamer.server.logs import log

_LOOK_SECONDS = 30.0
"""Between looks at all indexes: for changes of another process that was killed."""
_HELD_SECONDS = 0.2
_FAILED_SECONDS = 30.0
_LONGEST_SECONDS = 300.0
_END_SECONDS = 10.0


class ChangeApplier:
    def __init__(self, indexes: Indexes) -> None:
        self._indexes = indexes
        self._changed = threading.Condition()
        self._due: dict[str, float] = {}  # name of an index -> when to apply its changes
        self._failures: dict[str, tuple[str, float]] = {}  # name -> message, pause after it
        self._look_at = 0.0
        self._is_ending = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Apply what waits in any index, and from now on what comes."""
        with self._changed:
            if self._thread is None and not self._is_ending:
                self._thread = threading.Thread(target=self._run, name="apply-changes", daemon=True)
                self._thread.start()

    def apply_soon(self, name: str) -> None:
        self.start()
        with self._changed:
            self._due[name] = 0.0
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._is_ending = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join(_END_SECONDS)

    def _run(self) -> None:
        while (name := self._next()) is not None:
            if name:
                self._apply(name)
            else:
                self._look()

    def _next(self) -> str | None:
        """The index whose changes are due; '' when it is time to look at all of them; None at the
        end."""
        with self._changed:
            while not self._is_ending:
                now = monotonic()
                for name, due in self._due.items():
                    if due <= now:
                        del self._due[name]
                        return name
                if self._look_at <= now:
                    self._look_at = now + _LOOK_SECONDS
                    return ""
                self._changed.wait(min([self._look_at, *self._due.values()]) - now)
            return None

    def _look(self) -> None:
        with suppress(GossamerError):
            for name in self._indexes.names():
                with self._changed:
                    self._due.setdefault(name, 0.0)

    def _apply(self, name: str) -> None:
        try:
            self._indexes.apply_changes(name)
        except IndexHeld:
            self._again(name, _HELD_SECONDS)
        except IndexNotFound:
            self._failures.pop(name, None)  # it was deleted
        except GossamerError as error:
            self._failed(name, str(error))
        except Exception as error:
            self._failed(name, repr(error), is_bug=True)
        else:
            self._failures.pop(name, None)

    def _failed(self, name: str, message: str, *, is_bug: bool = False) -> None:
        """Log an error once, and try again later each time that it is the same."""
        before, seconds = self._failures.get(name, ("", 0.0))
        seconds = min(2 * seconds, _LONGEST_SECONDS) if message == before else _FAILED_SECONDS
        if message != before:
            log.error(
                "The changes of index '%s' cannot be applied: %s", name, message, exc_info=is_bug
            )
        self._failures[name] = (message, seconds)
        self._again(name, seconds)

    def _again(self, name: str, seconds: float) -> None:
        with self._changed:
            self._due.setdefault(name, monotonic() + seconds)
