"""The hosts of the local web, one module for each kind of trouble."""

from tests.web.hosts import (
    bombs,
    broken,
    charsets,
    documents,
    faults,
    headers,
    manners,
    redirects,
    robots,
    status,
    tls,
    tree,
    waiting,
)
from tests.web.message import Host


def nasty_hosts() -> tuple[Host, ...]:
    """The hand-made hosts, with fresh state."""
    modules = (
        *(status, redirects, robots, charsets, broken, faults, bombs, documents, headers),
        *(manners, tls),
    )
    return tuple(host for module in modules for host in module.hosts())


def all_hosts(tree_shape: tree.TreeShape, waiting_shape: waiting.WaitingShape) -> tuple[Host, ...]:
    """Every host, the generated ones too."""
    return (*nasty_hosts(), *tree.hosts(tree_shape), *waiting.hosts(waiting_shape))
