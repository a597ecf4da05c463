"""Private addresses are refused in every spelling, wherever they come from."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawling import crawl_here, stored_rows
from tests.web import LocalWeb
from tests.web.hosts.redirects import LOOPBACKS


@pytest.fixture(scope="module")
def web() -> Iterator[LocalWeb]:
    with LocalWeb() as running:
        yield running


def test_literal_addresses_in_every_spelling(tmp_path: Path, web: LocalWeb) -> None:
    web.refresh()
    seeds = tuple(f"http://{name}:{web.port}/{at}" for at, name in enumerate(LOOPBACKS))
    report = crawl_here(tmp_path, web, seeds=seeds, name="private", allow_private=False, retries=0)
    rows = stored_rows(tmp_path)
    assert {row["outcome"] for row in rows} == {"address_refused"}
    assert len(rows) == len(LOOPBACKS)
    assert web.log() == []
    assert any("--allow-private" in line for line in report.advice)


def test_a_name_that_leads_to_a_private_address(tmp_path: Path, web: LocalWeb) -> None:
    web.refresh()
    seeds = (web.url("status.test"), f"http://localhost:{web.port}/")
    crawl_here(tmp_path, web, seeds=seeds, name="private", allow_private=False, retries=0)
    assert {row["outcome"] for row in stored_rows(tmp_path)} == {"address_refused"}
    assert web.log() == []


@pytest.mark.parametrize("kind", ["http", "socks5h", "socks5"])
def test_a_redirect_into_a_private_network(tmp_path: Path, web: LocalWeb, kind: str) -> None:
    """The seeds are public as far as can be told: a proxy, which the user chose, asks for them."""
    web.refresh()
    seeds = tuple(f"http://redirects.test/loopback/{at}" for at in range(len(LOOPBACKS)))
    crawl_here(
        tmp_path,
        web,
        seeds=seeds,
        name="private",
        allow_private=False,
        retries=0,
        proxies=(f"{kind}://127.0.0.1:{web.port if kind == 'http' else web.socks_port}",),
        resolve={"redirects.test": "93.184.216.34"},
    )
    rows = stored_rows(tmp_path)
    assert sum(row["outcome"] == "redirect" for row in rows) == len(LOOPBACKS)
    refused = {row["url"] for row in rows if row["outcome"] == "address_refused"}
    assert refused == {row["location"] for row in rows if row["location"]}
    assert not [entry for entry in web.log() if entry.path == "/from-redirect"]


def test_a_private_name_behind_a_socks_proxy(tmp_path: Path, web: LocalWeb) -> None:
    web.refresh()
    crawl_here(
        tmp_path,
        web,
        seeds=("http://status.test/",),
        allow_private=False,
        retries=0,
        proxies=(f"socks5://127.0.0.1:{web.socks_port}",),
    )
    (row,) = stored_rows(tmp_path)
    assert (row["outcome"], row["detail"]) == (
        "address_refused",
        "robots.txt: 127.0.0.1 is not a public address",
    )
    assert web.log() == []


def test_allowed_when_the_user_says_so(tmp_path: Path, web: LocalWeb) -> None:
    web.refresh()
    crawl_here(tmp_path, web, seeds=(web.url("tls.test"),), scope="host")
    assert {row["outcome"] for row in stored_rows(tmp_path)} == {"ok"}
