"""A thin client of a search site, for programs in Python.

from gossamer.client import Client

with Client("http://127.0.0.1:8000") as site:
    for hit in site.search("web", "lighthouse").hits:
        print(hit.title, hit.url)

Methods for searching and for documents take the same arguments as those of `gossamer.open(home)`;
`build` and `drop_changes` start a job of the site, and return it. For searches, an index named ''
is the one that the site searches by default. The client says what the API says
(`/api/v1/openapi.json`), in the types that the site itself uses.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, NoReturn, Self
from urllib.parse import quote

import httpx
import msgspec

from gossamer.edits import (
    MOST_DETAILS,
    ChangeCard,
    ChangeCounts,
    ChangeReport,
    Detail,
    Document,
    Documents,
    Ids,
    as_line,
    each_document,
    each_id,
)
from gossamer.errors import GossamerError, UsageError
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.filters import written_filter
from gossamer.search.requests import search_request

_COUNTS = ("added", "changed", "removed", "missing", "refused", "misfits", "unknown_fields")
_TOO_LONG = 413  # the status of a request that is longer than the site takes
_BATCH_BYTES = 500_000
"""Of documents in one request: a site takes a million unless it is set otherwise."""


class SiteError(GossamerError):
    """The site refuses, or does not answer: `status` is that of HTTP (0 without an answer), `kind`
    the type of its error. `report`: of a batch of changes of which a part is stored."""

    def __init__(
        self, status: int, kind: str, message: str, report: ChangeReport | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.report = report


class RefusedRequest(SiteError, UsageError):
    """The site refuses a request as invalid: the same request at a home is a `UsageError`."""


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
        self, index: str, documents: Documents, *, all_or_nothing: bool = False, wait: bool = True
    ) -> ChangeReport:
        """Add documents to an index of documents, or replace those with the same id as a whole:
        one or several, each a mapping or a JSON object as bytes. They are stored by the site when
        this returns. `wait`: until they are searchable. `all_or_nothing`: one that is refused
        refuses all, and all are sent in one request."""
        return self._put_or_patch("PUT", index, documents, all_or_nothing, wait)

    def patch_documents(
        self, index: str, documents: Documents, *, all_or_nothing: bool = False, wait: bool = True
    ) -> ChangeReport:
        """Replace some fields of documents: each names its 'id' (or 'url'), and the fields that
        change. A field that is None is removed."""
        return self._put_or_patch("PATCH", index, documents, all_or_nothing, wait)

    def remove_documents(self, index: str, ids: Ids, *, wait: bool = True) -> ChangeReport:
        """Remove documents from an index of documents."""
        lines = map(_id_line, each_id(ids))
        path = f"{_path(index)}/documents/remove"
        return self._send_lines("POST", path, index, lines, {"wait": wait}, in_one=False)

    def stored_changes(self, index: str, after: int = 0) -> Iterator[ChangeCard]:
        """The stored changes of an index, oldest first: those that follow a sequence number."""
        for one in self._all(f"{_path(index)}/changes", str(after)):
            yield msgspec.convert(one, ChangeCard)

    def change_counts(self, index: str) -> ChangeCounts:
        return msgspec.convert(self._get(f"{_path(index)}/changes/counts", {}), ChangeCounts)

    def drop_changes(
        self, index: str, ids: Ids | None = None, *, allow_empty: bool = False
    ) -> dict[str, Any]:
        """Discard stored changes of an index, all or those of some ids, and update it; returns its
        job."""
        wanted = [] if ids is None else list(each_id(ids))
        if ids is not None and not wanted:
            raise UsageError("No id is given: no change is discarded.")
        parameters = {"id": wanted, "allow_empty": allow_empty}
        found: dict[str, Any] = self._request("DELETE", f"{_path(index)}/changes", parameters)
        return found

    def _put_or_patch(
        self, method: str, index: str, documents: Documents, all_or_nothing: bool, wait: bool
    ) -> ChangeReport:
        lines = map(_line, each_document(documents))
        parameters = {"wait": wait, "all_or_nothing": all_or_nothing}
        path = f"{_path(index)}/documents"
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
        """Send lines in requests that are no longer than a site takes. Returns one report of all;
        a `SiteError` has that of what was stored before."""
        whole = ChangeReport(index)
        first = 0
        try:
            for batch in [list(lines)] if in_one else _batches(lines):
                body = b"".join(line.replace(b"\n", b" ") + b"\n" for line in batch)
                try:
                    found = self._request(method, path, parameters, body)
                    report = msgspec.convert(found, ChangeReport)
                except SiteError as error:
                    if in_one or len(batch) > 1 or error.status != _TOO_LONG:
                        raise
                    report = _too_long(index, body, str(error))
                whole = _together(whole, report, first)
                first += len(batch)
        except SiteError as error:
            if error.report is not None:
                whole = _together(whole, error.report, first)
            if not whole.stored:
                raise
            message = f"{error} {_stored_part(whole)}"
            raise type(error)(error.status, error.kind, message, whole) from error
        except Exception as error:  # of the iterable that was given
            if whole.stored:
                error.add_note(_stored_part(whole))
            raise
        return whole

    # What there is

    def indexes(self) -> Iterator[dict[str, Any]]:
        return self._all("/indexes")

    def documents(self, index: str) -> Iterator[dict[str, Any]]:
        return self._all(f"{_path(index)}/documents")

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
        return self._send("POST", f"{_path(index)}/build", {"runs": list(runs)})

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

    def _all(self, path: str, after: str = "") -> Iterator[dict[str, Any]]:
        while True:
            part = self._get(path, {"after": after})
            yield from part["items"]
            after = part["next"]
            if not after:
                return

    def _get(self, path: str, parameters: Mapping[str, Any]) -> Any:
        given = {name: value for name, value in parameters.items() if value != ""}
        return self._request("GET", path, given)

    def _send(self, method: str, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self._request(method, path, {}, msgspec.json.encode(body))
        return found

    def _request(
        self, method: str, path: str, parameters: Mapping[str, Any], body: bytes | None = None
    ) -> Any:
        headers = {} if body is None else {"content-type": "application/json"}
        try:
            answer = self._http.request(
                method, path, params=dict(parameters), content=body, headers=headers
            )
        except httpx.TransportError as error:
            message = f"The site does not answer: {str(error).rstrip('.')}."
            raise SiteError(0, "NoAnswer", message) from error
        if answer.is_error:
            _raise(answer)
        return msgspec.json.decode(answer.content)


def _too_long(index: str, line: bytes, message: str) -> ChangeReport:
    """The report of a document that does not fit into a request."""
    try:
        document = msgspec.json.decode(line)
    except msgspec.DecodeError:
        document = None
    name = document.get("id", document.get("url", "")) if isinstance(document, dict) else ""
    return ChangeReport(
        index, refused=1, searchable=True, details=(Detail(1, str(name), "refused", message),)
    )


def _stored_part(report: ChangeReport) -> str:
    changes = "1 change is" if report.stored == 1 else f"{report.stored:,} changes are"
    return f"In all, {changes} stored; those that follow are not."


def _path(index: str) -> str:
    if not index:
        raise UsageError("The name of the index is missing. Only searches have a default index.")
    return f"/indexes/{quote(index, safe='')}"


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


def _line(document: Document) -> bytes:
    """Return the line to send. A document that cannot be written as JSON becomes a line that the
    server refuses, so that the report counts it."""
    if isinstance(document, bytes):
        return document
    try:
        return as_line(document)
    except UsageError as error:
        return msgspec.json.encode(str(error))


def _id_line(name: str) -> bytes:
    """An id as JSON; one that is not valid Unicode becomes one that the server refuses, too."""
    return json.dumps(name).encode()


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


def _raise(answer: httpx.Response) -> NoReturn:
    report = None
    try:
        error = msgspec.json.decode(answer.content)["error"]
        kind, message = error["type"], error["message"]
        if "report" in error:
            report = msgspec.convert(error["report"], ChangeReport)
    except (msgspec.MsgspecError, LookupError, TypeError):
        kind, message = "HttpError", f"The site answers with {answer.status_code}."
    refused = RefusedRequest if answer.status_code == httpx.codes.BAD_REQUEST else SiteError
    raise refused(answer.status_code, kind, message, report)
