"""The client, against a real site."""

from pathlib import Path

import pytest

from gossamer.app.home import Home
from gossamer.app.serving import access_of
from gossamer.client import Client, SiteError
from gossamer.server.visitors import Role
from tests.server.conftest import built_home as built_home
from tests.server.conftest import home as home
from tests.server.sites import ServedSite


def test_search_read_and_work(home: Path) -> None:
    access = access_of(Home(home))
    access.add_account("root", Role.EDITOR)
    token, _ = access.new_token("root", "tests", Role.EDITOR)
    with ServedSite(home, "--default-index", "web") as site, Client(site.address, token) as client:
        hit = client.search("moon shines", limit=1).hits[0]
        assert hit.url.endswith("/moon")
        assert "lighthouse" in client.page(hit.url).text
        assert client.suggest("sta") == ["Start"]
        assert client.explain("moon", hit.url)["position"] == 1
        assert [index["name"] for index in client.indexes()] == ["goods", "web"]
        assert len(list(client.documents("goods"))) == 3
        assert [run["name"] for run in client.runs()] == ["web-1"]
        job = client.build("goods")
        assert client.wait_for(job["id"])["state"] == "done"
        assert [one["id"] for one in client.jobs()] == [job["id"]]
        with pytest.raises(SiteError, match="There is no index") as caught:
            client.search("moon", index="nothing")
        assert (caught.value.status, caught.value.kind) == (404, "IndexNotFound")
        with pytest.raises(SiteError, match="nothing to start from"):
            client.crawl({})
    with ServedSite(home) as site, Client(site.address) as client:
        with pytest.raises(SiteError) as caught:
            client.wait_for(1)
        assert caught.value.status == 401
