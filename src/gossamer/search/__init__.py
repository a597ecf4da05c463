"""What answers a query?

In: what a person typed, and how they want it ranked. Out: an answer: hits with snippets, their
number, what the person may have meant. Not for building an index, nor for showing an answer.

    contract.py    the request, the answer, and who gives one to the other
    planning.py    a parsed query as slots of words and as a query for the finder
    candidates.py  which documents are worth scoring
    scoring.py     their scores, with feedback, explained
    snippets.py    the best passage of a document, its words marked
    local.py       a searcher over one index in this process
"""
