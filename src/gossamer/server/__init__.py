"""How do people and programs reach the engine? The search site: pages, an API, feeds.

In: HTTP requests. Out: pages for people without a line of a stranger's markup in them, JSON for
programs. Not for searching, crawling or composing: `app` hands over an `Engine` and `Jobs`
(`contract.py`), whatever is behind them.

    contract.py       what is needed of those behind the site
    site.py           all that the answer to a request needs
    application.py    the routes, and what stands before all of them
    asking.py         from a request to a call in a worker thread, and its visitor
    faults.py         errors to answers, for people and for programs
    searching.py      one search: may they, how long, what is written down
    queries.py        a search as an address
    access.py         sessions, forms, tokens, roles
    guards.py         headers of every answer; limits of every request; rate limits
    listening.py      sockets and worker processes; clients that hang
    metrics.py, logs.py, query_writer.py       what is told to those who run it
    pages*.py         pages for people; web/ their templates, styles and scripts
    feeds.py          OpenSearch, RSS, CSV
    events.py         server-sent events
    panels/           what stands beside results
    api/              /api/v1, and its description
"""
