"""A home for documents of a test, and the sample web, crawled and indexed once for all tests."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.engine import Engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = Engine(tmp_path)
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The indexes `demo`, of the pages of the sample web, and `shop`, of the products in it."""
    path = tmp_path_factory.mktemp("sample")
    command = [sys.executable, "-m", "gossamer.cli", "--home", str(path / "home")]
    subprocess.run(
        [*command, "demo", "--no-site", "--port", "0"], check=True, capture_output=True, timeout=600
    )
    engine = Engine(path)
    yield engine
    engine.close()
