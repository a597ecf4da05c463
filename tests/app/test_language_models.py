"""The tools, called by a real client over a real pipe."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from gossamer import __version__
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.app.language_models import mcp_server
from gossamer.app.serving import HomeEngine
from gossamer.search.contract import SearchRequest
from gossamer.search.local import LocalSearcher
from tests.cli.commands import call
from tests.server.conftest import built_home as built_home


def talk(home: Path, conversation: Callable[[Client], Coroutine[Any, Any, Any]]) -> Any:
    command = ["-m", "gossamer.cli", "mcp", "--home", str(home)]

    async def connected() -> Any:
        server = StdioServerParameters(command=sys.executable, args=command)
        async with Client(stdio_client(server)) as client:
            return await conversation(client)

    return asyncio.run(connected())


def test_a_language_model_searches_and_reads(built_home: Path) -> None:
    async def conversation(client: Client) -> None:
        assert client.server_info is not None
        assert client.server_info.name == "gossamer"
        assert client.server_info.version == __version__
        tools = await client.list_tools()
        names = [tool.name for tool in tools.tools]
        assert names == ["search", "read_document", "list_indexes"]

        found = await client.call_tool("search", {"query": "moon shines", "index": "web"})
        reply = found.structured_content
        assert (reply["partial"], reply["notes"], reply["page"]) == ("", [], 1)
        first = reply["hits"][0]
        assert first["id"].endswith("/moon")
        page = await client.call_tool("read_document", {"id": first["id"], "index": "web"})
        assert "The moon shines over the lighthouse." in page.structured_content["text"]
        assert page.structured_content["next_start"] is None
        rest = {"id": first["id"], "index": "web", "start": 4}
        later = await client.call_tool("read_document", rest)
        assert later.structured_content["text"] == page.structured_content["text"][4:]

    talk(built_home, conversation)


def test_filters_sorting_paging_and_notes(built_home: Path) -> None:
    async def conversation(client: Client) -> None:
        async def search(query: str = "kite", **arguments: Any) -> Any:
            given = {"query": query, "index": "goods", **arguments}
            return (await client.call_tool("search", given)).structured_content

        def ids(reply: Any) -> list[str]:
            return [hit["id"] for hit in reply["hits"]]

        assert sorted(ids(await search())) == ["g1", "g3"]
        assert ids(await search(filters=["brand:Wren"])) == ["g1"]
        assert ids(await search(filters=["price:15..40"])) == ["g3"]
        assert ids(await search(sort="-price")) == ["g3", "g1"]
        first, second = [await search(sort="price", limit=1, page=page) for page in (1, 2)]
        assert (ids(first), ids(second), first["total"]) == (["g1"], ["g3"], 2)
        assert (await search("kite )"))["notes"]

    talk(built_home, conversation)


def test_own_documents_are_read(built_home: Path) -> None:
    async def conversation(client: Client) -> None:
        found = await client.call_tool("read_document", {"id": "g1", "index": "goods"})
        document = found.structured_content
        assert document["id"] == "g1"
        assert document["text"].startswith("A kite for children.")
        assert document["fields"]["brand"] == "Wren"

    talk(built_home, conversation)


def test_documents_of_shards_are_read(tmp_path: Path) -> None:
    lines = [f'{{"id": "d{number}", "text": "Text number {number}."}}' for number in range(20)]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines))
    home = tmp_path / "home"
    documents = str(tmp_path / "docs.jsonl")
    ended = call("index", "build", "docs", "--documents", documents, "--shards", "3", home=home)
    assert ended.code == 0, ended.err
    with Indexes(Home(home)) as indexes:
        assert indexes.document("docs", "d7")["text"] == "Text number 7."


def test_errors_are_errors(built_home: Path) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("search", {"query": "x", "index": "nothing"}, "There is no index 'nothing'"),
        ("search", {"query": "kite", "index": "goods", "sort": "brand"}, "brand"),
        ("search", {"query": "kite", "index": "goods", "filters": ["x"]}, "FIELD:VALUE"),
        ("search", {"query": "kite", "limit": 0}, "limit"),
        ("read_document", {"id": "g9", "index": "goods"}, "has no document 'g9'"),
        ("read_document", {"id": "http://no.test/", "index": "web"}, "no stored page"),
    ]

    async def conversation(client: Client) -> None:
        for tool, arguments, message in wrong:
            reply = await client.call_tool(tool, arguments)
            assert reply.is_error
            assert message in reply.content[0].text  # type: ignore[union-attr]

    talk(built_home, conversation)


def test_a_partial_reply_says_so(built_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = LocalSearcher.search

    def cut_off(searcher: LocalSearcher, request: SearchRequest) -> Any:
        answer = searched(searcher, request)
        return msgspec.structs.replace(answer, partial="the time limit was reached")

    monkeypatch.setattr(LocalSearcher, "search", cut_off)
    engine = HomeEngine(Home(built_home))
    reply = asyncio.run(mcp_server(engine).call_tool("search", {"query": "kite", "index": "goods"}))
    engine.close()
    assert "the time limit was reached" in str(reply)
