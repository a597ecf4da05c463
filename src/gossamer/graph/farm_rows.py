"""Link farms found, their links cut, and what they lost by that written down."""

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.config import RankSettings
from gossamer.errors import FormatError
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.building import PageGraph
from gossamer.graph.farms import Farm, farm_pages, find_farms, with_losses, without_farms
from gossamer.graph.names import ADVICE, Int32s
from gossamer.graph.page_rank import Ranks
from gossamer.graph.solving import solved
from gossamer.storage.objects import LocalObjects, refusals

_FILE = "farms.json"


class FarmRow(Struct, frozen=True):
    """A link farm, as it is kept and shown. Ranks are on the scale on which the mean of a page is
    one."""

    number: int  # from 1, the largest first
    pages: tuple[int, ...]  # nodes
    hosts: int
    domains: int
    shape: str
    density: float
    stays: float  # the share of its links that leads to its own pages, or to those it boosts
    fed_outside: float  # links from outside for each link of its own
    why: str
    rank_before: float  # of its pages together
    rank_after: float
    boosted: tuple[int, ...]  # pages outside that it works for
    best: int  # the page that gained most
    best_before: float
    best_after: float


class Cut(NamedTuple):
    ranks: Ranks  # without the links of farms
    farms: list[FarmRow]
    kept: NDArray[np.bool_]  # of each link, whether it counts


def cut_farms(
    pages: PageGraph,
    host_domains: Int32s,
    in_links: Adjacency,
    found: Ranks,
    settings: RankSettings,
    trusted: Floats | None,
) -> Cut:
    """`found`: the ranks with all links."""
    plain = found
    if pages.weights is not None or trusted is not None:
        # Pages of a farm are alike where all links and all pages count alike.
        plain = solved(pages.graph, settings, None, None)
    farms = find_farms(
        pages.graph,
        pages.hosts,
        host_domains[pages.hosts],
        plain,
        damping=settings.damping,
        transposed=in_links,
    )
    farmed = farm_pages(pages.graph.nodes, farms)
    kept = ~farmed[pages.graph.sources()]
    if not farms:
        return Cut(found, [], kept)
    weights = None if pages.weights is None else pages.weights[kept]
    after = solved(without_farms(pages.graph, farms), settings, weights, trusted, found.values)
    nodes = pages.graph.nodes
    rows = [
        _row(number, _with_ranks(farm, found), nodes)
        for number, farm in enumerate(with_losses(farms, after), 1)
    ]
    return Cut(after, rows, kept)


def _with_ranks(farm: Farm, found: Ranks) -> Farm:
    """What it had is told by the ranks that were kept, not by those that it was found with."""
    return farm._replace(
        rank_before=float(found.values[farm.pages].sum()),
        best_before=float(found.values[farm.best]),
    )


def _row(number: int, farm: Farm, nodes: int) -> FarmRow:
    return FarmRow(
        number=number,
        pages=tuple(farm.pages.tolist()),
        hosts=farm.hosts,
        domains=farm.domains,
        shape=farm.shape,
        density=float(farm.density),
        stays=float(farm.stays),
        fed_outside=float(farm.fed_outside),
        why=farm.why,
        rank_before=farm.rank_before * nodes,
        rank_after=farm.rank_after * nodes,
        boosted=tuple(farm.boosted.tolist()),
        best=int(farm.best),
        best_before=farm.best_before * nodes,
        best_after=farm.best_after * nodes,
    )


def as_farm(row: FarmRow, nodes: int) -> Farm:
    """As those who draw it know it."""
    return Farm(
        pages=np.array(row.pages, np.int32),
        hosts=row.hosts,
        domains=row.domains,
        shape=row.shape,
        density=row.density,
        stays=row.stays,
        fed_outside=row.fed_outside,
        boosted=np.array(row.boosted, np.int32),
        rank_before=row.rank_before / nodes,
        rank_after=row.rank_after / nodes,
        best=row.best,
        best_before=row.best_before / nodes,
        best_after=row.best_after / nodes,
        why=row.why,
    )


def write_farms(folder: Path, farms: list[FarmRow]) -> None:
    LocalObjects(folder).put(_FILE, msgspec.json.encode(farms))


def read_farms(folder: Path) -> list[FarmRow]:
    path = folder / _FILE
    with refusals(f"Cannot read {path}"):
        try:
            return msgspec.json.decode(path.read_bytes(), type=list[FarmRow])
        except FileNotFoundError:
            raise FormatError(f"{path} is missing. {ADVICE}") from None
        except msgspec.DecodeError as error:
            raise FormatError(f"{path} is damaged ({error}). {ADVICE}") from None
