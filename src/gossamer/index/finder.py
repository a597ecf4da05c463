"""tantivy: which documents hold these words?

It finds, and does not decide the order: its scores only choose the candidates. It gets the very
terms of the forward store, joined by spaces.

    doc      the number of a document, which joins both stores (signed: an unsigned one cannot be
             deleted by)
    all      the terms of all text fields, one value a field, so that no phrase crosses from one
             into the next
    t_NAME   those of one text field, where it is not most of the document
    k_NAME   keywords, in the form by which they are compared
    n_NAME   numbers and dates
    stored   what answers show, as JSON
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np
import tantivy

from gossamer.errors import FormatError
from gossamer.index.documents import IndexDocument
from gossamer.index.fields import EXTRAS, Fields, FieldType, keyword_key
from gossamer.matches import Ints
from gossamer.storage.objects import refusals
from gossamer.storage.versioned import rebuild_advice

ALL = "all"
_DOC = "doc"
_STORED = "stored"
_ANALYSER = "terms"
_WHOLE = frozenset({"body", "text", "boilerplate", EXTRAS})
"""Text fields that are most of a document: they are found by all of it, and told by the forward
store."""
_PATTERN_SIGNS = frozenset(r"\.+*?()|[]{}^$#&-~/\"'<>@%!,;:=`_")
_BETWEEN = " \x02 "  # no term is like it
_WRITER_BYTES = 200_000_000
_STORED_BLOCK = 4096  # bytes
_OS_ERROR = re.compile(r"\(os error ([0-9]+)\)")  # in what tantivy says
_BURST = 1_000_000
"""Bytes of documents that are given to tantivy at once: each time it has to wake up for them."""

Query = tantivy.Query
Occur = tantivy.Occur


def own_text_fields(fields: Fields) -> tuple[str, ...]:
    """The text fields that can be searched alone."""
    names = [name for name in fields.texts if name not in _WHOLE]
    return tuple(names) if len(fields.texts) > 2 else ()


def _schema(fields: Fields) -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field(_DOC, indexed=True, fast=True)
    builder.add_text_field(ALL, tokenizer_name=_ANALYSER, index_option="position")
    for name in own_text_fields(fields):
        builder.add_text_field(f"t_{name}", tokenizer_name=_ANALYSER, index_option="position")
    for name in fields.of_type(FieldType.KEYWORD):
        builder.add_text_field(f"k_{name}", tokenizer_name="raw", index_option="basic")
    for name in fields.of_type(FieldType.NUMBER, FieldType.DATE):
        builder.add_float_field(f"n_{name}", indexed=True, fast=True)
    builder.add_bytes_field(_STORED, stored=True)
    return builder.build()


def _opened(index: Any) -> Any:
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_ANALYSER, words)
    return index


def _created(folder: Path, fields: Fields) -> Any:
    """With small blocks of stored documents, as an answer shows a few that lie anywhere: to unpack
    one of tantivy's usual size takes twice as long. There is no other way to ask for it."""
    about = folder / "meta.json"
    if not about.exists():
        tantivy.Index(_schema(fields), str(folder))
        settings = json.loads(about.read_bytes())
        settings["index_settings"]["docstore_blocksize"] = _STORED_BLOCK
        about.write_text(json.dumps(settings), encoding="utf-8")
    return tantivy.Index(_schema(fields), str(folder))


