"""Threads of this process, also those that libraries start: a fork takes none of them along, and
what they held at that moment stays held in the child for ever."""

import os
from collections.abc import MutableMapping

_POOLS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def refuse_thread_pools(environment: MutableMapping[str, str] = os.environ) -> None:
    """Keep libraries that are imported from now on from starting a thread for each core. None of
    our work is of the kind that they are for, and idle ones cost more than they ever bring."""
    environment.update(dict.fromkeys(_POOLS, "1"))


def has_one_thread() -> bool:
    """Whether nothing runs beside the caller. Where the kernel does not tell, something might."""
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - names are enough
    except OSError:
        return False
