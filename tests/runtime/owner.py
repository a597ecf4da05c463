"""A process that owns a runtime: made before its event loop, where the nursery is forked, or in it,
where the nursery gets an interpreter of its own.

    python -m tests.runtime.owner forked|fresh

It tells of itself in one line of JSON, then obeys a line of its input: 'close', 'crash' (of a
worker), or whatever a worker is to burn of the CPU.
"""

import asyncio
import fcntl
import json
import os
import resource
import signal
import sys
import tempfile

from gossamer.runtime.processes import ProcessRuntime
from tests.runtime.roles import MODULE, spec

NAMES = ("one", "two", "three")


async def own(runtime: ProcessRuntime | None, lock_path: str) -> None:
    runtime = runtime or ProcessRuntime([MODULE])
    for name in NAMES:
        await runtime.start(spec(name, "stubborn"))
    workers = [int(await runtime.peers.peer(name).call("pid", b"", seconds=5)) for name in NAMES]
    say(workers=workers, folder=runtime._folder, lock=lock_path)
    loop = asyncio.get_running_loop()
    while (word := (await loop.run_in_executor(None, sys.stdin.readline)).strip()) != "close":
        if word == "crash":
            await runtime.start(spec("four", "crashing"))
            await runtime.peers.peer("four").call("leave", b"", seconds=5)
            say(died=await runtime.died())
        else:
            await runtime.peers.peer("one").call("burn", word.encode(), seconds=20)
            say(burnt=word)
    await runtime.close()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    say(seconds=usage.ru_utime + usage.ru_stime)


def say(**values: object) -> None:
    print(json.dumps(values), flush=True)


def main() -> None:
    # What a coordinator has before it starts its workers: a lock, and ways to deal with signals.
    with tempfile.NamedTemporaryFile() as lock:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
        signal.signal(signal.SIGTERM, lambda *_: None)
        read_end, write_end = os.pipe()
        os.set_blocking(write_end, False)
        signal.set_wakeup_fd(write_end)
        sys.stderr.write("once")
        runtime = ProcessRuntime([MODULE]) if sys.argv[1] == "forked" else None
        signal.set_wakeup_fd(-1)
        asyncio.run(own(runtime, lock.name))
        os.close(read_end)


if __name__ == "__main__":
    main()
