"""A thin client of a search site, for programs in Python.

from gossamer.client import Client

with Client("http://127.0.0.1:8000") as site:
    for hit in site.search("web", "lighthouse").hits:
        print(hit.title, hit.url)

Methods for searching and for documents take the same arguments as those of `gossamer.open(home)`.
An index named '' is the one that the site searches by default. The client says what the API says
(`/api/v1/openapi.json`), in the types that the site itself uses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import msgspec

from gossamer.errors import GossamerError, UsageError
from gossamer.index.changes import MOST_DETAILS, ChangeReport, as_line
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.filters import written_filter
from gossamer.search.requests import search_request

T = TypeVar("T")
_COUNTS = ("added", "changed", "removed", "missing", "refused", "misfits", "unknown_fields")
_BATCH_BYTES = 500_000
"""Of documents in one request: a site takes a million unless it is set otherwise."""


class SiteError(GossamerError):
    """The site refuses: `status` is that of HTTP, `kind` the type of its error."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


class Page(msgspec.Struct, frozen=True):
    url: str
    title: str
    description: str
    language: str
    text: str


class Client:
    def __init__(self, address: str, token: str = "", timeout_seconds: float = 30.0) -> None:
        """`token`: one that the site has made, for what needs a login."""
        self._http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1",
            headers={"authorization": f"Bearer {token}"} if token else {},
            timeout=timeout_seconds,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # Searching

    def search(self, index: str, query: str | SearchRequest, **options: Any) -> Answer:
        """Answer a query; `options` are the fields of a `SearchRequest`. The site may set a shorter
        deadline."""
        request = search_request(query, options)
        found = self._get("/search", {"index": index, **_search_parameters(request)})
        return msgspec.convert(found["answer"], Answer)

    def suggest(self, index: str, text: str, limit: int = 10) -> list[str]:
        """Complete a query that is being typed."""
        found = self._get("/suggest", {"q": text, "index": index, "limit": limit})
        return list(found["suggestions"])

    def explain(self, index: str, query: str, url: str) -> dict[str, Any]:
        """Why a document is where it is among the best hundred."""
        found: dict[str, Any] = self._get("/explain", {"q": query, "url": url, "index": index})
        return found

    def page(self, index: str, url: str) -> Page:
        """A stored page as text."""
        return msgspec.convert(self._get("/page", {"url": url, "index": index}), Page)

    # Documents

    def put_documents(
        self,
        index: str,
        documents: Iterable[Mapping[str, Any] | bytes] | Mapping[str, Any],
        *,
        all_or_nothing: bool = False,
        wait: bool = True,
    ) -> ChangeReport:
        """Add documents to an index of documents, or replace those with the same id as a whole:
        mappings, or JSON objects as bytes. They are stored by the site when this returns. `wait`:
        until they are searchable. `all_or_nothing`: one that is refused refuses all, and all are
        sent in one request."""
        return self._change_documents("PUT", index, documents, all_or_nothing, wait)

    def patch_documents(
        self,
        index: str,
        documents: Iterable[Mapping[str, Any] | bytes] | Mapping[str, Any],
        *,
        all_or_nothing: bool = False,
        wait: bool = True,
    ) -> ChangeReport:
        """Replace some fields of documents: each names its 'id' (or 'url'), and the fields that
        change. A field that is None is removed."""
        return self._change_documents("PATCH", index, documents, all_or_nothing, wait)

    def remove_documents(
        self, index: str, ids: Iterable[str] | str, *, wait: bool = True
    ) -> ChangeReport:
        """Remove documents from an index of documents."""
        wanted = [ids] if isinstance(ids, str) else ids
        lines = (msgspec.json.encode(str(one)) for one in wanted)
        path = f"/indexes/{index}/documents/remove"
        return self._send_lines("POST", path, index, lines, {"wait": wait}, in_one=False)

    def stored_changes(self, index: str) -> Iterator[dict[str, Any]]:
        """The stored changes of an index, oldest first."""
        return self._all(f"/indexes/{index}/changes")

    def drop_changes(self, index: str) -> dict[str, Any]:
        """Give up all stored changes of an index, and update it; gives its job."""
        found: dict[str, Any] = _read(self._http.delete(f"/indexes/{index}/changes"))
        return found

    def _change_documents(
        self,
        method: str,
        index: str,
        documents: Iterable[Mapping[str, Any] | bytes] | Mapping[str, Any],
        all_or_nothing: bool,
        wait: bool,
    ) -> ChangeReport:
        given = [documents] if isinstance(documents, Mapping) else documents
        lines = (_line(one) for one in given)
        parameters = {"wait": wait, "all_or_nothing": all_or_nothing}
        path = f"/indexes/{index}/documents"
        return self._send_lines(method, path, index, lines, parameters, in_one=all_or_nothing)

    def _send_lines(
        self,
        method: str,
        path: str,
        index: str,
        lines: Iterable[bytes],
        parameters: Mapping[str, bool],
        *,
        in_one: bool,
    ) -> ChangeReport:
        """Send lines in requests that are no longer than a site takes. Gives one report of all."""
        whole = ChangeReport(index)
        first = 0
        for batch in [list(lines)] if in_one else _batches(lines):
            body = b"".join(line.replace(b"\n", b" ") + b"\n" for line in batch)
            answer = self._http.request(
                method,
                path,
                params=dict(parameters),
                content=body,
                headers={"content-type": "application/x-ndjson"},
            )
            whole = _together(whole, msgspec.convert(_read(answer), ChangeReport), first)
            first += len(batch)
        return whole

    # What there is

    def indexes(self) -> Iterator[dict[str, Any]]:
        return self._all("/indexes")

    def documents(self, index: str) -> Iterator[dict[str, Any]]:
        return self._all(f"/indexes/{index}/documents")

    def runs(self) -> Iterator[dict[str, Any]]:
        return self._all("/runs")

    def jobs(self) -> Iterator[dict[str, Any]]:
        return self._all("/jobs")

    # Work

    def crawl(self, settings: Mapping[str, Any], mode: str = "continue") -> dict[str, Any]:
        """Start a crawl; gives its job."""
        return self._send("POST", "/runs", {"settings": settings, "mode": mode})

    def build(self, index: str, runs: Sequence[str] = ()) -> dict[str, Any]:
        """Build an index of runs, or bring it up to date; gives its job."""
        return self._send("POST", f"/indexes/{index}/build", {"runs": list(runs)})

    def wait_for(self, job: int) -> dict[str, Any]:
        """The job, when it has ended."""
        last: dict[str, Any] = {}
        with self._http.stream("GET", f"/jobs/{job}/events", timeout=None) as stream:
            if stream.is_error:
                stream.read()
                _raise(stream)
            name = ""
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: ") and name == "job":
                    last = msgspec.json.decode(line.removeprefix("data: "))
        return last

    def _all(self, path: str) -> Iterator[dict[str, Any]]:
        after = ""
        while True:
            part = self._get(path, {"after": after})
            yield from part["items"]
            after = part["next"]
            if not after:
                return

    def _get(self, path: str, parameters: Mapping[str, Any]) -> Any:
        given = {name: value for name, value in parameters.items() if value != ""}
        return _read(self._http.get(path, params=given))

    def _send(self, method: str, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = _read(self._http.request(method, path, json=body))
        return found


def _search_parameters(request: SearchRequest) -> dict[str, Any]:
    """A request as the parameters of `/search`: what is not as usual."""
    defaults = SearchRequest("")
    values = {
        name: value
        for name, value in msgspec.structs.asdict(request).items()
        if value != getattr(defaults, name)
    }
    found: dict[str, Any] = {"q": values.pop("query", "")}
    found["words_only"] = values.pop("plain", False)
    found["filter"] = [f"{one.field}:{written_filter(one)}" for one in values.pop("filters", ())]
    found["facet"] = list(values.pop("facets", ()))
    for table, parameter in (("weighted_words", "weight"), ("field_weights", "field_weight")):
        found[parameter] = [
            f"{name}={value}" for name, value in (values.pop(table, None) or {}).items()
        ]
    return {**found, **values}


def _line(document: Mapping[str, Any] | bytes) -> bytes:
    """Return the line to send. A document that cannot be written as JSON becomes a line that the
    server refuses, so that the report counts it."""
    if isinstance(document, bytes):
        return document
    try:
        return as_line(document)
    except UsageError as error:
        return msgspec.json.encode(str(error))


def _batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for line in lines:
        if batch and size + len(line) > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line) + 1
    if batch:
        yield batch


def _together(before: ChangeReport, report: ChangeReport, first: int) -> ChangeReport:
    """`first`: lines that were sent before those of the second report."""
    details = (
        *before.details,
        *(msgspec.structs.replace(detail, line=detail.line + first) for detail in report.details),
    )
    counts = {name: getattr(before, name) + getattr(report, name) for name in _COUNTS}
    return msgspec.structs.replace(
        report,
        **counts,
        searchable=before.searchable and report.searchable,
        waiting_because=report.waiting_because or before.waiting_because,
        details=details[:MOST_DETAILS],
    )


def _read(answer: httpx.Response) -> Any:
    if answer.is_error:
        _raise(answer)
    return msgspec.json.decode(answer.content)


def _raise(answer: httpx.Response) -> None:
    try:
        error = msgspec.json.decode(answer.content)["error"]
        kind, message = error["type"], error["message"]
    except (msgspec.DecodeError, LookupError, TypeError):
        kind, message = "HttpError", f"The site answers with {answer.status_code}."
    raise SiteError(answer.status_code, kind, message)
