"""Many requests over a few connections that stay open, by a client that costs little itself."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit


class Load:
    """`asyncio.run(Load(address).run(paths, 64))`: every path once, whoever of them has time."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._place = (parts.hostname, parts.port)
        self.outcomes: Counter[str] = Counter()  # by status, or by what went wrong

    async def run(self, paths: Iterable[str], connections: int) -> None:
        waiting = iter(paths)
        await asyncio.gather(*(self._client(waiting) for _ in range(connections)))

    async def _client(self, waiting: Iterable[str]) -> None:
        reader, writer = await asyncio.open_connection(*self._place)
        try:
            for path in waiting:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                self.outcomes[await _answer(reader)] += 1
        except (OSError, EOFError, ValueError) as error:
            self.outcomes[repr(error)] += 1
        finally:
            writer.close()


async def _answer(reader: asyncio.StreamReader) -> str:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    length = next(line for line in lines if line.startswith("content-length:"))
    body = await reader.readexactly(int(length.partition(":")[2]))
    if b"</html>" not in body[-20:] and not body.startswith((b"{", b"[")):
        raise ValueError(f"cut short: {body[-50:]!r}")
    return lines[0].split()[1]
