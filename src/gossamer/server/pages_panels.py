"""Panels beside the results, each fetched by the page on its own: they never delay a result."""

from starlette.routing import BaseRoute

ROUTES: list[BaseRoute] = []
