"""What does a crawler meet out there? A web of many hosts, most of them nasty, on loopback.

In: the shapes of its generated parts. Out: a port on 127.0.0.1 on which every host of
`tests/web/hosts` answers to its name, and a log of all requests that survives the crawler.
By hand: `python -m tests.web`. Not for: measuring speed; see `benchmarks`.
"""

from tests.web.hosts.tree import TreeShape
from tests.web.hosts.waiting import WaitingShape
from tests.web.process import LocalWeb
from tests.web.server import LogEntry

__all__ = ["LocalWeb", "LogEntry", "TreeShape", "WaitingShape"]
