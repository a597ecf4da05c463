"""What did the user ask for, and what do they see?

In: arguments. Out: calls to `gossamer.app`, and text for people or one JSON object for programs.
Not for work of any kind: nothing here fetches, stores or decides.

    commands.py   the root of the commands
    crawling.py   crawl and demo
    runs.py       runs and run
    pages.py      pages and page
    ranking.py    rank
    questions.py  why and errors
    exporting.py  export
    forgetting.py forget
    faults.py     errors to messages and exit codes
    options.py    options that all commands share, and those made from the settings
    completion.py completion of run and index names in a shell
    terminal.py   how text, tables and numbers reach a screen; hostile text is made harmless
    progress.py   what is seen while a crawl goes on
    counting.py   how far a command has got that goes through many rows
    report.py     what is said when it has ended
    reference.py  the reference pages of the docs
"""

from gossamer.cli.commands import main

__all__ = ["main"]
