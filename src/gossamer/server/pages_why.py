"""Why a result stands where it stands, as a fragment that a script puts into the open page.

Without a script the page of results shows the same behind a deep link.
"""

import msgspec
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gossamer.errors import NothingThere
from gossamer.server import searching
from gossamer.server.asking import Ask, page
from gossamer.server.pages_rendering import templates
from gossamer.server.pages_views import ViewQuery


def why(ask: Ask) -> Response:
    """The fragment for one result of a page of results."""
    query = ask.query(ViewQuery)
    wanted = msgspec.structs.replace(query.plain(), explain=True)
    found = searching.search(ask.site, ask.visitor, wanted, is_private=True)
    hit = next((hit for hit in found.answer.hits if hit.number == query.why), None)
    if hit is None or hit.explain is None:
        raise NothingThere("This result is not on this page of results any more.")
    made = templates().get_template("why.html").render(hit=hit)
    return HTMLResponse(made)


ROUTES = [Route("/why", page(why, costs=True))]
