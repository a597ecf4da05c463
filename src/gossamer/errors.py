"""Faults, as exceptions. What a page or a server does to us is an outcome, never an exception.

GossamerError               something that a person has to know about
├── UsageError              the request is wrong: exit code 2
│   ├── SettingsError       a setting is unknown or has a wrong value
│   ├── DatasetError        a judged collection that cannot be read
│   ├── EdgeListError       a list of links that cannot be read; names the line
│   ├── UrlError            an address that cannot be read
│   └── FormulaError        a formula that cannot be read; shows where
├── RunError                the state of a run forbids what was asked
│   ├── RunNotFound
│   └── RunHeld             another process works on the run
├── IndexFault              the state of an index forbids what was asked
│   ├── IndexNotFound
│   └── IndexHeld           another process writes to the index
├── RankError               the ranks of a run are not there
│   └── RankHeld            another process computes ranks
├── AccessError             who asks may not have it
│   ├── LoginNeeded         nobody knows who asks
│   ├── NotAllowed          it is known, and not enough
│   └── TooManyRequests     not so often
├── PartlyStored            a batch of changes was interrupted (in `edits`)
├── NothingThere            no page, document, job or account of that name
├── StorageError            the disk or the object store refuses
│   ├── StorageFull
│   └── FormatError         a file is damaged or from another version
└── RuntimeFault            a role died or does not answer
    ├── PeerLost
    └── DeadlineExceeded
"""


class GossamerError(Exception):
    """The message says what happened and what to do about it."""


class UsageError(GossamerError):
    setting = ""
    """The setting that is to blame, where one is: a file that gives it can be pointed at then."""


class SettingsError(UsageError):
    pass


class DatasetError(UsageError):
    pass


class EdgeListError(UsageError):
    pass


class UrlError(UsageError):
    pass


class FormulaError(UsageError):
    pass


class RunError(GossamerError):
    pass


class RunNotFound(RunError):
    pass


class RunHeld(RunError):
    pass


class IndexFault(GossamerError):
    pass


class IndexNotFound(IndexFault):
    pass


class IndexHeld(IndexFault):
    pass


class RankError(GossamerError):
    pass


class RankHeld(RankError):
    pass


class StorageError(GossamerError):
    pass


class StorageFull(StorageError):
    pass


class FormatError(StorageError):
    pass


class RuntimeFault(GossamerError):
    pass


class PeerLost(RuntimeFault):
    pass


class DeadlineExceeded(RuntimeFault):
    pass


class AccessError(GossamerError):
    pass


class LoginNeeded(AccessError):
    pass


class NotAllowed(AccessError):
    pass


class TooManyRequests(AccessError):
    def __init__(self, message: str, wait_seconds: float) -> None:
        super().__init__(message)
        self.wait_seconds = wait_seconds


class NothingThere(GossamerError):
    pass
