"""The client, against a real site."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gossamer
from gossamer.app.home import Home
from gossamer.app.serving import access_of
from gossamer.client import Client, SiteError
from gossamer.errors import UsageError
from gossamer.server.visitors import Role
from gossamer.storage.document_changes import DocumentChanges
from tests.server.conftest import built_home as built_home
from tests.server.conftest import home as home
from tests.server.sites import ServedSite


def test_search_read_and_work(home: Path) -> None:
    access = access_of(Home(home))
    access.add_account("root", Role.EDITOR)
    token, _ = access.new_token("root", "tests", Role.EDITOR)
    with ServedSite(home, "--default-index", "web") as site, Client(site.address, token) as client:
        hit = client.search("", "moon shines", limit=1).hits[0]
        assert hit.url.endswith("/moon")
        assert "lighthouse" in client.page("", hit.url).text
        assert client.suggest("", "sta") == ["Start"]
        assert client.explain("web", "moon", hit.url)["position"] == 1
        assert [index["name"] for index in client.indexes()] == ["goods", "web"]
        assert len(list(client.documents("goods"))) == 3
        assert [run["name"] for run in client.runs()] == ["web-1"]
        job = client.build("goods")
        assert client.wait_for(job["id"])["state"] == "done"
        assert [one["id"] for one in client.jobs()] == [job["id"]]
        with pytest.raises(SiteError, match="There is no index") as caught:
            client.search("nothing", "moon")
        assert (caught.value.status, caught.value.kind) == (404, "IndexNotFound")
        with pytest.raises(SiteError, match="nothing to start from"):
            client.crawl({})
    with ServedSite(home) as site, Client(site.address) as client:
        with pytest.raises(SiteError) as caught:
            client.wait_for(1)
        assert caught.value.status == 401


def test_the_client_takes_the_arguments_of_a_home(home: Path) -> None:
    access = access_of(Home(home))
    access.add_account("root", Role.EDITOR)
    token, _ = access.new_token("root", "tests", Role.EDITOR)
    options: list[dict[str, Any]] = [
        {"limit": 1, "page": 2},
        {"sort": "-price", "group": False},
        {"filters": {"price": "10..20", "brand": "Wren"}, "facets": ["brand"]},
        {"filters": {"brand": ["Wren", "Oak|Elm", ' "x" ']}, "group": False},
        {"filters": [("brand", "Wr*"), ("price", "10..20|1..2"), ("price", 15)], "group": False},
        {"filters": [("brand", '"Wr*"')]},
        {"explain": True, "summary": True, "profile": "bm25f"},
        {"k": 2.0, "b": 0.1, "boost": "log(1 + price)", "weighted_words": {"kite": 2.0}},
        {"field_weights": {"title": 5.0}, "all_words": True, "safe": True},
        {"plain": True, "deadline_seconds": 3.0},
    ]
    wrong: list[dict[str, Any]] = [
        {"limti": 1},
        {"limit": "many"},
        {"limit": 0},
        {"page": -1},
        {"filters": ["brand"]},
        {"filters": ["ab"]},
        {"filters": "brand=Wren"},
        {"filters": 5},
        {"filters": [(1, 2)]},
        {"facets": "brand"},
        {"deadline_seconds": 0},
    ]
    with (
        gossamer.open(home) as indexes,
        ServedSite(home) as site,
        Client(site.address, token) as client,
    ):
        for given in options:
            ours = indexes.search("goods", "kite children", **given)
            theirs = client.search("goods", "kite children", **given)
            assert [hit.id for hit in theirs.hits] == [hit.id for hit in ours.hits], given
            explained = msgspec.json.decode(msgspec.json.encode([hit.explain for hit in ours.hits]))
            assert [hit.explain for hit in theirs.hits] == explained
            assert (theirs.total, theirs.facets) == (ours.total, ours.facets)
            assert (theirs.limit, theirs.page) == (ours.limit, ours.page)
        for given in wrong:
            for search in (indexes.search, client.search):
                with pytest.raises(UsageError, match=next(iter(given))):
                    search("goods", "kite", **given)
        with pytest.raises(UsageError, match="query"):
            indexes.search("goods", 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["home", "client"])
def test_documents_are_changed_by_the_same_methods(home: Path, kind: str) -> None:
    access = access_of(Home(home))
    access.add_account("root", Role.EDITOR)
    token, _ = access.new_token("root", "tests", Role.EDITOR)
    with (
        gossamer.open(home) as indexes,
        ServedSite(home) as site,
        Client(site.address, token) as client,
    ):
        where: Any = indexes if kind == "home" else client
        many = [{"id": f"m{number}", "title": "zeppelin " * 20_000} for number in range(5)]
        report = where.put_documents("goods", [*many, b'{"price": 1}'])
        assert (report.added, report.refused, report.searchable) == (5, 1, True)
        assert report.details[0].line == 6
        assert where.search("goods", "zeppelin", group=False).total == 5
        report = where.patch_documents("goods", {"id": "m1", "price": 77})
        assert report.changed == 1
        assert [hit.id for hit in where.search("goods", "price:77").hits] == ["m1"]
        report = where.put_documents("goods", [{"id": "n"}, b"{"], all_or_nothing=True)
        assert (report.stored, report.refused) == (0, 1)
        report = where.remove_documents("goods", ["m1", "m2", "n"])
        assert (report.removed, report.missing) == (2, 1)
        assert where.remove_documents("goods", "m3").removed == 1
        assert where.put_documents("goods", []).stored == 0
        assert where.search("goods", "zeppelin", group=False).total == 2
        stored = list(where.stored_changes("goods"))
        assert [one.id for one in stored] == ["m0", "m4", "m1", "m2", "m3"]
        rest = where.stored_changes("goods", after=stored[2].sequence)
        assert [one.id for one in rest] == ["m2", "m3"]
        assert (where.change_counts("goods").put, where.change_counts("goods").remove) == (2, 3)
        assert where.remove_documents("goods", ["\udcff", 5]).refused == 1
        for ids, left in ((["m2", "m3"], 3), (None, 0)):
            job = where.drop_changes("goods", ids)
            if kind == "client":
                assert client.wait_for(job["id"])["state"] == "done"
            assert where.change_counts("goods").all == left
        for no_id in (None, 3.5, True, b"m1", {"id": "m1"}, [None], [["m1"]]):
            with pytest.raises(UsageError, match="An id is text or a whole number"):
                where.remove_documents("goods", no_id)
        for wrong in ('{"id":"q"}', bytearray(b"{}"), None, 5):
            with pytest.raises(UsageError, match="mapping or JSON as bytes"):
                where.put_documents("goods", wrong)
        assert where.put_documents("goods", b'{"id": "q"}').added == 1
        report = where.put_documents("goods", [{"id": object()}, {"id": "o"}])
        assert (report.added, report.refused, report.details[0].line) == (1, 1, 1)


def test_a_document_that_no_request_takes_is_refused_by_its_name(home: Path) -> None:
    access = access_of(Home(home))
    access.add_account("root", Role.EDITOR)
    token, _ = access.new_token("root", "tests", Role.EDITOR)
    documents = [{"id": "a1", "title": "a"}, {"id": "a2", "text": "x" * 2_000_000}, {"id": "a3"}]
    with ServedSite(home) as site, Client(site.address, token) as client:
        report = client.put_documents("goods", documents)
        assert (report.added, report.refused) == (2, 1)
        (detail,) = report.details
        assert (detail.line, detail.id, detail.kind) == (2, "a2", "refused")
        assert "at most 1,000,000 bytes" in detail.message


def test_a_batch_that_ends_early_has_the_report_of_what_is_stored(home: Path) -> None:
    access = access_of(Home(home))
    access.add_account("root", Role.EDITOR)
    token, _ = access.new_token("root", "tests", Role.EDITOR)
    with ServedSite(home) as site, Client(site.address, token) as client:
        with pytest.raises(UsageError, match="name of the index is missing"):
            client.put_documents("", {"id": "a"})

        def documents(is_wrong: bool) -> Iterator[dict[str, Any]]:
            for number in range(10):
                yield {"id": f"m{number}", "title": "zeppelin " * 20_000}
            if is_wrong:
                raise ValueError("own")
            site.kill()
            for number in range(10):
                yield {"id": f"n{number}", "title": "zeppelin " * 20_000}

        with pytest.raises(ValueError, match="own") as wrong:
            client.put_documents("goods", documents(is_wrong=True), wait=False)
        assert "changes are stored" in wrong.value.__notes__[0]
        with pytest.raises(SiteError, match=r"does not answer.*changes are stored") as caught:
            client.put_documents("goods", documents(is_wrong=False))
        report = caught.value.report
        assert report is not None
        stored = DocumentChanges(home / "indexes" / "goods").count()
        assert report.stored == stored > 0


def test_the_client_imports_no_engine() -> None:
    program = "import sys, gossamer.client; print(*sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    heavy = {"numpy", "apsw", "tantivy", "numba", "pyarrow", "cchardet", "gossamer.index"}
    assert not heavy.intersection(ended.stdout.split())
