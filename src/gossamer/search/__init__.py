"""What answers a query?

In: what a person typed, and how they want it ranked. Out: an answer: hits with snippets, their
number, what the person may have meant. Not for building an index, nor for showing an answer.

    contract.py      the request, the answer, and who gives one to the other
    stages.py        what a shard is asked, and what it tells
    broker.py        asks the shards, and puts the answer together
    shard.py         what one shard does at each stage
    local.py         a searcher over one index in this process
    sharded.py       a searcher over shards in processes
    shard_owner.py   such a process, started, restarted and ended
    shard_process.py what runs in it
    wire.py          stages over a socket
    reading.py       what was typed, as a tree
    planning.py      that tree as slots of words and as a query for the finder
    destinations.py  the document that a query names
    aliases.py       several words that stand for words of the query
    safety.py        what is left out where somebody wants to be careful
    candidates.py    which documents are worth scoring
    scoring.py       their scores, explained
    feedback.py      the words of the best documents
    grouping.py      which of the best a page shows
    snippets.py      the best passage of a document, its words marked
    summary.py       the best sentences of a document
    facets.py        how the matches are spread over the values of a field
    companions.py    corrections and suggestions
"""
