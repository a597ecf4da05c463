"""A change of a document that was acknowledged is there after its writer was killed."""

import json
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import gossamer
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.app.serving import access_of
from gossamer.client import Client
from gossamer.config import IndexSettings
from gossamer.server.visitors import Role
from gossamer.storage.document_changes import DocumentChanges
from tests.crawling import wait_until
from tests.server.sites import ServedSite

pytestmark = pytest.mark.fault
KILLS = 10
_A_KILL = 10_000  # numbers that one writer may use up


@pytest.fixture(params=[1, 2], ids=["one shard", "two shards"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / "stones.jsonl"
    lines = [{"id": str(number), "text": "amber"} for number in range(20)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with gossamer.open(tmp_path / "home") as indexes:
        settings = IndexSettings(language="en", shards=request.param)
        indexes.build("stones", (), file, settings)
    return tmp_path / "home"


def _are_found(indexes: Indexes, numbers: set[int]) -> None:
    for number in numbers:
        hits = indexes.search("stones", f"word{number}").hits
        assert [hit.id for hit in hits] == [f"d{number}"]


def test_killed_writers_lose_no_acknowledged_change(home: Path) -> None:
    rng = random.Random(3)
    acknowledged: set[int] = set()
    for kill in range(KILLS):
        command = [sys.executable, "-m", "tests.faults.document_writer", str(home)]
        writer = subprocess.Popen(
            [*command, str(kill * _A_KILL)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        acknowledged.add(int(writer.stdout.readline()))
        time.sleep(rng.random() * 0.2)
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read()
        acknowledged |= {int(line) for line in rest.splitlines(keepends=True) if line[-1] == "\n"}
        writer.wait()
        writer.stdout.close()
        stored = {one.id for one in DocumentChanges(home / "indexes" / "stones").stored()}
        assert {f"d{number}" for number in acknowledged} <= stored
    with gossamer.open(home) as indexes:
        indexes.put_documents("stones", {"id": "last", "text": "basalt"})
        _are_found(indexes, acknowledged)
        change = indexes.update("stones")
        assert (change.added, change.changed, change.deleted) == (0, 0, 0)
        assert change.stored_changes > len(acknowledged)
        _are_found(indexes, acknowledged)


def test_a_server_and_commands_change_documents_at_once(home: Path) -> None:
    """The server is killed in between; what it acknowledged, the next one applies."""
    access = access_of(Home(home))
    access.add_account("root", Role.EDITOR)
    token, _ = access.new_token("root", "tests", Role.EDITOR)
    acknowledged: set[int] = set()

    def put_by_api(address: str, first: int) -> None:
        with Client(address, token) as client:
            for number in range(first, first + 10):
                document = {"id": f"d{number}", "text": f"word{number}"}
                assert client.put_documents("stones", document, wait=False).added == 1
                acknowledged.add(number)

    def put_by_command(first: int) -> None:
        with gossamer.open(home) as indexes:
            for number in range(first, first + 10):
                document = {"id": f"d{number}", "text": f"word{number}"}
                assert indexes.put_documents("stones", document).added == 1
                acknowledged.add(number)

    with ServedSite(home, "--workers", "2") as site:
        threads = [
            threading.Thread(target=put_by_api, args=(site.address, first)) for first in (0, 100)
        ]
        threads += [threading.Thread(target=put_by_command, args=(first,)) for first in (200, 300)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with Client(site.address, token) as client:
            client.put_documents("stones", {"id": "d999", "text": "word999"}, wait=False)
            acknowledged.add(999)
            site.kill()
    assert len(acknowledged) == 41
    with ServedSite(home) as site, Client(site.address) as client:

        def is_there() -> bool:
            return not DocumentChanges(home / "indexes" / "stones").has_waiting()

        wait_until(is_there, "the changes are applied")

        def are_found() -> bool:
            totals = [client.search("stones", f"word{one}").total for one in acknowledged]
            return totals == [1] * len(acknowledged)

        wait_until(are_found, "the server finds the new documents")
    with gossamer.open(home) as indexes:
        _are_found(indexes, acknowledged)
