"""What runs in the web's own process: the ports and everything behind them.

Started by `LocalWeb`; ends when its standard input does, so that no test leaves it behind.
"""

import asyncio
import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvloop

from tests.web.certificates import CertificateMaker, by_name
from tests.web.hosts import all_hosts
from tests.web.hosts.tls import EXPIRED, SELF_SIGNED, WRONG_NAME
from tests.web.hosts.tree import TreeShape
from tests.web.hosts.waiting import WaitingShape
from tests.web.message import Host
from tests.web.process import ADDRESS
from tests.web.server import Connection, Dispatcher, reset


class _Closing(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


class _Resetting(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        reset(transport)


def _bound(port: int = 0) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((ADDRESS, port))
    return listener


async def serve(
    make_hosts: Callable[[], tuple[Host, ...]],
    port: int,
    *,
    tls: bool,
    ready: Callable[[dict[str, Any]], None],
) -> None:
    """Serves until standard input ends. `ready` is told all ports once they are open."""
    loop = asyncio.get_running_loop()
    dispatcher = Dispatcher(make_hosts)
    main, encrypted, refused = _bound(port), _bound(), _bound()
    silent = _bound()
    silent.listen(1024)  # the kernel accepts; nobody ever takes the connection from it
    numbers = {
        "refused.test": refused.getsockname()[1],
        "silent.test": silent.getsockname()[1],
    }

    def listen(scheme: str, number: int) -> Callable[[], Connection]:
        return lambda: Connection(dispatcher, scheme, number)

    http_port, https_port = main.getsockname()[1], encrypted.getsockname()[1]
    servers = [await loop.create_server(listen("http", http_port), sock=main, backlog=1024)]
    odd: dict[str, type[asyncio.Protocol]] = {
        "close-at-accept.test": _Closing,
        "reset-at-accept.test": _Resetting,
    }
    for name, protocol in odd.items():
        servers.append(await loop.create_server(protocol, ADDRESS, 0))
        numbers[name] = servers[-1].sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        authority = ""
        if tls:
            maker = CertificateMaker(Path(folder))
            names = tuple(host.name for host in make_hosts())
            context = by_name(
                maker.signed("local-web", names),
                {
                    SELF_SIGNED: maker.self_signed(SELF_SIGNED),
                    WRONG_NAME: maker.signed("wrong", ("somebody-else.test",)),
                    EXPIRED: maker.signed("expired", (EXPIRED,), expired=True),
                },
            )
            authority = str(maker.authority)
            servers.append(
                await loop.create_server(listen("https", https_port), sock=encrypted, ssl=context)
            )
        ready(
            {
                "port": http_port,
                "tls_port": https_port if tls else 0,
                "authority": authority,
                "odd_ports": numbers,
                "pid": os.getpid(),
            }
        )
        await loop.run_in_executor(None, sys.stdin.buffer.read)
    for server in servers:
        server.close()


def main() -> None:
    options = json.loads(sys.argv[1])
    tree, waiting = TreeShape(**options["tree"]), WaitingShape(**options["waiting"])
    uvloop.run(
        serve(
            lambda: all_hosts(tree, waiting),
            options["port"],
            tls=options["tls"],
            ready=lambda opened: print(json.dumps(opened), flush=True),
        )
    )


if __name__ == "__main__":
    main()
