"""What a panel is."""

from typing import Any, Protocol

from msgspec import Struct

from gossamer.server.site import Site
from gossamer.server.visitors import Visitor


class PanelContent(Struct, frozen=True):
    """`data` is plain text and addresses, whatever their source: the template escapes all of it."""

    template: str
    data: dict[str, Any]


class Panel(Protocol):
    name: str

    def fits(self, site: Site, query: str) -> bool:
        """Whether it may have something to show: looked at for every search, so it has to be
        quick."""
        ...

    def content(self, site: Site, visitor: Visitor, query: str) -> PanelContent | None:
        """What it has to show, if anything. May take as long as the site's 'panel_seconds'."""
        ...
