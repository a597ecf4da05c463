"""Pages with little to say between much that all pages of their site say."""

from tests.web.sites.site import Site
from tests.web.words import paragraph


class HeavyFurniture(Site):
    """Short articles between menus, teasers and notices many times as long, in plain boxes."""

    def framed(self, title: str, body: str, where: str = "") -> str:
        def links(first: int, entries: int, words: int) -> str:
            return "".join(
                f'<div class="item c{at % 7}"><a href="/in/{self._section(at)}/">'
                f"{paragraph(first + at, words).rstrip('.')}</a></div>\n"
                for at in range(entries)
            )

        return (
            f"<!DOCTYPE html>\n<html><head><title>{title}</title></head><body>\n"
            f'<div class="cookie-notice">{paragraph(901, 60)}</div>\n'
            f'<div class="menu">{links(1, 60, 2)}</div>\n'
            f'<div class="column">{links(70, 40, 7)}</div>\n'
            f'<div class="middle"><h1>{title}</h1>{body}</div>\n'
            f'<div class="column">{links(120, 30, 9)}</div>\n'
            f'<div class="bottom"><div>{links(160, 60, 3)}</div><div>{self._label} {where}</div>'
            f'<div class="legal">{paragraph(902, 80)}</div></div></body></html>\n'
        )
