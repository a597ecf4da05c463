"""Does the search engine find what the guide says? Generated documents and queries, and an oracle.

In: a seed. Out: documents, queries as trees, and for each query the documents that it must find.
The oracle is plain Python over the documents. It shares no code with the search: where both give
the same answer, two independent readings of `docs/guide/searching.md` agree.

    documents.py   generated documents, and what they hold, word by word
    queries.py     generated queries: a tree, and its text in the query language
    oracle.py      which documents match a tree, a filter; facet counts; the order of a sort
    shrinking.py   the smallest query that still fails
    engine.py      the real thing: indexes of the documents, searched by every path
    test_*.py      comparisons

The number of queries is 1,000; the environment variable `GOSSAMER_ORACLE_QUERIES` sets another, and
`GOSSAMER_ORACLE_SEED` another seed for documents and queries:

    GOSSAMER_ORACLE_QUERIES=20000 GOSSAMER_ORACLE_SEED=7 .venv/bin/pytest tests/oracle
"""
