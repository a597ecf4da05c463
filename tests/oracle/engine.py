"""The real thing: indexes of generated documents in a home, searched by every path."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gossamer
from gossamer.search.contract import Answer
from tests.cli.commands import call
from tests.oracle.documents import FIELDS, Document
from tests.oracle.queries import Filter, Query
from tests.server.sites import ServedSite

MOST = 1_000  # hits on one page; no index that is compared in whole has as many documents

PATIENCE_SECONDS = 120.0


class Engine:
    """A home, and the indexes in it."""

    def __init__(self, path: Path) -> None:
        self.home = path / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._indexes = gossamer.open(self.home)

    def build(
        self,
        name: str,
        documents: Iterable[Document | Mapping[str, Any]],
        *arguments: str,
        fields: Mapping[str, str] = FIELDS,
        **settings: Any,
    ) -> None:
        config = self._path / f"{name}.toml"
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
        lines += ["[fields]\n", *(f'"{key}" = "{kind}"\n' for key, kind in fields.items())]
        config.write_text("".join(lines))
        file = self._write(name, documents)
        options = ("--documents", str(file), "--config", str(config), *arguments)
        ended = call("index", "build", name, *options, home=self.home)
        assert ended.code == 0, ended.err

    def update(self, name: str, documents: Iterable[Document | Mapping[str, Any]]) -> None:
        self._write(name, documents)
        ended = call("index", "update", name, home=self.home)
        assert ended.code == 0, ended.err

    def _write(self, name: str, documents: Iterable[Document | Mapping[str, Any]]) -> Path:
        records = (one.record if isinstance(one, Document) else one for one in documents)
        file = self._path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return file

    def search(self, name: str, query: Query, **options: Any) -> Answer:
        """Ask in Python; all matches on one page, without grouping, unless `options` differ."""
        asked = {"filters": _python_filters(query.filters), "all_words": query.all_words}
        return self.ask(name, query.text, **{**asked, **options})

    def ask(self, name: str, text: str, **options: Any) -> Answer:
        """The same for a query that is typed."""
        usual = {"limit": MOST, "group": False, "deadline_seconds": PATIENCE_SECONDS}
        return self._indexes.search(name, text, **{**usual, **options})

    def ids(self, name: str, query: Query, **options: Any) -> list[str]:
        return ids_of(self.search(name, query, **options))

    def close(self) -> None:
        self._indexes.close()


def ids_of(answer: Answer) -> list[str]:
    """The hits, unless they are of another query, because nothing matched what was typed."""
    return [] if answer.searched_instead else [hit.id for hit in answer.hits]


def _python_filters(filters: Sequence[Filter]) -> Any:
    """A mapping, or pairs where a field has several filters."""
    pairs = [(one.field, _python_value(one)) for one in filters]
    return dict(pairs) if len({name for name, _ in pairs}) == len(pairs) else tuple(pairs)


def _python_value(one: Filter) -> str | list[str]:
    return one.value if one.range or len(one.values) == 1 else list(one.values)


def by_command(home: Path, name: str, query: Query, *arguments: str) -> dict[str, Any]:
    filters = [
        argument for one in query.filters for argument in ("--filter", f"{one.field}={one.value}")
    ]
    options = ["--json", "--deadline", f"{PATIENCE_SECONDS}", *filters, *arguments]
    if query.all_words:
        options.append("--all-words")
    ended = call("search", name, query.text, *options, home=home)
    assert ended.code == 0, f"{query}: {ended.err}"
    return ended.object


def by_http(
    site: ServedSite, name: str, query: Query, **parameters: Sequence[str]
) -> dict[str, Any]:
    given = [("q", query.text), ("index", name)]
    given += [("filter", f"{one.field}:{one.value}") for one in query.filters]
    if query.all_words:
        given.append(("all_words", "true"))
    for parameter, values in parameters.items():
        given += [(parameter, value) for value in values]
    reply = site.get("/api/v1/search", params=given)
    assert reply.status_code == 200, f"{query}: {reply.text}"
    answer: dict[str, Any] = reply.json()["answer"]
    return answer
