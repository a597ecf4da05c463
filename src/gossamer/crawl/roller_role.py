"""The roller as a role: committed attempts become segments, away from everybody's event loop."""

import asyncio
from collections.abc import Callable, Mapping

from gossamer.crawl.calls import RollReply, RollRequest, handler
from gossamer.records import CommittedAttempt
from gossamer.runtime.contract import Handler

Roll = Callable[[tuple[CommittedAttempt, ...]], RollReply]

ROLLER = "roller"


class RollerRole:
    def __init__(self, roll: Roll) -> None:
        self._roll = roll
        self._stopped = asyncio.Event()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"roll": handler(RollRequest, self._handle)}

    async def _handle(self, request: RollRequest) -> RollReply:
        return self._roll(request.attempts)

    async def run(self) -> None:
        await self._stopped.wait()

    def stop(self) -> None:
        self._stopped.set()
