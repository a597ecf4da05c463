"""Safe search: documents that are marked are left out, whatever the query."""

import numpy as np

from gossamer.config import IndexSettings
from gossamer.index.fields import Fields, FieldType
from gossamer.index.reader import IndexReader
from gossamer.index.safety import ADULT, FIELD
from gossamer.query.nodes import Word
from gossamer.search.contract import SearchRequest
from gossamer.search.reading import Read

NOTHING_MARKED = "Safe search has left nothing out: this index marks no documents."


def is_wanted(request: SearchRequest, settings: IndexSettings) -> bool:
    return settings.safe if request.safe is None else request.safe


def made_safe(query: Read, fields: Fields) -> Read:
    """The query, less what is marked."""
    if fields.type_of(FIELD) is not FieldType.KEYWORD:
        return query._replace(notes=(*query.notes, NOTHING_MARKED))
    must_not = (*query.root.must_not, Word(ADULT, FIELD))
    return query._replace(root=query.root._replace(must_not=must_not))


def is_safe(reader: IndexReader, number: int) -> bool:
    """Whether a document is not marked."""
    (marks,) = reader.keywords(FIELD, np.array([number], np.int64))
    return ADULT not in marks
