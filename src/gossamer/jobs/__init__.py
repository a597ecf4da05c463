"""How does work go on that no web request can wait for?

Each job is a process of the `gossamer` command, detached from whoever started it: it lives on when
the server ends, and a server that starts finds it again. In: a command. Out: its state, its log and
what it said at its end. Not for what the command does.

    keeping.py     starts jobs, and knows what has become of them
    processes.py   which process is meant by a number
    shell.py       runs the command, and writes down how it ended
"""

from gossamer.jobs.keeping import JobKeeper, JobStatus

__all__ = ["JobKeeper", "JobStatus"]
