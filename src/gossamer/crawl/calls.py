"""The calls that roles make to a queue server, and their typed ends."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from msgspec import Struct, msgpack

from gossamer.records import CommittedAttempt, Item, Link, Schedule
from gossamer.runtime.contract import Handler, Peer

CALL_SECONDS = 60.0


class LeaseRequest(Struct, frozen=True):
    fetcher: str
    request: int  # asked again with the same number, the same schedule is the answer
    stragglers: int  # requests of this fetcher that outlived their schedules


class LeaseReply(Struct, frozen=True):
    schedule: Schedule | None
    wait_seconds: float = 0.0  # when nothing is to be had: how long not to ask


class Receipt(Struct, frozen=True):
    accepted: bool  # false: another attempt has won, or the lease is forgotten


class Delivery(Struct, frozen=True):
    """Links for another queue server's partitions. `id` grows, so a repeat is recognised."""

    sender: int
    id: int
    links: tuple[Link, ...]


class Forfeit(Struct, frozen=True):
    """A fetcher is gone. `processing`: the (site, key) that it was at when it died."""

    fetcher: str
    processing: tuple[tuple[int, int], ...]


class Allowance(Struct, frozen=True):
    """How many pages and documents this server may have in all; None: as many as it likes."""

    pages: int | None
    documents: int | None
    paused: bool
    revisits_alone: bool = False  # nothing that was never visited


class ServerStatus(Struct, frozen=True):
    counters: dict[str, float]
    hosts_waiting: int
    schedules_out: int
    idle: bool  # nothing queued, out, or in transit
    starved: bool  # there is work, and the allowance is used up
    activity: int  # changes whenever anything was committed or delivered
    committed: int  # the last commit that can be rolled
    round: int  # how often all pages were asked to be visited again
    revisiting: bool = False  # some of these are still to be visited


class CommittedRequest(Struct, frozen=True):
    after: int
    most: int


class Empty(Struct, frozen=True):
    pass


Request = TypeVar("Request", bound=Struct)
Reply = TypeVar("Reply", bound=Struct)


def handler(request: type[Request], method: Callable[[Request], Awaitable[Any]]) -> Handler:
    decode = msgpack.Decoder(request).decode
    encode = msgpack.Encoder().encode

    async def handle(payload: bytes) -> bytes:
        return encode(await method(decode(payload)))

    return handle


async def call(
    peer: Peer, method: str, request: Struct, reply: type[Reply], seconds: float = CALL_SECONDS
) -> Reply:
    payload = await peer.call(method, msgpack.encode(request), seconds=seconds)
    return msgpack.decode(payload, type=reply)


class Committed(Struct, frozen=True):
    attempts: tuple[CommittedAttempt, ...]


class Seeds(Struct, frozen=True):
    links: tuple[Link, ...]


class Revisits(Struct, frozen=True):
    """Pages of a server to visit again in a new round. They count when the last batch is there:
    after a fault, the whole is sent again from the first."""

    round: int
    pages: tuple[Item, ...]
    is_first: bool
    is_last: bool


class Rolled(Struct, frozen=True):
    """Everything committed up to here is in segments."""

    through: int


class RollRequest(Struct, frozen=True):
    attempts: tuple[CommittedAttempt, ...]


class RollReply(Struct, frozen=True):
    """What the segments hold by now."""

    segments: int
    pages: int
    links: int
    bytes: int
    watermarks: dict[int, int]  # the last commit of each queue server that is in segments
