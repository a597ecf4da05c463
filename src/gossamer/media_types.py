"""Media types of plain text, and the endings of file names that go with them.

Fetching needs them for folders, reading for pages that a server names so, the index for the short
names by which people filter.
"""

TEXT_TYPES = {
    "txt": "text/plain",
    "text": "text/plain",
    "log": "text/plain",
    "md": "text/markdown",
    "markdown": "text/markdown",
    "rst": "text/x-rst",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
}
"""By the ending of a name, without its dot."""

_OTHER_NAMES = {
    "text/x-markdown": "text/markdown",
    "text/prs.fallenstein.rst": "text/x-rst",
    "text/restructuredtext": "text/x-rst",
    "application/csv": "text/csv",
    "text/x-csv": "text/csv",
    "text/comma-separated-values": "text/csv",
    "text/x-log": "text/plain",
}

ALL_TEXT = frozenset(TEXT_TYPES.values()) | _OTHER_NAMES.keys()
"""All media types that are read as plain text."""

_SHORT_NAMES = {media_type: ending for ending, media_type in reversed(TEXT_TYPES.items())}

FILE_TYPES = _SHORT_NAMES | {other: _SHORT_NAMES[known] for other, known in _OTHER_NAMES.items()}
"""The short name of each, as in `filetype:csv`."""


def text_type_of_name(path: str) -> str:
    """The media type of text that the name at the end of a path says; '' if it says none."""
    return TEXT_TYPES.get(path.rpartition("/")[2].rpartition(".")[2].lower(), "")
