"""Where do the roles run, and how do they talk?

In: role specifications (a factory's name and its settings as bytes). Out: peers that can be called.
The contract is in `contract`; `local` runs roles in this process, `processes` in worker processes
on this machine, which are forked from a `nursery` (that is started in `nursery_start`). A cluster
implements the same contract. Not for: what the roles do.
"""
