"""Which queue server owns a site: partitions are dealt out in equal, unbroken ranges."""

from gossamer.urls import PARTITIONS, partition_of


def owner_of(site_hash: int, servers: int) -> int:
    return partition_of(site_hash) * servers // PARTITIONS