class FinderWriter:
    """Writes into a work folder that no reader knows."""

    def __init__(self, folder: Path, fields: Fields) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._fields = fields
        self._own = own_text_fields(fields)
        self._texts = fields.texts
        self._numbers = fields.of_type(FieldType.NUMBER, FieldType.DATE)
        self._keywords = fields.of_type(FieldType.KEYWORD)
        self._index = _opened(_created(folder, fields))
        self._writer = self._index.writer(_WRITER_BYTES, 1)
        self._waiting: list[Any] = []
        self._waiting_bytes = 0

    def add(
        self,
        number: int,
        texts: Sequence[str],
        given: IndexDocument,
    ) -> None:
        """`texts`: the terms of each text field with spaces between them, in the order of the
        fields."""
        document = tantivy.Document()
        document.add_integer(_DOC, number)
        for name, terms in zip(self._texts, texts, strict=True):
            if terms:
                # Further forms of words stand next to nothing: no phrase may find two of them.
                document.add_text(ALL, terms.replace(" ", _BETWEEN) if name == EXTRAS else terms)
                if name in self._own:
                    document.add_text(f"t_{name}", terms)
        for name in self._numbers:
            if name in given.numbers:
                document.add_float(f"n_{name}", given.numbers[name])
            for number_value in given.more_numbers.get(name, ()):
                document.add_float(f"n_{name}", number_value)
        for name in self._keywords:
            for value in given.keywords.get(name, ()):
                document.add_text(f"k_{name}", keyword_key(value))
        stored = _encoded(given.shown)
        document.add_bytes(_STORED, stored)
        self._waiting.append(document)
        self._waiting_bytes += len(stored) + sum(map(len, texts))
        if self._waiting_bytes > _BURST:
            self._give()

    def _give(self) -> None:
        with _writing():
            for document in self._waiting:
                self._writer.add_document(document)
        self._waiting.clear()
        self._waiting_bytes = 0

    def delete(self, numbers: Iterable[int]) -> None:
        self._give()  # only what came before is deleted
        for number in numbers:
            self._writer.delete_documents_by_term(_DOC, number)

    def commit(self) -> None:
        """Everything is in the files of the folder when this returns; nothing can be added."""
        self._give()
        with _writing():
            self._writer.commit()
            self._writer.wait_merging_threads()


@contextmanager
def _writing() -> Iterator[None]:
    """Raise `StorageError` where the disk refuses: tantivy raises a `ValueError` that says so."""
    with refusals("Cannot write the index"):
        try:
            yield
        except ValueError as error:
            refused = _OS_ERROR.search(str(error))
            if refused is None:
                raise
            raise OSError(int(refused[1]), os.strerror(int(refused[1]))) from error


class Found:
    """Documents, the best first."""

    def __init__(self, numbers: Ints, addresses: list[Any], total: int | None = None) -> None:
        """`addresses`: where tantivy keeps each. `total`: how many match, if they were counted."""
        self.numbers = numbers
        self.addresses = addresses
        self.total = total

    def addresses_of(self, numbers: Ints) -> dict[int, Any]:
        """Of those that are here."""
        if not self.addresses:
            return {}
        places = (numbers[:, None] == self.numbers).argmax(axis=1)
        is_here = self.numbers[places] == numbers
        here = zip(numbers[is_here].tolist(), places[is_here].tolist(), strict=True)
        return {number: self.addresses[place] for number, place in here}


@contextmanager
def _lockable(folder: Path) -> Iterator[Path]:
    """tantivy locks a file while it opens the others: where nothing can be written, it is led to
    them from a place where it can."""
    if os.access(folder, os.W_OK):
        yield folder
        return
    with TemporaryDirectory(prefix="gossamer-") as place:
        for path in folder.iterdir():
            if path.suffix != ".lock":
                (Path(place) / path.name).symlink_to(path.absolute())
        yield Path(place)


