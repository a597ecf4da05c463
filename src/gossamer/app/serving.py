"""The search site over a home: what `gossamer.server` needs, made of what there is."""

import html
import multiprocessing
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import httpx
import msgspec
from starlette.applications import Starlette

from gossamer.app.home import Home, RunInfo
from gossamer.app.indexes import Indexes, IndexInfo
from gossamer.app.kernels import compile_kernels
from gossamer.app.serving_changes import ChangeApplier
from gossamer.app.serving_jobs import HomeJobs, refuse_files
from gossamer.config import (
    ServerSettings,
    without_secrets,
)
from gossamer.edits import ChangeCard, ChangeCounts, ChangeReport, Edit, PartlyStored
from gossamer.errors import (
    IndexFault,
    NothingThere,
    RunError,
    RuntimeFault,
    StorageError,
    UrlError,
    UsageError,
)
from gossamer.rank.profiles import shipped_names
from gossamer.records import Directives
from gossamer.search.contract import Answer, Searcher, SearchRequest
from gossamer.server.access import Access
from gossamer.server.application import application
from gossamer.server.contract import (
    CachedCopy,
    IndexCard,
    PageText,
    RunCard,
)
from gossamer.server.guards import RateLimits, is_loopback
from gossamer.server.listening import listen
from gossamer.server.listening import serve as listening_serve
from gossamer.server.logs import configure, log
from gossamer.server.metrics import Metrics
from gossamer.server.query_writer import QueryWriter
from gossamer.server.site import Site
from gossamer.storage.accounts import Accounts
from gossamer.storage.audit import AuditLog
from gossamer.storage.query_log import QueryLog

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LOOK_SECONDS = 30.0
_CARDS_SECONDS = 0.5
_SEARCHES_AT_ONCE = 2
"""In a process. More would only take the interpreter from each other: sixteen cost a third more
CPU-time each."""
_PAGE_COLUMNS = ("url", "title", "description", "language", "media_type", "fetched_at", "outcome")


