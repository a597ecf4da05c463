"""Experiments of the papers that Gossamer follows, repeated on our own engine with more to show.

`make experiments` runs them all, prints their tables and writes them, with plots, to
`docs/experiments`. What is measured is a function with its size as an argument; what is said about
it stands in the same module.
"""
