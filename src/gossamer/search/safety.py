"""Safe search: documents that are marked are left out, whatever the query."""

import numpy as np

from gossamer.index.fields import Fields, FieldType
from gossamer.index.reader import IndexReader
from gossamer.index.safety import ADULT, FIELD
from gossamer.query.nodes import Group, Word

NOTHING_MARKED = "Safe search has left nothing out: this index marks no documents."


def can_tell(fields: Fields) -> bool:
    """Whether the index knows of marks at all."""
    return fields.type_of(FIELD) is FieldType.KEYWORD


def without_unsafe(root: Group) -> Group:
    """The query, less what is marked. A query for nothing stays one."""
    if not any(root):
        return root
    return root._replace(must_not=(*root.must_not, Word(ADULT, FIELD)))


def is_safe(reader: IndexReader, number: int) -> bool:
    (marks,) = reader.keywords(FIELD, np.array([number], np.int64))
    return ADULT not in marks
