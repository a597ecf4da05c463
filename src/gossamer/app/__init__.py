"""The composition root: what a person can ask for, and which implementations do it.

In: settings, names of runs, addresses. Out: reports and rows, plain data all of it.
Not for logic of its own: it chooses parts of the layers below and hands one to the other.

    home.py        the folder of the runs: which there are, who works on one, its pages
    sittings.py    crawl and resume: one sitting of a run, from start to stop
    minutes.py     what is written down of a sitting, and how a person stops it
    journals.py    the journals of a run that nobody works on
    reconsidering.py   a run that goes on with other settings
    takedowns.py   forget pages for good; retention; what an interruption left undone
    exports.py     pages and links as one file
    questions.py   why a URL was crawled, or was not
    failures.py    what went wrong, by its causes
"""

from gossamer.app.home import Home, RunInfo
from gossamer.app.minutes import Report
from gossamer.app.sittings import crawl, resume
from gossamer.crawl.plan import Progress

__all__ = ["Home", "Progress", "Report", "RunInfo", "crawl", "resume"]
