"""What was worked out before, without end to its use and with an end to its size."""

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")

_LONGEST_KEY = 32  # what is longer seldom comes again


class Generations:
    """Room for the entries of several caches.

    There are two generations. When the younger one is full it becomes the older, whose entries go
    unless they were asked for: what comes often stays, and nothing is done for it when it does.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._used = 0
        self._caches: list[Cache[object]] = []

    def cache(
        self, make: Callable[[str], Value], simplify: Callable[[str], str] = str
    ) -> "Cache[Value]":
        """A cache that shares this room. What `simplify` makes of a text has the same result."""
        cache = Cache(make, simplify, self)
        self._caches.append(cache)  # type: ignore[arg-type]
        return cache

    def entered(self) -> None:
        """One more entry was made."""
        self._used += 1
        if self._used > self._room:
            self._used = 0
            for cache in self._caches:
                cache.age()


class Cache(dict[str, Value], Generic[Value]):
    """A function of a text that remembers. `cache[text]` of a known text costs no Python code."""

    def __init__(
        self,
        make: Callable[[str], Value],
        simplify: Callable[[str], str],
        generations: Generations,
    ) -> None:
        super().__init__()
        self._make = make
        self._simplify = simplify
        self._generations = generations
        self._older: dict[str, Value] = {}

    def __missing__(self, key: str) -> Value:
        value = self._older.get(key)
        if value is None:
            simple = self._simplify(key)
            value = self._make(key) if simple == key else self[simple]
        if len(key) <= _LONGEST_KEY:
            self[key] = value
            self._generations.entered()
        return value

    def age(self) -> None:
        """Keep this generation as the older one, and begin another."""
        self._older = self.copy()
        self.clear()
