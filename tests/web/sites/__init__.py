"""What do sites of the web look like, good ones, endless ones and those that repeat themselves?

In: a name. Out: a `Site`, which answers requests and knows which of its addresses are one page, and
which of its pages anybody could want. The same on every machine.
Not for: servers that break the rules; these are in `tests/web/hosts`.
"""

from tests.web.sites.site import Site

__all__ = ["Site"]
