import asyncio

import pytest
from msgspec import ValidationError, msgpack

from gossamer.crawl.calls import Empty, LeaseReply, LeaseRequest, Receipt, call, handler
from gossamer.records import Item, Schedule
from gossamer.runtime.contract import Handler

SCHEDULE = Schedule(0, 1, 2, 3, 10.0, 40.0, (Item("http://a.example/", -1, 2, 0),), ())


class Direct:
    """A peer whose handlers are at hand."""

    def __init__(self, **handlers: Handler) -> None:
        self._handlers = handlers
        self.seconds = 0.0

    async def call(self, method: str, payload: bytes, *, seconds: float) -> bytes:
        self.seconds = seconds
        return await self._handlers[method](payload)


def test_both_ends_of_a_call_are_typed() -> None:
    async def lease(request: LeaseRequest) -> LeaseReply:
        assert request == LeaseRequest("fetcher-0.1", 7, 2)
        return LeaseReply(SCHEDULE, 0.5)

    peer = Direct(lease=handler(LeaseRequest, lease))
    request = LeaseRequest("fetcher-0.1", 7, 2)
    reply = asyncio.run(call(peer, "lease", request, LeaseReply, 3.0))
    assert reply == LeaseReply(SCHEDULE, 0.5)
    assert peer.seconds == 3.0


def test_what_is_not_what_was_asked_for_is_refused() -> None:
    async def receive(_: Receipt) -> Empty:
        return Empty()

    handle = handler(Receipt, receive)

    async def send(payload: bytes) -> bytes:
        return await handle(payload)

    assert msgpack.decode(asyncio.run(send(msgpack.encode(Receipt(True))))) == {}
    for payload in (msgpack.encode({"accepted": "yes"}), msgpack.encode({}), msgpack.encode([1])):
        with pytest.raises(ValidationError):
            asyncio.run(send(payload))
    with pytest.raises(ValidationError):
        asyncio.run(call(Direct(x=handle), "x", Receipt(True), Receipt))
