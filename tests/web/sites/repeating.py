"""Sites that show the same pages again and again under other addresses."""

import hashlib
import re
from collections.abc import Callable
from itertools import count

from tests.web.sites.site import Site

_HREF = re.compile(r'href="(/[^"]*)"')
_CHOICES = {
    "sort": ("name", "date", "author", "views"),
    "order": ("asc", "desc"),
    "per_page": ("10", "50", "100"),
}


def _with_links(page: str, changed: Callable[[str], str]) -> str:
    """The page with other addresses in its links within the site."""
    return _HREF.sub(lambda found: f'href="{changed(found[1])}"', page)


class SessionIds(Site):
    """A new session id in all links of every answer."""

    def page(self, path: str) -> str | None:
        page = super().page(_without_session(path))
        if page is None:
            return None
        id = hashlib.blake2b(b"%d" % next(_SESSIONS), digest_size=16).hexdigest()
        form = _SESSION_FORMS[self._seed % len(_SESSION_FORMS)]
        return _with_links(page, lambda link: form(link, id))

    def identity(self, path: str) -> str | None:
        return super().identity(_without_session(path))


def _without_session(path: str) -> str:
    return _SESSION.sub("", path).rstrip("?&")


def _in_query(name: str) -> Callable[[str, str], str]:
    return lambda path, id: f"{path}{'&amp;' if '?' in path else '?'}{name}={id}"


def _in_path(path: str, id: str) -> str:
    folder, mark, query = path.partition("?")
    return f"{folder};jsessionid={id.upper()}{mark}{query}"


_SESSIONS = count()
_SESSION_FORMS = (_in_query("sid"), _in_path, _in_query("PHPSESSID"))
_SESSION = re.compile(r";jsessionid=[0-9A-F]{32}|(?<=[?&])(?:sid|PHPSESSID)=[0-9a-f]{32}&?")


class MirroredPaths(Site):
    """The whole site again below other folders."""

    _folders = ("/en", "/m", "/amp", "/old", "/site")

    def page(self, path: str) -> str | None:
        folder, rest = self._split(path)
        page = super().page(rest)
        if page is None:
            return None
        others = "".join(
            f'<a href="{other}{rest}">{other or "usual"} version</a> '
            for other in ("", *self._folders)
            if other != folder
        )
        page = _with_links(page, lambda link: folder + link)
        return page.replace("<footer>", f"<footer>{others}")

    def _split(self, path: str) -> tuple[str, str]:
        for folder in self._folders:
            if path.startswith(f"{folder}/"):
                return folder, path.removeprefix(folder)
        return "", path

    def identity(self, path: str) -> str | None:
        return super().identity(self._split(path)[1])


class PrintVersions(Site):
    """Each article again to print, to send and to share."""

    _versions = ("print=1", "view=plain", "share=mail", "share=link", "replytocom=1")

    def page(self, path: str) -> str | None:
        bare, version = self._split(path)
        page = super().page(bare)
        if page is None or bare not in self._numbers:
            return page
        if version in ("print=1", "view=plain"):
            return re.sub(r"<nav>.*?</nav>|<footer>.*?</footer>", "", page, flags=re.DOTALL)
        mark = "&amp;" if "?" in bare else "?"
        links = "".join(f'<a href="{bare}{mark}{other}">{other}</a> ' for other in self._versions)
        return page.replace("</main>", f"<p>{links}</p></main>")

    def _split(self, path: str) -> tuple[str, str]:
        for version in self._versions:
            if path.endswith((f"?{version}", f"&{version}")):
                return path[: -len(version) - 1], version
        return path, ""

    def identity(self, path: str) -> str | None:
        return super().identity(self._split(path)[0])


class SortedLists(Site):
    """Lists that can be sorted by anything, in any order, in pages of any length."""

    def page(self, path: str) -> str | None:
        bare, _, query = path.partition("?")
        if bare not in self._lists or bare == "/":
            return super().page(path)
        page = super().page(bare)
        assert page is not None
        chosen = dict(part.partition("=")[::2] for part in query.split("&")) if query else {}
        if chosen.get("order") == "desc":
            before, start, rest = page.partition("</p><ul>")
            items, end, after = rest.partition("</ul>")
            page = before + start + "\n".join(items.split("\n")[::-1]) + end + after
        links = "".join(
            f'<a href="{bare}?{_query(chosen | {name: value})}">{name} {value}</a> '
            for name, values in _CHOICES.items()
            for value in values
        )
        return page.replace("</main>", f"<p>{links}</p></main>")

    def identity(self, path: str) -> str | None:
        bare = path.partition("?")[0]
        return super().identity(bare if bare in self._lists and bare != "/" else path)


def _query(chosen: dict[str, str]) -> str:
    return "&amp;".join(f"{name}={value}" for name, value in chosen.items())
