"""How does each site look, and which addresses does it have?

Each is written in another manner, as on the real web: a wiki with identifiers everywhere, a
newspaper in semantic HTML with absolute links, a shop with data for machines, an old table with
relative links, a forum of nested boxes.

    lantern.py       the encyclopedia
    courier.py       the newspaper
    wren_and_oak.py  the shop
    campus_table.py  the universities
    long_bench.py    the forum
"""
