"""Gossamer: a web search engine that anyone can own and configure.

import gossamer

home = gossamer.open("gossamer-data")
for hit in home.search("web", "lighthouse").hits:
    print(hit.title, hit.url)
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.app.indexes import Indexes

__all__ = ["__version__", "open"]

__version__ = "0.1.0"


def open(home: str | Path) -> "Indexes":
    """The indexes of a home: the folder that `--home` names on the command line."""
    # Imported here: the version must not wait for all libraries.
    from gossamer.app.home import Home
    from gossamer.app.indexes import Indexes
    from gossamer.errors import UsageError

    if not isinstance(home, str | Path):
        raise UsageError(f"A home is the path of a folder, not {type(home).__name__}.")
    return Indexes(Home(Path(home)))
