"""Templates to answers. All that goes into one is escaped; nothing is ever marked as safe."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from gossamer.server.asking import Ask
from gossamer.server.pages_words import breadcrumbs, duration, is_web_address, marked, moment, size


@cache
def templates() -> Environment:
    made = Environment(
        loader=PackageLoader("gossamer.server", "web/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {
        "breadcrumbs": breadcrumbs,
        "count": lambda number: f"{number:,.0f}",
        "date": lambda when: datetime.fromtimestamp(when, UTC).date().isoformat(),
        "duration": duration,
        "marked": marked,
        "moment": moment,
        "size": size,
    }
    made.tests["web_address"] = is_web_address
    return made


def render(ask: Ask, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A page of the site. A form in it carries `form_token`; who has no cookie for one gets it."""
    secret = ""
    token = ask.visitor.form_token
    if not token and context.pop("has_form", False):
        secret, token = ask.site.access.new_form_secret()
    context.pop("has_form", None)
    text = (
        templates()
        .get_template(template)
        .render(
            site=ask.site.settings,
            visitor=ask.visitor,
            form_token=token,
            path=ask.request.url.path,
            **context,
        )
    )
    response = HTMLResponse(text, status)
    if secret:
        ask.site.access.set_form_cookie(response, secret)
    if ask.visitor.role is not None or token:
        response.headers["cache-control"] = "private, no-store"
    return response
