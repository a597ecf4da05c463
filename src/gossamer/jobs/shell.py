"""Runs the command of a job, and writes down how it ended.

python -m gossamer.jobs.shell FOLDER -- COMMAND...

The server may be gone by then: the exit code has to lie where the next one finds it. A request to
stop is passed on to the command, which knows how to stop cleanly.
"""

import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

EXIT_CODE = "exit-code"
LOG = "log"
OUTPUT = "output"


def run(folder: Path, command: list[str]) -> int:
    with (folder / LOG).open("ab") as log, (folder / OUTPUT).open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - what a job keeper has put together
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=log
        )

        def pass_on(number: int, _: FrameType | None) -> None:
            process.send_signal(number)

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, pass_on)
        code = process.wait()
    part = folder / f"{EXIT_CODE}.part"
    part.write_text(f"{code}\n")
    part.replace(folder / EXIT_CODE)
    return code


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[3:]) and 1)
