"""Which documents are in a file? A file in, its documents out, each with its place in the file.

JSON Lines, a JSON array, CSV and TSV, and Parquet; each also compressed (gzip, Zstandard). The
format is found out from the content, whatever the file is called. A line that cannot be read is
handed over as a `BadRow`, and reading goes on behind it. A file of a kind that is not read is
refused by what it is.

`compression` unpacks, `encoding` makes UTF-8 of any text, `detection` tells formats apart, and each
format has a module of its own. Which value has which type is not decided here.
"""

from gossamer.index.formats.reading import FileReader, Row, id_of
from gossamer.index.formats.rows import BadRow, number_of

__all__ = ["BadRow", "FileReader", "Row", "id_of", "number_of"]
