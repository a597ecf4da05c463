"""A thin client of a search site, for programs in Python.

from gossamer.client import Client

with Client("http://127.0.0.1:8000") as site:
    for hit in site.search("lighthouse").hits:
        print(hit.title, hit.url)

It says what the API says (`/api/v1/openapi.json`), in the types that the site itself uses.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import msgspec

from gossamer.errors import GossamerError
from gossamer.search.contract import Answer

T = TypeVar("T")


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

    def search(self, query: str, index: str = "", **options: Any) -> Answer:
        """`options` are the parameters of `/search`: page, limit, sort, filter, profile, ..."""
        found = self._get("/search", {"q": query, "index": index, **options})
        return msgspec.convert(found["answer"], Answer)

    def suggest(self, text: str, index: str = "", limit: int = 10) -> list[str]:
        found = self._get("/suggest", {"q": text, "index": index, "limit": limit})
        return list(found["suggestions"])

    def explain(self, query: str, url: str, index: str = "") -> dict[str, Any]:
        found: dict[str, Any] = self._get("/explain", {"q": query, "url": url, "index": index})
        return found

    def page(self, url: str, index: str = "") -> Page:
        """A stored page as text."""
        return msgspec.convert(self._get("/page", {"url": url, "index": index}), Page)

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
