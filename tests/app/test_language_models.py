"""The tools, asked for by a real client over a real pipe."""

import asyncio
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.server.conftest import built_home as built_home


def test_a_language_model_searches_and_reads(built_home: Path) -> None:
    command = ["-m", "gossamer.cli", "mcp", "--home", str(built_home)]

    async def talk() -> tuple[list[str], Any, Any, Any]:
        server = StdioServerParameters(command=sys.executable, args=command)
        async with Client(stdio_client(server)) as client:
            tools = await client.list_tools()
            names = [tool.name for tool in tools.tools]
            found = await client.call_tool("search", {"query": "moon shines", "index": "web"})
            first = found.structured_content["hits"][0]
            page = await client.call_tool("read_page", {"url": first["url"], "index": "web"})
            nothing = await client.call_tool("search", {"query": "x", "index": "nothing"})
            return names, found, page, nothing

    names, found, page, nothing = asyncio.run(talk())
    assert names == ["search", "read_page", "list_indexes"]
    assert found.structured_content["hits"][0]["url"].endswith("/moon")
    assert "The moon shines over the lighthouse." in page.structured_content["text"]
    assert "There is no index 'nothing'" in nothing.structured_content["error"]