class Finder:
    """Reads the files of one generation, which never change."""

    def __init__(self, folder: Path, fields: Fields) -> None:
        try:
            with _lockable(folder) as place:
                self._index = _opened(tantivy.Index.open(str(place)))
                self._index.config_reader(reload_policy="manual")
                self._index.reload()
        except ValueError as error:
            raise FormatError(f"{folder} is damaged ({error}). {rebuild_advice()}") from None
        self._searcher = self._index.searcher()
        self._schema = self._index.schema
        self.own_fields = frozenset(own_text_fields(fields))
        """Text fields that can be searched alone."""

    # Queries

    def term(self, word: str, field: str = "") -> Any:
        return Query.term_query(self._schema, self._text_field(field), word)

    def any_of(self, words: Sequence[str], field: str = "") -> Any:
        """One of several forms of a word."""
        if len(words) == 1:
            return self.term(words[0], field)
        return Query.boolean_query([(Occur.Should, self.term(word, field)) for word in words])

    def phrase(self, words: Sequence[str], field: str = "") -> Any:
        if len(words) == 1:
            return self.term(words[0], field)
        return Query.phrase_query(self._schema, self._text_field(field), list(words))

    def prefix(self, start: str, field: str = "", most: int = 50) -> list[tuple[str, int]]:
        """The commonest words that begin so, and how many documents hold each."""
        return self._commonest(self._text_field(field), start, most)

    def keywords(self, name: str, start: str, most: int) -> list[tuple[str, int]]:
        """The commonest values of a keyword field that begin so, and how many documents have
        each."""
        return self._commonest(f"k_{name}", start, most)

    def _commonest(self, field: str, start: str, most: int) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = self._searcher.terms_with_prefix(
            field, start, limit=10 * most
        )
        found.sort(key=lambda pair: -pair[1])
        return found[:most]

    def keyword(self, name: str, value: str) -> Any:
        return Query.term_query(self._schema, f"k_{name}", keyword_key(value))

    def keyword_prefix(self, name: str, start: str) -> Any:
        """Documents with a keyword that begins so."""
        signs = ("\\" + sign if sign in _PATTERN_SIGNS else sign for sign in keyword_key(start))
        return self.unscored(
            Query.regex_query(self._schema, f"k_{name}", "".join(signs) + "(.|\n)*")
        )

    def range(
        self, name: str, low: float | None, high: float | None, with_low: bool, with_high: bool
    ) -> Any:
        return Query.range_query(
            self._schema,
            f"n_{name}",
            tantivy.FieldType.Float,
            low,
            high,
            include_lower=with_low,
            include_upper=with_high,
        )

    def among(self, query: Any, numbers: Ints) -> Any:
        """Return those of some documents that match, too."""
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, self.these(numbers))])

    def these(self, numbers: Ints) -> Any:
        """The documents with these numbers."""
        if not len(numbers):
            return self.nothing()
        return self.unscored(Query.term_set_query(self._schema, _DOC, numbers.tolist()))

    def everything(self) -> Any:
        return Query.all_query()

    def nothing(self) -> Any:
        return Query.empty_query()

    @staticmethod
    def combined(
        must: Sequence[Any], should: Sequence[Any] = (), must_not: Sequence[Any] = ()
    ) -> Any:
        parts = [
            *((Occur.Must, query) for query in must),
            *((Occur.Should, query) for query in should),
            *((Occur.MustNot, query) for query in must_not),
        ]
        if must_not and not must and not should:
            parts.append((Occur.Must, Query.all_query()))
        return Query.boolean_query(parts)

    @staticmethod
    def boosted(query: Any, boost: float) -> Any:
        return Query.boost_query(query, boost)

    @staticmethod
    def unscored(query: Any) -> Any:
        return Query.const_score_query(query, 0.0)

    @staticmethod
    def scored(query: Any, score: float) -> Any:
        """The same score for all that match."""
        return Query.const_score_query(query, score)

    def _text_field(self, field: str) -> str:
        return f"t_{field}" if field in self.own_fields else ALL

    # Answers

    def find(self, query: Any, most: int, *, counts: bool = False) -> Found:
        found = self._searcher.search(query, most, count=counts)
        return self._found([address for _, address in found.hits], found.count if counts else None)

    def first(self, query: Any) -> int | None:
        """Of what matches, the document with the lowest number."""
        hits = self._searcher.search(
            query, 1, count=False, order_by_field=_DOC, order=tantivy.Order.Asc
        ).hits
        return next(iter(self._found([address for _, address in hits]).numbers.tolist()), None)

    def count(self, query: Any) -> int:
        found: int = self._searcher.search(query, 1, count=True).count
        return found

    def _found(self, addresses: list[Any], total: int | None = None) -> Found:
        numbers = self._searcher.fast_field_values(_DOC, addresses) if addresses else []
        return Found(np.array(numbers, np.int64), addresses, total)

    def address(self, number: int) -> Any | None:
        hits = self._searcher.search(
            Query.term_query(self._schema, _DOC, number), 1, count=False
        ).hits
        return hits[0][1] if hits else None

    def shown(self, address: Any) -> dict[str, Any]:
        """Return what is stored of a document."""
        stored: bytes = self._searcher.doc(address).get_first(_STORED)
        return _decoder.decode(stored)


_decoder = msgspec.json.Decoder(dict[str, Any])


def _encoded(shown: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(shown)
    except UnicodeEncodeError:  # half a character, out of a broken page
        return json.dumps(shown, ensure_ascii=True).encode("ascii", "replace")
