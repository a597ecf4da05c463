"""What runs in the web's own process: the ports and everything behind them.

Started by `LocalWeb`; ends when its standard input does, so that no test leaves it behind.
"""

import asyncio
import contextlib
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
from tests.web.http2 import ALPN, Http2Connection, hosts_over_http2
from tests.web.message import Host
from tests.web.process import ADDRESS, hosts_made_by
from tests.web.server import Connection, Dispatcher, reset
from tests.web.socks import SocksProxy, socks_proxy


class _Closing(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


class _Resetting(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        reset(transport)


class _Negotiated(asyncio.Protocol):
    """What speaks once TLS has settled in which version."""

    def __init__(self, dispatcher: Dispatcher, port: int) -> None:
        self._dispatcher = dispatcher
        self._port = port

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        dispatcher, port = self._dispatcher, self._port
        chosen: asyncio.Protocol
        if transport.get_extra_info("ssl_object").selected_alpn_protocol() == ALPN:
            dispatcher.connections += 1
            chosen = Http2Connection(hosts_over_http2(dispatcher, dispatcher.connections, port))
        else:
            chosen = Connection(dispatcher, "https", port)
        transport.set_protocol(chosen)
        chosen.connection_made(transport)


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

    http_port, https_port = main.getsockname()[1], encrypted.getsockname()[1]
    servers = [
        await loop.create_server(
            lambda: Connection(dispatcher, "http", http_port), sock=main, backlog=1024
        )
    ]
    odd: dict[str, type[asyncio.Protocol]] = {
        "close-at-accept.test": _Closing,
        "reset-at-accept.test": _Resetting,
    }
    for name, protocol in odd.items():
        servers.append(await loop.create_server(protocol, ADDRESS, 0))
        numbers[name] = servers[-1].sockets[0].getsockname()[1]
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        socks = await stack.enter_async_context(socks_proxy(SocksProxy(port_for_all=http_port)))
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
            context.set_alpn_protocols([ALPN, "http/1.1"])
            authority = str(maker.authority)
            servers.append(
                await loop.create_server(
                    lambda: _Negotiated(dispatcher, https_port), sock=encrypted, ssl=context
                )
            )
        ready(
            {
                "port": http_port,
                "tls_port": https_port if tls else 0,
                "authority": authority,
                "odd_ports": numbers,
                "socks_port": socks.port,
                "pid": os.getpid(),
            }
        )
        await loop.run_in_executor(None, sys.stdin.buffer.read)
    for server in servers:
        server.close()


def main() -> None:
    options = json.loads(sys.argv[1])
    tree, waiting = TreeShape(**options["tree"]), WaitingShape(**options["waiting"])
    maker = options["maker"]
    uvloop.run(
        serve(
            lambda: hosts_made_by(maker) if maker else all_hosts(tree, waiting),
            options["port"],
            tls=options["tls"],
            ready=lambda opened: print(json.dumps(opened), flush=True),
        )
    )


if __name__ == "__main__":
    main()
