"""Templates to answers. All that goes into one is escaped; nothing is ever marked as safe."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from gossamer.server import pages_fields as fields
from gossamer.server import pages_words as words
from gossamer.server.asking import Ask
from gossamer.server.pages_scores import bars
from gossamer.url_display import readable


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
        "ago": words.ago,
        "breadcrumbs": words.breadcrumbs,
        "count": lambda number: f"{number:,.0f}",
        "day": words.day,
        "duration": words.duration,
        "field_name": words.field_name,
        "field_value": words.field_value,
        "filter_words": words.filter_words,
        "led_to": words.led_to,
        "marked": words.marked,
        "moment": words.moment,
        "plural": words.plural,
        "readable": readable,
        "size": words.size,
    }
    made.globals |= {
        "bars": bars,
        "cell_of": fields.cell_of,
        "cells": fields.cells,
        "image_of": fields.image_of,
        "price_of": fields.price_of,
    }
    made.tests["web_address"] = words.is_web_address
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
            status=status,
            here=_here(ask),
            **context,
        )
    )
    response = HTMLResponse(text, status)
    if secret:
        ask.site.access.set_form_cookie(response, secret)
    if ask.visitor.role is not None or token:
        response.headers["cache-control"] = "private, no-store"
    return response


def _here(ask: Ask) -> str:
    """The address of this page on this site, to come back to after a login."""
    url = ask.request.url
    return f"{url.path}?{url.query}" if url.query else url.path