class HomeEngine:
    """The indexes and runs of a home."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._indexes = Indexes(home)
        self._lock = threading.Lock()
        self._at_once = threading.BoundedSemaphore(_SEARCHES_AT_ONCE)
        self._all: tuple[float, list[IndexCard]] = (-_CARDS_SECONDS, [])
        self._cards: dict[str, tuple[tuple[int, int], IndexCard]] = {}
        self._applier = ChangeApplier(self._indexes)

    # Indexes

    def indexes(self) -> list[IndexCard]:
        """Looked up twice a second at most: every search asks for them."""
        now = monotonic()
        looked_at, cards = self._all
        if now - looked_at > _CARDS_SECONDS:
            cards = self._looked_up()
            self._all = (now, cards)
        return cards

    def _looked_up(self) -> list[IndexCard]:
        cards = []
        for name in self._indexes.names():
            try:
                cards.append(self._card(name))
            except IndexFault:
                continue  # being built for the first time, or deleted at this moment
            except StorageError as error:
                # The others are served; who asks for this one is told what is wrong with it.
                log.warning("The index '%s' is left out: %s", name, error)
        return cards

    def index(self, name: str) -> IndexCard:
        known = next((card for card in self.indexes() if card.name == name), None)
        return known or self._card(name)

    def _card(self, name: str) -> IndexCard:
        """Made anew when the index is: to add up the sizes of its files takes a while."""
        stamp = self._indexes.stamp(name)
        known = self._cards.get(name)
        if known is None or known[0] != stamp:
            known = (stamp, _index_card(self._indexes.info(name)))
            self._cards[name] = known
        return known[1]

    def profiles(self) -> Sequence[str]:
        own = sorted(path.stem for path in (self._home.path / "profiles").glob("*.toml"))
        return [*shipped_names(), *own]

    def search(self, index: str, request: SearchRequest) -> Answer:
        if request.profile and request.profile not in self.profiles():
            # A name alone: whoever asks over the web chooses no file of this machine.
            raise UsageError(f"There is no profile '{request.profile}'.")
        searcher = self._searcher(index)
        with self._at_once:
            return searcher.search(request)

    def suggest(self, index: str, text: str, limit: int) -> list[str]:
        return self._searcher(index).suggest(text, limit)

    def _searcher(self, index: str) -> Searcher:
        with self._lock:
            return self._indexes.searcher(index)

    def tune(self, index: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        refuse_files(changes)
        if changes.get("profile", "default") not in self.profiles():
            raise UsageError(f"There is no profile '{changes['profile']}'.")
        settings = self._indexes.tune(index, dict(changes))
        self._all = (-_CARDS_SECONDS, [])
        return settings.model_dump(mode="json", exclude_defaults=True)

    def delete_index(self, index: str) -> None:
        self._indexes.delete(index)
        self._all = (-_CARDS_SECONDS, [])

    def documents(self, index: str, start: int, limit: int) -> list[dict[str, Any]]:
        info = self._indexes.info(index)
        rows: Iterator[dict[str, Any]]
        if info.files:
            rows = self._indexes.document_values(index)
        else:
            rows = (row for run in info.runs for row in self.run_pages(run, "", None))
        return list(islice(rows, start, start + limit))

    def document(self, index: str, id: str) -> dict[str, Any]:
        return self._indexes.document(index, id)

    def edit(
        self, index: str, edits: Sequence[Edit], *, all_or_nothing: bool = False, wait: bool
    ) -> ChangeReport:
        try:
            report = self._indexes.edit(index, edits, all_or_nothing=all_or_nothing, wait=wait)
        except PartlyStored:
            self._applier.apply_soon(index)
            raise
        if not report.searchable:
            self._applier.apply_soon(index)
        return report

    def stored_changes(self, index: str, after: int) -> Iterator[ChangeCard]:
        return self._indexes.stored_changes(index, after)

    def change_counts(self, index: str) -> ChangeCounts:
        return self._indexes.change_counts(index)

    def apply_changes(self) -> None:
        self._applier.start()

    # Pages

    def page(self, index: str, url: str) -> PageText:
        run, row = self._row(index, url)
        if row["directives"] & Directives.NOINDEX:
            raise NothingThere(f"{url} asks not to be found.")
        return PageText(
            url=row["url"],
            title=row["title"],
            description=row["description"],
            language=row["language"],
            text=row["text"],
            fetched_at=row["fetched_at"].timestamp(),
            run=run,
        )

    def cached_copy(self, index: str, url: str) -> CachedCopy:
        run, row = self._row(index, url)
        if row["directives"] & (Directives.NOARCHIVE | Directives.NOINDEX):
            raise NothingThere(f"{url} asks that no copy of it is shown.")
        try:
            html = self._home.page_html(run, url)
        except RunError as error:
            raise NothingThere(str(error)) from None
        if row["media_type"] not in ("text/html", "application/xhtml+xml"):
            raise NothingThere(f"{url} is no web page ({row['media_type']}): there is no copy.")
        return CachedCopy(row["url"], row["title"], html, row["fetched_at"].timestamp())

    def _row(self, index: str, url: str) -> tuple[str, dict[str, Any]]:
        """The newest of the index's runs that has the page."""
        for run in reversed(self._indexes.info(index).runs):
            try:
                return run, self._home.page(run, url)
            except (RunError, UrlError):
                continue
        raise NothingThere(f"The index '{index}' has no stored page {url}.")

    # Runs

    def runs(self) -> list[RunCard]:
        return [_run_card(run) for run in self._home.runs()]

    def run(self, name: str) -> RunCard:
        return _run_card(self._home.run(name))

    def stop_run(self, name: str) -> None:
        self._home.ask_to_stop(name)

    def run_pages(self, name: str, prefix: str, limit: int | None) -> Iterator[dict[str, Any]]:
        record = self._home.record(name)
        return self._home.store(record).pages(prefix, limit, _PAGE_COLUMNS)

    def close(self) -> None:
        self._applier.close()
        self._indexes.close()


def _index_card(info: IndexInfo) -> IndexCard:
    return IndexCard(
        name=info.name,
        documents=info.documents,
        built_at=info.built_at,
        size_bytes=info.size_bytes,
        runs=info.runs,
        fields=info.fields,
        number_formats=info.number_formats,
        languages=info.languages,
        settings=info.settings,
        has_pages=bool(info.runs),
    )


def _run_card(run: RunInfo) -> RunCard:
    values = msgspec.structs.asdict(run) | {"settings": without_secrets(run.settings)}
    return RunCard(**{name: values[name] for name in RunCard.__struct_fields__})


