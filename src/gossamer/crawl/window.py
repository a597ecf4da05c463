"""Selective repeat: which schedules are out, which have come back, and whose turn it is.

Numbers are handed out without gaps. Each is acknowledged alone; results are committed in the order
of their numbers, so a result that comes early waits. At most `size` numbers lie between the
oldest that is not committed and the next one to hand out. Plain state, made again from the
journal at every start.
"""

from collections.abc import Iterable


class SlidingWindow:
    def __init__(
        self,
        size: int,
        ordered: bool,
        next_number: int,
        out: Iterable[int] = (),
        answered: Iterable[int] = (),
    ) -> None:
        self._size = size
        self._ordered = ordered
        self._next = next_number
        self._out = set(out)
        self._answered = set(answered)
        self._base = min(self._out | self._answered, default=next_number)

    @property
    def has_room(self) -> bool:
        if not self._ordered:
            return len(self._out) < self._size
        return self._next - self._base < self._size

    @property
    def next_number(self) -> int:
        return self._next

    @property
    def out(self) -> frozenset[int]:
        return frozenset(self._out)

    @property
    def unfinished(self) -> int:
        return len(self._out) + len(self._answered)

    def open(self) -> int:
        """The number of a new schedule."""
        assert self.has_room
        number = self._next
        self._next += 1
        self._out.add(number)
        return number

    def is_out(self, number: int) -> bool:
        return number in self._out

    def answer(self, number: int) -> list[int]:
        """Note a result; return the numbers to commit now, in order."""
        self._out.discard(number)
        self._answered.add(number)
        if not self._ordered:
            return [number]
        due = []
        current = self._base
        while current in self._answered:
            due.append(current)
            current += 1
        return due

    def committed(self, number: int) -> None:
        self._answered.discard(number)
        while self._base < self._next and not (
            self._base in self._out or self._base in self._answered
        ):
            self._base += 1
