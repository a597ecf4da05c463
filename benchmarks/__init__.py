"""How fast are we, next to the others? Every figure is a ratio to a peer measured in the same run.

In: nothing but this folder (the site is generated) and the peers of `requirements-bench.lock`.
Out: a plain table and, as the last line, one JSON object.
Not for: correctness, which the tests show.
"""
