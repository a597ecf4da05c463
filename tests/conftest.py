"""What tests of several folders share: the databases that a catalogue can lie in."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import empty, running_postgresql


@pytest.fixture(scope="session", autouse=True)
def declared_kernels() -> Iterator[None]:
    """Kernels are called with types that they declare: they would be compiled within a search
    otherwise, and not when Gossamer is installed."""
    yield
    kernels = sys.modules.get("gossamer.lib.kernels")
    if kernels is not None:
        undeclared = kernels.undeclared()
        assert not undeclared, f"declare these types at the kernels: {undeclared}"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL that runs for as long as the tests do."""
    with running_postgresql() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def catalogue_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/home/catalogue.db"
        return
    url: str = request.getfixturevalue("postgresql")
    yield url
    empty(url)
