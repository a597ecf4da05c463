"""Which URLs were forgotten, and are never to be fetched again."""

from gossamer.records import Exclusion
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import Url, from_href


class ForgottenUrls:
    """A filter of links, made of what a run has to forget."""

    def __init__(self, tombstones: Tombstones) -> None:
        self._tombstones = tombstones

    def objection(self, url: Url, _page: Url, _depth: int) -> Exclusion | None:
        return self.exclusion(url)

    def exclusion(self, url: Url) -> Exclusion | None:
        return Exclusion.FORGOTTEN if self.covers(url) else None

    def covers(self, url: Url) -> bool:
        """Takedowns of earlier runs of a crawler know a URL by the key that it had there, and by
        the key of its plain href: the rules that make keys may have changed since."""
        tombstones = self._tombstones
        if url.host in tombstones.hosts:
            return True
        if url.site_hash not in tombstones.sites:
            return False
        return tombstones.covers_url(url) or tombstones.covers_url(from_href(url.href))
