"""What documents that come in packages have in common: how they are opened, and read as far as
they are whole."""

from abc import ABC, abstractmethod

from gossamer.extract.document import DOCUMENT_SECONDS, Document, unreadable
from gossamer.extract.draft import PageDraft
from gossamer.extract.package import Broken, Handler, Package, Refused
from gossamer.records import RawPage, Unread
from gossamer.urls import Resolver


class PackagedProcessor(ABC):
    def __init__(
        self, agent_name: str, resolver: Resolver, seconds: float = DOCUMENT_SECONDS
    ) -> None:
        self._agent_name = agent_name
        self._resolver = resolver
        self._seconds = seconds

    def read(self, page: RawPage) -> PageDraft | Unread:
        document = Document(page, self._agent_name, self._resolver, self._seconds)
        try:
            return self._read(Package(page.body, lambda: document.is_full), document)
        except (Broken, Refused) as problem:
            return unreadable(str(problem))

    @abstractmethod
    def _read(self, package: Package, document: Document) -> PageDraft | Unread:
        """Write all into the document."""


class Body(Handler, ABC):
    """Writes the text of a part into the document."""

    @abstractmethod
    def finish(self) -> None:
        """Write what is still open, of a part that was not read to its end."""


def read_body(package: Package, part: str, body: Body, document: Document) -> None:
    """As far as the part can be read."""
    try:
        package.parse(part, body)
    except Broken as problem:
        body.finish()
        if document.is_empty:
            raise
        document.leave_out(f"taken as far as it could be read: {problem}")
    else:
        body.finish()
