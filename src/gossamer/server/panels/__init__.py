"""What stands beside the results: small plugins, each with a deadline.

A panel is asked for by the page after the results are there, so that none ever delays them; one
that fails or takes too long is left out. In: a query. Out: plain data for a template.

    contract.py   what a panel is
    wiki.py       an encyclopedia, by the MediaWiki API of any wiki
    shop.py       products of an index, when the query says buy, shop or price
    fetching.py   one HTTP request with a deadline, that keeps out of private networks
"""

from gossamer.server.panels.contract import Panel, PanelContent
from gossamer.server.panels.shop import ShopPanel
from gossamer.server.panels.wiki import WikiPanel

PANELS: tuple[Panel, ...] = (WikiPanel(), ShopPanel())

__all__ = ["PANELS", "Panel", "PanelContent"]
