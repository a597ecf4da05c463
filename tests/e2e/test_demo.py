"""The demo after a restart: its results lead somewhere, and it can be crawled again."""

import re
import socket
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from gossamer.app.home import Home
from gossamer.demo.home import remembered_port
from tests.cli.commands import gossamer
from tests.crawling import wait_until
from tests.server.sites import ServedSite

LINKS = re.compile(r'<(?:h2|h3)[^>]*><a href="(http[^"]+)"')
PICTURES = re.compile(r'<img[^>]* src="(http[^"]+)"')
PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "home"
    ended = gossamer("demo", "--no-site", home=folder)
    assert ended.code == 0, ended.err
    return folder


def asked(address: str) -> httpx.Response:
    """The answer that a browser gets, which finds every '.localhost' on this machine."""
    parts = urlsplit(unescape(address))
    assert parts.hostname is not None
    assert parts.hostname.endswith(".localhost"), address
    here = parts._replace(netloc=f"127.0.0.1:{parts.port}").geturl()
    return httpx.get(here, headers={"Host": parts.netloc}, timeout=30)


def addresses(site: ServedSite, path: str, pattern: re.Pattern[str]) -> list[str]:
    answer = site.get(path)
    assert answer.status_code == 200
    found = pattern.findall(answer.text)
    assert found, answer.text
    return found


def leads_somewhere(site: ServedSite) -> None:
    for address in addresses(site, "/search?q=lighthouse+keeper", LINKS):
        page = asked(address)
        assert (page.status_code, page.headers["content-type"][:9]) == (200, "text/html")
    for address in addresses(site, "/search?q=lantern&index=shop", LINKS):
        assert asked(address).status_code == 200
    for address in addresses(site, "/search?q=lantern&index=shop", PICTURES):
        picture = asked(address)
        assert (picture.status_code, picture.headers["content-type"][:6]) == (200, "image/")


def test_every_result_leads_somewhere(home: Path) -> None:
    with ServedSite(home) as site:
        leads_somewhere(site)
        port = remembered_port(Home(home))
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/")


def test_so_it_does_where_somebody_else_has_the_port(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", remembered_port(Home(home))))
        taken.listen()
        taken.settimeout(0)
        with ServedSite(home) as site:
            leads_somewhere(site)


def test_two_at_once(home: Path) -> None:
    with ServedSite(home, "--workers", "2") as one:
        with ServedSite(home) as other:
            leads_somewhere(other)
            leads_somewhere(one)
        leads_somewhere(one)


def test_it_is_refreshed_on_the_command_line(home: Path) -> None:
    """Nothing serves the sample web meanwhile but the crawl itself."""
    crawler = str(home / "demo" / "crawler.toml")
    report = gossamer("crawl", "--crawler", crawler, "--refresh", "--json", home=home)
    assert report.code == 0, report.err
    assert report.object["state"] == "finished"
    assert report.object["statistics"]["revisited"] > 1_500
    ended = gossamer("run", "resume", "demo-1", home=home)
    assert ended.code == 0, ended.err


@pytest.fixture
def program(home: Path) -> Callable[[ServedSite], httpx.Client]:
    """A client of the API that may crawl, but not go into private networks."""
    from gossamer.app.serving import access_of
    from gossamer.server.visitors import Role

    access = access_of(Home(home))
    if not any(account.name == "ed" for account in access.accounts.accounts()):
        access.add_account("ed", Role.EDITOR)
        access.set_password("ed", PASSWORD)
    token, _ = access.new_token("ed", "test", Role.EDITOR)

    def client(site: ServedSite) -> httpx.Client:
        return httpx.Client(
            base_url=site.address, headers={"authorization": f"Bearer {token}"}, timeout=60
        )

    return client


def test_it_is_crawled_over_the_api(
    home: Path, program: Callable[[ServedSite], httpx.Client]
) -> None:
    with ServedSite(home) as site, program(site) as client:
        order = {
            "settings": {"name": "again", "seeds": ["http://campustable.example/"]},
            "mode": "new",
        }
        job = client.post("/api/v1/runs", json=order)
        assert job.status_code == 201, job.text
        done = ended_job(client, job.json()["id"])
        assert done["state"] == "done", client.get(f"/api/v1/jobs/{done['id']}/log").text
        assert done["result"]["statistics"]["pages"] > 100
        refresh = client.post("/api/v1/runs", json={**order, "mode": "refresh"})
        assert ended_job(client, refresh.json()["id"])["state"] == "done"

        # Those hosts at their addresses, and nothing else of this machine.
        port = urlsplit(site.address).port
        seeds = [f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{remembered_port(Home(home))}/"]
        inward = client.post("/api/v1/runs", json={"settings": {"name": "x", "seeds": seeds}})
        refused = ended_job(client, inward.json()["id"])
        assert refused["state"] == "failed"
        assert not refused["result"]["statistics"].get("pages")
        for setting in ({"local_hosts": {"x.test": f"127.0.0.1:{port}"}}, {"allow_private": True}):
            given = {"settings": {"seeds": ["http://x.test/"], **setting}}
            assert client.post("/api/v1/runs", json=given).status_code == 403


def ended_job(client: httpx.Client, number: int) -> dict[str, Any]:
    def status() -> dict[str, Any]:
        found: dict[str, Any] = client.get(f"/api/v1/jobs/{number}").json()
        return found

    wait_until(lambda: status()["state"] != "running", "the job ends", 120)
    return status()
