"""The runtime contract.

Calls are asynchronous and at-least-once: a caller that hears nothing asks again, so handlers are
idempotent. A call carries a request id, the epoch of the caller and a deadline; only bytes cross.
The death of a role is reported to whoever started it. Back-pressure: a role works on at most
`MAX_CALLS` calls of a peer at once, and further ones wait in the socket.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from msgspec import Struct

Handler = Callable[[bytes], Awaitable[bytes]]

MAX_CALLS = 64


class RoleSpec(Struct, frozen=True):
    """Which role to run. `factory` is 'module:function'; it is called with `settings` and `peers`
    where the role comes to live, and returns a Role."""

    name: str  # unique within a runtime: 'queue-0', 'fetcher-1'
    factory: str
    settings: bytes


class Role(Protocol):
    """Something that runs. It doesn't know where."""

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What peers may call."""
        ...

    async def run(self) -> None:
        """Work until stopped; return when done."""
        ...

    def stop(self) -> None:
        """Ask `run` to finish what it has in hand and return."""
        ...


class Peer(Protocol):
    """The other end of calls."""

    async def call(self, method: str, payload: bytes, *, seconds: float) -> bytes:
        """Raise PeerLost when the other side is gone, DeadlineExceeded when it is too slow."""
        ...


class Peers(Protocol):
    """How a role reaches the others, by name."""

    def peer(self, name: str) -> Peer: ...


RoleFactory = Callable[[bytes, Peers], Role]


class Runtime(Protocol):
    """Starts roles, and tells when one has died."""

    @property
    def peers(self) -> Peers: ...

    async def start(self, spec: RoleSpec) -> None:
        """Return when the role answers calls."""
        ...

    async def stop(self, name: str, *, seconds: float) -> None:
        """Stop a role cleanly; kill it when it takes longer."""
        ...

    def kill(self, name: str) -> None:
        """End a role at once, as a crash would."""
        ...

    async def died(self) -> str:
        """Wait for the next role that ends without being stopped; return its name."""
        ...

    async def close(self) -> None:
        """End everything that is still running."""
        ...
