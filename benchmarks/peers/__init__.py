"""The peers' own programs, written as their users would write them when speed matters.

Run by the interpreter of the peers' environment; nothing of ours is imported.
"""
