"""Runs the command of a job, and writes down how it ended.

python -m gossamer.jobs.shell FOLDER -- COMMAND...

The server may be gone by then: the exit code has to lie where the next one finds it. A request to
stop is passed on to the command, which knows how to stop cleanly. Whoever starts this process holds
such requests back (`STOP_SIGNALS` are blocked), so that none comes before somebody listens.
"""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

EXIT_CODE = "exit-code"
LOG = "log"
OUTPUT = "output"
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_PR_SET_PDEATHSIG = 1


def run(folder: Path, command: list[str]) -> int:
    process: subprocess.Popen[bytes] | None = None
    asked: list[int] = []

    def pass_on(number: int, _: FrameType | None) -> None:
        if process is None:
            asked.append(number)
        else:
            process.send_signal(number)

    for number in STOP_SIGNALS:
        signal.signal(number, pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    shell = os.getpid()

    def end_with_shell() -> None:
        """A command whose end nobody would write down stops: it would run unseen."""
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != shell:
            os._exit(1)

    with (folder / LOG).open("ab") as log, (folder / OUTPUT).open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - what a job keeper has put together
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=log,
            preexec_fn=end_with_shell,
        )
        for waiting in asked:
            process.send_signal(waiting)
        code = process.wait()
        if code < 0:
            name = signal.Signals(-code).name
            log.write(f"The process was ended by {name}, not by itself.\n".encode())
    part = folder / f"{EXIT_CODE}.part"
    part.write_text(f"{code}\n")
    part.replace(folder / EXIT_CODE)
    return code


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[3:]) and 1)
