"""Panels beside the results, each fetched by the page on its own: they never delay a result.

The page asks for the names that fit its query (`panel_names`), and then for each fragment.
"""

from typing import Annotated

from msgspec import Meta, Struct
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gossamer.errors import NothingThere
from gossamer.query.parser import MOST_CHARACTERS
from gossamer.server.asking import Ask, page
from gossamer.server.pages_rendering import templates
from gossamer.server.panels import PANELS
from gossamer.server.site import Site


class PanelQuery(Struct, frozen=True):
    q: Annotated[str, Meta(max_length=MOST_CHARACTERS)] = ""


def panel_names(site: Site, query: str) -> list[str]:
    """The panels that may have something to show for a query."""
    text = query.strip()
    return [panel.name for panel in PANELS if text and panel.fits(site, text)]


def show_panel(ask: Ask) -> Response:
    """A fragment of a page; empty (204) where there is nothing to show."""
    name = ask.request.path_params["name"]
    panel = next((panel for panel in PANELS if panel.name == name), None)
    if panel is None:
        raise NothingThere(f"There is no panel '{name}'.")
    query = ask.query(PanelQuery).q.strip()
    fits = bool(query) and panel.fits(ask.site, query)
    content = panel.content(ask.site, ask.visitor, query) if fits else None
    if content is None:
        return Response(status_code=204)
    template = templates().get_template(content.template)
    return HTMLResponse(template.render(site=ask.site.settings, **content.data))


ROUTES = [Route("/panels/{name}", page(show_panel, costs=True))]
