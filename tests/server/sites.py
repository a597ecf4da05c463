"""The real command, serving in processes of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from tests.crawling import wait_until


class ServedSite:
    """`with ServedSite(home, "--workers", "2") as site: ...`"""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._command = [
            *(sys.executable, "-m", "gossamer.cli", "serve", "--home", str(home)),
            *("--port", "0", "--json", "--searches-per-minute", "0", *arguments),
        ]
        self._log_path = home.parent / "serve.log"

    def __enter__(self) -> Self:
        with self._log_path.open("wb") as log:
            self.process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said, self.log_text()
        self.started: dict[str, Any] = json.loads(said)
        self.address = self.started["address"].rstrip("/")
        wait_until(self._answers, "the site answers")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.address}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def get(self, path: str, **options: Any) -> httpx.Response:
        return httpx.get(self.address + path, timeout=30, **options)

    def log_text(self) -> str:
        return self._log_path.read_text()

    def log_entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log_text().splitlines()]

    def workers(self) -> list[int]:
        """The processes that answer, seen by what they log."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in found.split() if b"spawn_main" in _command_line(int(pid))]

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""
