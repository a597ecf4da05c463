"""/api/v1: what programs may ask for.

A call is a plain function: its annotations say what comes in and what goes out, its first line of
help what it is for. The routes and the OpenAPI description are both made from that.

    calls.py      from functions to routes
    openapi.py    from functions to the description
    searches.py, indexes.py, documents.py, runs.py, jobs.py, people.py, about.py    the calls
"""

from gossamer.server.api import about, documents, indexes, jobs, people, runs, searches
from gossamer.server.api.calls import Call

CALLS: tuple[Call, ...] = (
    *searches.CALLS,
    *indexes.CALLS,
    *documents.CALLS,
    *runs.CALLS,
    *jobs.CALLS,
    *people.CALLS,
    *about.CALLS,
)
