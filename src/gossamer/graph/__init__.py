"""Who links to whom, and what are pages worth by that?

In: links, as pairs of numbers or of names. Out: for every page, host and domain a rank, a number
that sums up to one over all. Not for deciding the order of results (`rank`), which takes these
numbers as some among many, nor for reading links out of pages (`extract`).

    adjacency.py      a graph in two arrays, in memory or mapped from a file
    page_rank.py      the ranks of all nodes of a graph
    edge_lists.py     graphs out of text files
    gap_rank.py       the ranks with all links turned round
    farms.py          pages that link to each other only to be ranked higher
    farm_evidence.py  what makes a set of pages a farm
    farm_kernels.py   the loops over links that finding farms needs
    kernels.py        the loops that are too long for Python
"""
