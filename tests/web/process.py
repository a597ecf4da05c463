"""The local web as a process of its own, so that it neither disturbs nor dies with a crawler."""

import json
import subprocess
import sys
import urllib.request
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.web.hosts import all_hosts
from tests.web.hosts.tree import TreeShape
from tests.web.hosts.waiting import WaitingShape
from tests.web.message import Host
from tests.web.server import CONTROL, LogEntry

ADDRESS = "127.0.0.1"

# Names whose port does something before any request could be read.
ODD_PORTS = {
    "close-at-accept.test": "accepts a connection and closes it at once",
    "reset-at-accept.test": "accepts a connection and resets it at once",
    "silent.test": "accepts a connection and never reads nor answers",
    "refused.test": "nobody listens on its port",
}


def hosts_made_by(maker: str) -> tuple[Host, ...]:
    """`maker` is 'module:function': the web's process calls it too."""
    module, _, function = maker.partition(":")
    hosts: tuple[Host, ...] = getattr(import_module(module), function)()
    return hosts


class LocalWeb:
    """The local web, running: `with LocalWeb(tree=TreeShape(depth=5)) as web: ...`

    With a `maker` it has the hosts that this one makes, and no others.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        tls: bool = False,
        tree: TreeShape | None = None,
        waiting: WaitingShape | None = None,
        maker: str = "",
    ) -> None:
        self.tree = tree or TreeShape()
        self.waiting = waiting or WaitingShape()
        self._options = {
            "port": port,
            "tls": tls,
            "tree": asdict(self.tree),
            "waiting": asdict(self.waiting),
            "maker": maker,
        }
        self.hosts = hosts_made_by(maker) if maker else all_hosts(self.tree, self.waiting)

    def __enter__(self) -> Self:
        # In a session of its own: a signal to the crawler's or the terminal's group misses it.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.child", json.dumps(self._options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            start_new_session=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise RuntimeError("the local web did not start")
        opened = json.loads(line)
        self.port: int = opened["port"]
        self.tls_port: int = opened["tls_port"]
        self.authority: str = opened["authority"]  # file to verify the TLS port's certificates by
        self.odd_ports: dict[str, int] = opened["odd_ports"]
        self.socks_port: int = opened["socks_port"]  # a SOCKS5 proxy: all names lead to this web
        self.pid: int = opened["pid"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    @property
    def resolve(self) -> dict[str, str]:
        """Addresses of all names, for the crawl setting of that name."""
        return dict.fromkeys([*(host.name for host in self.hosts), *ODD_PORTS], ADDRESS)

    def url(self, host: str, path: str = "/", *, scheme: str = "http") -> str:
        port = self.odd_ports.get(host, self.tls_port if scheme == "https" else self.port)
        return f"{scheme}://{host}:{port}{path}"

    def tree_urls(self) -> list[str]:
        """Every page of the tree, the root (the seed) first."""
        return self.tree.urls(self.port)

    def waiting_urls(self) -> list[str]:
        """Every page of the waiting web, the seed first."""
        return self.waiting.urls(self.port)

    def log(self) -> list[LogEntry]:
        """All requests so far, in order of arrival."""
        return [LogEntry(*entry) for entry in self._ask("/log")]

    def reset_log(self) -> None:
        self._ask("/reset")

    def refresh(self) -> None:
        """Empties the log, and lets the hosts forget who came before."""
        self._ask("/fresh")

    def _ask(self, path: str) -> Any:
        request = urllib.request.Request(
            f"http://{ADDRESS}:{self.port}{path}", headers={"Host": CONTROL}
        )
        # No proxy of the environment may stand between.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as response:
            return json.load(response)
