"""The queue server as a role: its calls, and the delivery of links to other queue servers."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping

from gossamer.crawl.calls import (
    Allowance,
    Committed,
    CommittedRequest,
    Delivery,
    Empty,
    Forfeit,
    LeaseReply,
    LeaseRequest,
    Receipt,
    Revisits,
    Rolled,
    Seeds,
    ServerStatus,
    call,
    handler,
)
from gossamer.crawl.queue_server import QueueServer
from gossamer.errors import RuntimeFault
from gossamer.records import Answer
from gossamer.runtime.contract import Handler, Peers

_BATCHES_AT_ONCE = 16
_RETRY_SECONDS = 0.5


def queue_name(number: int) -> str:
    return f"queue-{number}"


class QueueRole:
    def __init__(self, server: QueueServer, peers: Peers, on_close: Callable[[], None]) -> None:
        self._server = server
        self._peers = peers
        self._on_close = on_close
        self._stopped = False
        # Something may be in the outbox, or we are to stop.
        self._news = asyncio.Event()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {
            "seed": handler(Seeds, self._seed),
            "revisit": handler(Revisits, self._revisit),
            "allow": handler(Allowance, self._allow),
            "lease": handler(LeaseRequest, self._lease),
            "answer": handler(Answer, self._answer),
            "deliver": handler(Delivery, self._deliver),
            "forfeit": handler(Forfeit, self._forfeit),
            "committed": handler(CommittedRequest, self._committed),
            "rolled": handler(Rolled, self._rolled),
            "status": handler(Empty, self._status),
        }

    async def _seed(self, seeds: Seeds) -> Empty:
        self._server.add_seeds(seeds.links)
        return Empty()

    async def _revisit(self, revisits: Revisits) -> Empty:
        self._server.revisit(revisits)
        return Empty()

    async def _allow(self, allowance: Allowance) -> Allowance:
        return self._server.allow(allowance)

    async def _lease(self, request: LeaseRequest) -> LeaseReply:
        return self._server.lease(request)

    async def _answer(self, answer: Answer) -> Receipt:
        receipt = self._server.answer(answer)
        self._news.set()
        return receipt

    async def _deliver(self, delivery: Delivery) -> Empty:
        self._server.deliver(delivery)
        return Empty()

    async def _forfeit(self, forfeit: Forfeit) -> Empty:
        self._server.forfeit(forfeit)
        return Empty()

    async def _committed(self, request: CommittedRequest) -> Committed:
        return Committed(self._server.committed(request.after, request.most))

    async def _rolled(self, rolled: Rolled) -> Empty:
        self._server.rolled(rolled.through)
        return Empty()

    async def _status(self, _: Empty) -> ServerStatus:
        return self._server.status()

    async def run(self) -> None:
        while not self._stopped:
            self._news.clear()
            delivered = await self._deliver_outbox()
            # An owner that cannot be reached is being restarted: its batches are durable.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if delivered else _RETRY_SECONDS):
                    await self._news.wait()
        self._server.close()
        self._on_close()

    async def _deliver_outbox(self) -> bool:
        """Send all batches, the oldest first; False when one cannot be delivered now."""
        while not self._stopped and (batches := self._server.outgoing(_BATCHES_AT_ONCE)):
            for server, delivery in batches:
                try:
                    await call(self._peers.peer(queue_name(server)), "deliver", delivery, Empty)
                except RuntimeFault:
                    return False
                self._server.delivered(delivery.id, len(delivery.links))
        return True

    def stop(self) -> None:
        self._stopped = True
        self._news.set()
