import asyncio
import ssl
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop

from .clients import Run
from .odd_server import make_certificate


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a coroutine to its end, on each kind of loop."""
    factory = uvloop.new_event_loop if request.param == "uvloop" else None

    def run_it(work: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(asyncio.wait_for(work, 20))

    return run_it


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("tls"), "secure.test")


@pytest.fixture
def tls(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context
