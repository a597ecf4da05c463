"""Who links to whom, and what are pages worth by that?

In: links, as pairs of numbers or of names. Out: for every page, host and domain a rank, a number
that sums up to one over all. Not for deciding the order of results (`rank`), which takes these
numbers as some among many, nor for reading links out of pages (`extract`).

    adjacency.py      a graph in two arrays, in memory or mapped from a file
    in_links.py       the links by their targets, as ranking goes through them
    page_rank.py      the ranks of all nodes of a graph
    edge_lists.py     graphs out of text files
    line_kernels.py   the loops over the bytes of such files
    gap_rank.py       the ranks with all links turned round
    farms.py          pages that link to each other only to be ranked higher
    farm_evidence.py  what makes a set of pages a farm
    farm_kernels.py   the loops over links that finding farms needs
    link_files.py     the links of one segment of a run, sorted, read once
    names.py          addresses by number, and numbers by address
    numbering.py      the addresses of many link files under one numbering; who stands for whom
    building.py       graphs of pages, hosts and domains
    solving.py        ranks as the settings ask for them
    farm_rows.py      farms as they are kept, and what they lost
    combining.py      the ranks of a page, its host and its domain in one number
    ranking.py        from link files to all ranks
    store.py          where ranks are kept, and how they are published
    reader.py         an open generation of ranks
    line_kernels.py   the loops over the bytes of such files
    pictures.py       ranks and farms as PNG or SVG files
    canvas.py         what pictures are drawn on
    kernels.py        the loops that make graphs and turn them round
    rank_kernels.py   the loops of ranking
"""
