"""One crawl of a small site, for all tests that only look at its result."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.commands import AT_ONCE, Ended, call, gossamer
from tests.cli.solar import running_site


class Crawled(NamedTuple):
    home: Path
    address: str
    run: str
    ended: Ended  # how the crawl ended

    def call(self, *arguments: str) -> Ended:
        return call(*arguments, home=self.home)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with running_site() as address:
        yield address


@pytest.fixture(scope="session")
def crawled(site: str, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    home = tmp_path_factory.mktemp("crawled")
    ended = gossamer("crawl", site, "--name", "sample", *AT_ONCE, home=home)
    return Crawled(home, site, "sample-1", ended)


@pytest.fixture
def unused_port() -> Iterator[int]:
    """A port that stays taken, and where nobody answers."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
