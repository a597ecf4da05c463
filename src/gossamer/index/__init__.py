"""Which documents hold these words, and where exactly?

In: documents with typed fields. Out: for a query, the candidates with the places of its words, and
what is stored of each document. Not for deciding their order (`rank`), nor for reading what a
person typed (`query`).

Two structures answer together. tantivy *finds*: it knows which documents hold a word. The forward
store *tells*: it knows which words a document holds, where, in which field, and how written.

    fields.py       what fields an index has, and of which type
    documents.py    the record that goes in; JSON Lines files
    change_input.py    changes of single documents, read and checked
    change_sources.py  files with stored changes applied
    pages.py        pages of runs as documents
    anchors.py      what others write on their links to a page
    vocabulary.py   words and their numbers in one part
    forward.py      the words of each document in their order
    columns.py      numbers, dates and keywords of each document
    statics.py      columns that change without the documents: ranks
    ballot.py       what documents say of their words
    kernels.py      the loops that are too long for Python
    hash_kernels.py words by their hashes
    part.py         one immutable piece of the forward store
    finder.py       tantivy
    generations.py  what readers see: parts, finder and statistics, published at once
    merge.py        several parts made one
    spool.py        documents on their way to a shard
    shard_set.py    several shards, published as one
    writer.py       from what should be in an index to a new generation
    reader.py       an open generation
"""
