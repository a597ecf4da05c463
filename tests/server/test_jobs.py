"""Jobs by the API: started, watched, stopped, crashed, and found again."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from gossamer.app.home import Home
from gossamer.app.serving import access_of
from gossamer.server.visitors import Role
from tests.crawling import wait_until
from tests.server.conftest import PASSWORD
from tests.server.sites import ServedSite
from tests.small_web import Page, SmallWeb, linking


@pytest.fixture
def token(home: Path) -> str:
    access = access_of(Home(home))
    access.add_account("root", Role.ADMINISTRATOR)
    access.set_password("root", PASSWORD)
    return access.new_token("root", "tests", Role.ADMINISTRATOR)[0]


class EndlessWeb(SmallWeb):
    """Every page links to two more."""

    def answer(self, host: str, path: str) -> Page:
        number = int("0" + path.strip("/")) if path != "/robots.txt" else 0
        links = (f"/{2 * number + 1}", f"/{2 * number + 2}")
        return Page(linking(*links, title=f"{number}", text=f"The page {number}."))


@pytest.fixture
def endless() -> Iterator[EndlessWeb]:
    with EndlessWeb({"endless.test": {}}) as web:
        yield web


def crawl_of(web: SmallWeb, **more: Any) -> dict[str, Any]:
    settings = {
        "seeds": [web.url("endless.test")],
        "name": "endless",
        "resolve": {"endless.test": "127.0.0.1"},
        "allow_private": True,
        "delay_seconds": 0.02,
        "traps": False,
        "fetchers": 1,
        **more,
    }
    return {"settings": settings}


def client_of(site: ServedSite, token: str) -> httpx.Client:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"{site.address}/api/v1", headers=headers, timeout=60)


def events_of(client: httpx.Client, path: str) -> list[tuple[str, Any]]:
    """All of them, until the server says that it is over."""
    with client.stream("GET", path) as stream:
        text = "".join(stream.iter_text())
    found = [block.split("\n") for block in text.strip().split("\n\n") if block[0] != ":"]
    return [
        (lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: ")))
        for lines in found
    ]


def test_a_crawl_and_an_index_of_it(home: Path, token: str, endless: EndlessWeb) -> None:
    with ServedSite(home) as site, closing(client_of(site, token)) as client:
        job = client.post("/runs", json=crawl_of(endless, max_pages=5)).json()
        assert (job["kind"], job["subject"], job["state"]) == ("crawl", "endless", "running")
        events = events_of(client, f"/jobs/{job['id']}/events")
        assert events[-1][0] == "job"
        assert events[-1][1]["state"] == "done"
        assert events[-1][1]["result"]["run"] == "endless-1"
        assert client.get("/runs/endless-1").json()["statistics"]["pages"] == 5
        runs = events_of(client, "/runs/endless-1/events")
        assert [(name, run["state"]) for name, run in runs] == [("run", "finished")]
        damping = {"runs": ["endless-1"], "settings": {"damping": 3}}
        assert client.post("/ranks", json={"runs": []}).status_code == 400
        assert client.post("/ranks", json=damping).status_code == 400
        assert client.post("/ranks", json={"runs": ["nobody-1"]}).status_code == 404
        order = {"runs": ["endless-1"], "settings": {"damping": 0.5}}
        ranking = client.post("/ranks", json=order).json()
        assert (ranking["kind"], ranking["subject"]) == ("rank", "endless-1")
        ranked = events_of(client, f"/jobs/{ranking['id']}/events")[-1][1]
        assert ranked["state"] == "done"
        assert ranked["result"]["crawled"] == 5
        built = client.post("/indexes/fresh/build", json={"runs": ["endless-1"]}).json()
        assert events_of(client, f"/jobs/{built['id']}/events")[-1][1]["state"] == "done"
        found = client.get("/search", params={"index": "fresh", "q": "page"}).json()
        assert found["answer"]["total"] > 0
        updated = client.post("/indexes/fresh/build", json={}).json()
        assert updated["kind"] == "index update"
        assert events_of(client, f"/jobs/{updated['id']}/events")[-1][1]["state"] == "done"
        actions = [entry["action"] for entry in client.get("/audit").json()["items"]]
        assert actions == ["index update", "index build", "ranking started", "crawl started"]
        builds: list[tuple[dict[str, Any], dict[str, Any]]] = [
            ({"settings": {"k": 1.5}}, {"k": 1.5}),
            ({}, {"k": 1.5}),
            ({"reset": True}, {}),
        ]
        for body, kept in builds:
            order = {"runs": ["endless-1"], **body}
            again = client.post("/indexes/fresh/build", json=order).json()
            assert events_of(client, f"/jobs/{again['id']}/events")[-1][1]["state"] == "done"
            assert client.get("/indexes/fresh/settings").json()["settings"] == kept


def test_a_job_outlives_the_server_and_is_found_again(
    home: Path, token: str, endless: EndlessWeb
) -> None:
    with ServedSite(home) as site, closing(client_of(site, token)) as client:
        job = client.post("/runs", json=crawl_of(endless)).json()
        wait_until(lambda: "endless-1" in client.get("/runs").text, "the run has begun")
        site.kill()
    with ServedSite(home) as site, closing(client_of(site, token)) as client:
        assert client.get(f"/jobs/{job['id']}").json()["state"] == "running"
        wait_until(
            lambda: client.get("/runs/endless-1").json()["statistics"].get("pages", 0) > 0, "pages"
        )
        assert "endless" in site.get("/metrics").text
        assert client.post(f"/jobs/{job['id']}/stop").status_code == 201
        ended = events_of(client, f"/jobs/{job['id']}/events")[-1][1]
        assert (ended["state"], ended["result"]["state"]) == ("done", "stopped")
        assert client.post(f"/jobs/{job['id']}/stop").status_code == 409


def test_a_run_is_stopped_by_its_name(home: Path, token: str, endless: EndlessWeb) -> None:
    with ServedSite(home) as site, closing(client_of(site, token)) as client:
        job = client.post("/runs", json=crawl_of(endless)).json()
        wait_until(
            lambda: client.post("/runs/endless-1/stop").status_code == 201, "the run is stopped"
        )
        assert events_of(client, f"/jobs/{job['id']}/events")[-1][1]["state"] == "done"
        assert client.get("/runs/endless-1").json()["state"] == "stopped"


def test_a_crash_shows_in_state_and_log_and_the_server_lives(
    home: Path, token: str, endless: EndlessWeb
) -> None:
    with ServedSite(home) as site, closing(client_of(site, token)) as client:
        job = client.post("/runs", json=crawl_of(endless)).json()
        wait_until(lambda: "endless-1" in client.get("/runs").text, "the run has begun")
        os.killpg(job["pid"], signal.SIGKILL)
        events = events_of(client, f"/jobs/{job['id']}/events")
        assert events[-1][1]["state"] == "killed"
        wrong = crawl_of(endless, name="gone", seeds=["http://127.0.0.1:1/"], retries=0)
        failed = client.post("/runs", json=wrong).json()
        events = events_of(client, f"/jobs/{failed['id']}/events")
        assert events[-1][1]["state"] == "failed"
        assert events[-1][1]["exit_code"] == 1
        assert client.get("/about").status_code == 200
        states = {one["id"]: one["state"] for one in client.get("/jobs").json()["items"]}
        assert states == {job["id"]: "killed", failed["id"]: "failed"}