# The site


class ServeOrder(msgspec.Struct, frozen=True):
    """What a worker process is told: it makes its own site of it."""

    home: Path
    settings: ServerSettings
    is_brief: bool = False  # only what is wrong is logged


def site_of(order: ServeOrder) -> Site:
    home = Home(order.home, order.settings.catalogue)
    engine = HomeEngine(home)
    jobs = HomeJobs(home, order.settings.catalogue)
    database = home.catalogue.database
    shared = order.home / "server" / "limits"
    settings = order.settings
    return Site(
        settings=settings,
        engine=engine,
        jobs=jobs,
        access=Access(Accounts(database), settings),
        audit=AuditLog(database),
        queries=QueryWriter(QueryLog(database), settings),
        limits=RateLimits(shared, settings.searches_per_minute),
        metrics=Metrics(engine, jobs),
    )


def worker(order: ServeOrder) -> Starlette:
    """Called in each worker process."""
    configure(order.is_brief)
    return application(site_of(order))


def serve(order: ServeOrder, on_start: Callable[[str, str], None]) -> None:
    """Serve the site until somebody stops it. `on_start` is told its address, and the link by
    which the first administrator sets a password ('' where there is one)."""
    settings = order.settings
    Home(order.home).make()
    access = access_of(Home(order.home, settings.catalogue), settings)
    if not is_loopback(settings.host) and not access.has_administrator():
        raise UsageError(
            f"The site is not opened to others ('host' is {settings.host}) before it has an "
            f"administrator with a password: 'gossamer users add admin --role administrator' "
            "makes one."
        )
    compile_kernels()
    with ExitStack() as stack:
        if settings.workers > 1:
            stack.enter_context(shared_metrics(order.home / "server"))
        listening = stack.enter_context(listen(settings.host, settings.port))
        port = listening.getsockname()[1]
        address = settings.public_url.rstrip("/") or f"http://{_shown(settings.host)}:{port}"
        secret = access.first_invitation()
        on_start(f"{address}/", f"{address}/setup/{secret}" if secret else "")
        listening_serve(partial(worker, order), settings, listening)


def look_at_site(order: ServeOrder, query: str) -> Iterator[tuple[str, str]]:
    """Starts the site at a free port, asks for its main pages as a browser does, and ends it.
    Gives the path and the title of each; one that is not as it should be is a fault."""
    free = order.settings.model_copy(update={"port": 0})
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(
        target=_serve_and_tell,
        args=(ServeOrder(order.home, free, is_brief=True), theirs),
        daemon=True,
    )
    process.start()
    theirs.close()
    try:
        address = ours.recv()
        words = quote_plus(query)
        for path in ("/", f"/search?q={words}", f"/api/v1/search?q={words}", "/healthz"):
            answer = httpx.get(address.rstrip("/") + path, timeout=_LOOK_SECONDS)
            if answer.status_code != 200:
                raise RuntimeFault(f"The search site answers {path} with {answer.status_code}.")
            title = re.search("<title>(.*?)</title>", answer.text)
            yield path, html.unescape(title[1]) if title else f"{len(answer.content):,} bytes"
    except (EOFError, httpx.TransportError) as error:
        raise RuntimeFault(f"The search site does not answer: {error}.") from None
    finally:
        process.terminate()
        process.join(_LOOK_SECONDS)


def _serve_and_tell(order: ServeOrder, pipe: "Connection[str, str]") -> None:
    serve(order, lambda address, _: pipe.send(address))


def access_of(home: Home, settings: ServerSettings | None = None) -> Access:
    return Access(Accounts(home.catalogue.database), settings or ServerSettings())


def audit_of(home: Home) -> AuditLog:
    return AuditLog(home.catalogue.database)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104


@contextmanager
def shared_metrics(folder: Path) -> Iterator[None]:
    """A folder in which all worker processes count that are started from now on, as long as they
    live. A process that has counted before goes on by itself."""
    from gossamer.server.metrics import FOLDER_VARIABLE

    with ExitStack() as stack:
        folder.mkdir(parents=True, exist_ok=True)
        made = stack.enter_context(TemporaryDirectory(prefix="metrics-", dir=folder))
        os.environ[FOLDER_VARIABLE] = made
        stack.callback(os.environ.pop, FOLDER_VARIABLE, None)
        yield
