"""Products, when the query says that somebody wants to buy."""

import re

from gossamer.errors import GossamerError
from gossamer.search.contract import SearchRequest
from gossamer.server.panels.contract import PanelContent
from gossamer.server.site import Site
from gossamer.server.visitors import Visitor

_WISH = re.compile(r"\b(?:buy|shop|price|prices|buying|shopping)\b", re.IGNORECASE)
_WORD = re.compile(r"\w")
_PRODUCTS = 4


class ShopPanel:
    """Over the documents of one index. Where the query says nothing else than that somebody wants
    to buy, the words themselves are meant: that is a search like any other, without a panel."""

    name = "shop"

    def fits(self, site: Site, query: str) -> bool:
        has_wish = bool(site.settings.shop_index) and _WISH.search(query) is not None
        return has_wish and bool(wish_of(query))

    def content(self, site: Site, visitor: Visitor, query: str) -> PanelContent | None:
        index = site.settings.shop_index
        if not site.may_search(visitor, index):
            return None
        wanted = wish_of(query)
        request = SearchRequest(
            wanted, limit=_PRODUCTS, deadline_seconds=site.settings.panel_seconds
        )
        try:
            card = site.engine.index(index)
            answer = site.engine.search(index, request)
        except GossamerError:
            return None
        if not answer.hits:
            return None
        data = {"hits": answer.hits, "index": card, "query": wanted, "total": answer.total}
        return PanelContent("panel_shop.html", data)


def wish_of(query: str) -> str:
    """What somebody wants to buy: 'a kite' of 'buy a kite', '' of 'shop'."""
    rest = " ".join(_WISH.sub(" ", query).split())
    return rest if _WORD.search(rest) else ""
