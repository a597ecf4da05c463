"""What was read of a run's links is made again from its segments: it may go at any time."""

import shutil

from gossamer.app.home import Home


def forget_links(home: Home, run: str) -> None:
    """Delete the sorted copies of a run's links: addresses that are to be forgotten stand in them,
    too. The next ranks read the segments anew."""
    shutil.rmtree(home.path / "ranks" / "links" / run, ignore_errors=True)
