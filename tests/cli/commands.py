"""How tests give commands: in a process of their own, as people do, or called here to be quick."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from gossamer.cli import main

AT_ONCE = ("--allow-private", "--delay-seconds", "0", "--fetchers", "1")
"""A crawl of our own machine that need not be polite."""

SECONDS = 60.0
_WARNINGS = "error,ignore::ResourceWarning"
"""A worker that is told to end leaves its sockets to the kernel."""


class Ended(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, Any]:
        """The JSON object on the last line."""
        value: dict[str, Any] = json.loads(self.out.splitlines()[-1])
        return value


def start(*arguments: str, home: Path) -> "subprocess.Popen[str]":
    """A command in a process of its own, where warnings are errors as well."""
    return subprocess.Popen(
        [sys.executable, "-m", "gossamer.cli", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "GOSSAMER_HOME": str(home), "PYTHONWARNINGS": _WARNINGS},
        start_new_session=True,
        preexec_fn=_heed_ctrl_c,
    )


def _heed_ctrl_c() -> None:
    """What a shell starts in the background ignores it, and so do all its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def gossamer(*arguments: str, home: Path) -> Ended:
    process = start(*arguments, home=home)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return Ended(process.returncode, out, err)


def call(*arguments: str, home: Path) -> Ended:
    """The same in this process, with its output in pipes."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(["--home", str(home), *arguments])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return Ended(code, out.getvalue(), err.getvalue())
