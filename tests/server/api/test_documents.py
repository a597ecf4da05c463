"""Documents of an index, changed over the API."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw
import pytest
from starlette.testclient import TestClient

from gossamer.server.visitors import Role
from gossamer.storage.document_changes import CHANGES_FILE, DocumentChanges
from tests.crawling import wait_until
from tests.server.conftest import Served, living

_PATH = "/api/v1/indexes/goods/documents"


def _ids(client: TestClient, query: str) -> list[str]:
    answer = client.get("/api/v1/search", params={"q": query, "index": "goods"}).json()
    return sorted(hit["id"] for hit in answer["answer"]["hits"])


def test_a_document_is_put_patched_and_removed(served: Served) -> None:
    client = served.program(Role.EDITOR)
    url = "http://shop.test/a?b=c//d"
    path = f"{_PATH}/{quote(url, safe='')}"
    put = client.put(path, params={"wait": True}, json={"title": "Zeppelin", "price": 7})
    assert (put.status_code, put.json()["added"], put.json()["searchable"]) == (200, 1, True)
    assert _ids(client, "zeppelin") == [url]
    patched = client.patch(path, params={"wait": True}, json={"price": 8, "brand": "Oak"})
    assert patched.json()["changed"] == 1
    assert _ids(client, "price:8") == [url]
    assert client.put(path, json={"id": "other"}).status_code == 400
    assert client.put(path, content=b"[]").status_code == 400
    assert client.delete(path, params={"wait": True}).json()["removed"] == 1
    assert _ids(client, "zeppelin") == []
    for answer in (client.delete(path), client.patch(path, json={"price": 1})):
        assert (answer.status_code, answer.json()["error"]["type"]) == (404, "NothingThere")
    entries = client.get("/api/v1/indexes/goods/changes").json()["items"]
    assert [(one["id"], one["kind"]) for one in entries] == [(url, "remove")]


def test_batches(served: Served) -> None:
    client = served.program(Role.EDITOR)
    lines = b'{"id":"a","title":"Zeppelin"}\n\n{"id":"b","title":"Zeppelin"}\n{"price":1}\n'
    strict = client.put(_PATH, params={"all_or_nothing": True}, content=lines).json()
    assert (strict["added"], strict["refused"], strict["details"][0]["line"]) == (0, 1, 4)
    put = client.put(_PATH, params={"wait": True}, content=lines).json()
    assert (put["added"], put["refused"], put["details"][0]["line"]) == (2, 1, 4)
    assert _ids(client, "zeppelin") == ["a", "b"]
    patches = [{"id": "a", "price": 70}, {"id": "none", "price": 70}, {"id": "b", "price": "much"}]
    patched = client.patch(_PATH, params={"wait": True}, json=patches).json()
    assert (patched["changed"], patched["missing"], patched["misfits"]) == (2, 1, 1)
    assert _ids(client, "price:70") == ["a"]
    removed = client.post(f"{_PATH}/remove", params={"wait": True}, json=["a", "b", "c"])
    assert (removed.status_code, removed.json()["removed"], removed.json()["missing"]) == (
        200,
        2,
        1,
    )
    assert _ids(client, "zeppelin") == []
    for wrong in (b"[", b"[1"):
        answer = client.post(f"{_PATH}/remove", content=wrong)
        assert answer.status_code == 400
    refused = client.post(f"{_PATH}/remove", content=b"c\n\xff\n{}\n").json()
    assert (refused["missing"], [one["line"] for one in refused["details"]]) == (1, [1, 2, 3])
    listed = client.get(f"{_PATH}?limit=100").json()["items"]
    assert [one["id"] for one in listed] == ["g1", "g2", "g3"]
    first = client.get("/api/v1/indexes/goods/changes?limit=1").json()
    assert first["items"][0]["state"] == "applied"
    rest = client.get(f"/api/v1/indexes/goods/changes?limit=1&after={first['next']}").json()
    assert ([one["id"] for one in first["items"] + rest["items"]], rest["next"]) == (["a", "b"], "")


def test_a_number_keeps_its_digits(served: Served, home: Path) -> None:
    client = served.program(Role.EDITOR)
    body = b'{"price": 0.1000000000000000000000000001, "big": 12345678901234567890123.5}'
    for method in ("PUT", "PATCH"):
        assert client.request(method, f"{_PATH}/z", content=body).status_code == 200
        (stored,) = DocumentChanges(home / "indexes" / "goods").stored()
        assert b"0.1000000000000000000000000001" in stored.value
        assert b"12345678901234567890123.5" in stored.value


def test_a_batch_that_ends_early_has_the_report_of_what_is_stored(
    served: Served, home: Path
) -> None:
    """As on a full disk, which `tests/faults` fill: here, other changes hold the file."""
    client = served.program(Role.EDITOR)
    lines = b"".join(b'{"id":"n%d","title":"Zeppelin"}\n' % number for number in range(1_500))
    folder = home / "indexes" / "goods"
    client.put(f"{_PATH}/z", json={"title": "Zeppelin"})
    db = apsw.Connection(str(folder / CHANGES_FILE))
    db.execute(
        "CREATE TRIGGER full BEFORE INSERT ON change WHEN NEW.id = 'n1200' "
        "BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    db.close()
    answer = client.put(_PATH, content=lines)
    assert answer.status_code == 503
    error = answer.json()["error"]
    assert (error["type"], error["report"]["added"]) == ("PartlyStored", 1_000)
    assert "line 1,001 and later are not" in error["message"]
    assert "report" not in client.get("/api/v1/indexes/none").json()["error"]


def test_changes_are_applied_in_the_background(served: Served) -> None:
    client = served.program(Role.EDITOR)
    answer = client.put(f"{_PATH}/z", json={"title": "Zeppelin"}).json()
    assert (answer["added"], answer["searchable"]) == (1, False)
    wait_until(lambda: _ids(client, "zeppelin") == ["z"], "the change is searchable")


def test_a_server_applies_what_another_process_has_left(served: Served, home: Path) -> None:
    import gossamer

    with gossamer.open(home) as indexes:
        indexes.put_documents("goods", {"id": "z", "title": "Zeppelin"}, wait=False)
    with living(served) as client:
        wait_until(lambda: _ids(client, "zeppelin") == ["z"], "the change is searchable")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", f"{_PATH}/a", {}),
        ("PATCH", f"{_PATH}/a", {}),
        ("DELETE", f"{_PATH}/a", None),
        ("PUT", _PATH, []),
        ("PATCH", _PATH, []),
        ("POST", f"{_PATH}/remove", []),
        ("GET", "/api/v1/indexes/goods/changes", None),
        ("DELETE", "/api/v1/indexes/goods/changes", None),
    ],
)
def test_only_editors_change_documents(served: Served, method: str, path: str, body: Any) -> None:
    content = None if body is None else json.dumps(body).encode()
    assert served.browser().request(method, path, content=content).status_code == 401
    viewer = served.program(Role.VIEWER)
    assert viewer.request(method, path, content=content).status_code == 403


def test_pages_of_runs_are_not_changed_one_by_one(served: Served) -> None:
    client = served.program(Role.EDITOR)
    for answer in (
        client.put("/api/v1/indexes/web/documents/a", json={}),
        client.put("/api/v1/indexes/web/documents", json=[{"id": "a"}]),
        client.post("/api/v1/indexes/web/documents/remove", json=["a"]),
    ):
        assert answer.status_code == 400
        assert "is built from runs" in answer.json()["error"]["message"]
    assert client.get("/api/v1/indexes/web/changes").json()["items"] == []
    assert client.put("/api/v1/indexes/none/documents/a", json={}).status_code == 404


def test_dropping_changes_is_a_job(served: Served) -> None:
    client = served.program(Role.EDITOR)
    for name in ("z", "--all"):
        client.put(f"{_PATH}/{name}", params={"wait": True}, json={"title": "Zeppelin"})
    job = client.delete("/api/v1/indexes/goods/changes", params={"id": ["--all"]}).json()

    def is_done() -> bool:
        return bool(client.get(f"/api/v1/jobs/{job['id']}").json()["state"] == "done")

    wait_until(is_done, "the job has ended")
    assert client.get(f"/api/v1/jobs/{job['id']}").json()["result"]["dropped"] == 1
    wait_until(lambda: _ids(client, "zeppelin") == ["z"], "the document is gone")
    counts = client.get("/api/v1/indexes/goods/changes/counts").json()
    assert (counts["put"], counts["waiting"]) == (1, 0)
