"""Workers of an import whose page processor meets its end on certain pages."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from gossamer.extract.isolated import Limits, process_isolated
from gossamer.importing import worker
from gossamer.records import Outcome, Processed, RawPage, Unread
from gossamer.runtime.contract import Peers

MODULE = "tests.faults.poisoned_importers"
KILLS, KILLS_IN_COMPANY, RAISES, HANGS = "kills", "killscompany", "raises", "hangs"


def _is(page: RawPage, name: str) -> bool:
    return f"<title>{name}</title>".encode() in page.body


def importer_role(settings: bytes, peers: Peers) -> worker.Importer:
    importer = worker.importer_role(settings, peers)
    process_all = importer.process

    def poisoned(pages: Sequence[RawPage], at: Callable[[int], None]) -> list[Processed]:
        def reads(position: int) -> None:
            at(position)
            page = pages[position]
            if _is(page, KILLS) or _is(page, KILLS_IN_COMPANY):
                os.kill(os.getpid(), signal.SIGKILL)
            if _is(page, RAISES):
                raise ValueError("a bug of the processor")
            if _is(page, HANGS):
                time.sleep(600.0)

        return process_all(pages, reads)

    importer.process = poisoned
    return importer


async def isolated(page: RawPage, agent_name: str, limits: Limits, **how: Any) -> Processed:
    if _is(page, KILLS) or _is(page, HANGS):
        return Unread(Outcome.POISON, "killed its reader")
    return await process_isolated(page, agent_name, limits, **how)


vars(worker)["process_isolated"] = isolated
