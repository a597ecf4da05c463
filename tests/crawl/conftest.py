import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
import uvloop

from .clients import Run


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a coroutine to its end, on each kind of loop."""
    factory = uvloop.new_event_loop if request.param == "uvloop" else None

    def run_it(work: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(asyncio.wait_for(work, 20))

    return run_it
