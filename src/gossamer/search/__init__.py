"""What answers a query?

In: what a person typed, and how they want it ranked. Out: an answer: hits with snippets, their
number, what the person may have meant. Not for building an index, nor for showing an answer.

    contract.py        the request, the answer, and who gives one to the other
    requests.py        a call in Python, as a request
    checking.py        whether a request is valid
    stages.py          what a shard is asked, and what it replies
    broker.py          asks the shards, and puts the answer together
    best_documents.py  the best documents of all shards in one order, and the hits of a page
    shard.py           what one shard does at each stage
    local.py           a searcher over one index in this process
    sharded.py         a searcher over shards in processes
    shard_owner.py     such a process, started, restarted and ended
    shard_process.py   what runs in it
    wire.py            stages over a socket
    reading.py         what was typed, as a tree
    filters.py         how filters are written
    clauses.py         what a query requires, excludes and leaves optional
    slots.py           a typed word, as all the terms that it may be in the index
    languages.py       typed words in an index of several languages
    aliases.py         several words that stand for words of the query; words in capitals
    hits.py            what an answer shows of a document
    planning.py        the tree as slots and as a query for the finder
    proximity.py       which documents hold words near each other
    safety.py          what safe search leaves out
    destinations.py    the document that a query names
    candidates.py      which documents are worth scoring
    scoring.py         their scores, explained
    feedback.py        the words of the best documents
    grouping.py        which of the best documents a page shows
    snippets.py        the best passage of a document, its words marked
    summary.py         the best sentences of a document
    facets.py          how many matches each value of a field has
    ranges.py          the ranges of a number field
    titles.py          titles without the name of their site
    meaning.py         what a person may have meant to type
    companions.py      corrections and suggestions
"""
