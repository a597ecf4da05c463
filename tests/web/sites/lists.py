"""Good pages that only long lists lead to, and the pages of a list look much the same."""

from tests.web.sites.site import Site
from tests.web.words import paragraph

PER_PAGE = 5


class LongLists(Site):
    """Articles that nothing but the pages of one list links to; all of these begin alike."""

    def page(self, path: str) -> str | None:
        number = path.removeprefix("/list?page=")
        if path == "/":
            return self.framed("Start", '<p>All is <a href="/list?page=1">in the list</a>.</p>')
        if path == f"/list?page={number}" and number.isdecimal():
            return self._list(int(number))
        return super().page(path) if path in self._numbers else None

    def _list(self, number: int) -> str | None:
        listed = range((number - 1) * PER_PAGE, min(number * PER_PAGE, self._articles))
        if not listed:
            return None
        links = "".join(
            f'<li><a href="{self._paths[at]}">{self.title(at)}</a></li>\n' for at in listed
        )
        return self.framed(
            "All articles",
            f"<p>{paragraph(self._seed + 60_000, 60)}</p><p>Page {number}</p><ul>{links}</ul>"
            + (f'<a href="/list?page={number + 1}">Next</a>' if self._list_goes_on(number) else ""),
        )

    def _list_goes_on(self, number: int) -> bool:
        return number * PER_PAGE < self._articles

    def article(self, number: int) -> str:
        return "".join(
            f"<p>{paragraph(self._seed + 1_000_000 + 3 * number + part, self._words)}</p>\n"
            for part in range(3)
        )

    @property
    def paths(self) -> tuple[str, ...]:
        lists = -(-self._articles // PER_PAGE)
        return ("/", *(f"/list?page={at + 1}" for at in range(lists)), *self._paths)

    def identity(self, path: str) -> str | None:
        return path if path in self.paths else None

    def framed(self, title: str, body: str, where: str = "") -> str:
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><title>{title}</title></head><body>'
            f'<nav><a href="/">Start</a></nav><main><h1>{title}</h1>{body}</main></body></html>\n'
        )
