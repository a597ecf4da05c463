"""What the pictures tell, read from their SVG; and that nothing lies outside."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from gossamer.errors import UsageError
from gossamer.graph.adjacency import Adjacency
from gossamer.graph.farms import find_farms, with_losses, without_farms
from gossamer.graph.page_rank import page_rank
from gossamer.graph.pictures import draw_farm, draw_ranks, draw_top


def _read(path: Path) -> ElementTree.Element:
    root = ElementTree.parse(path).getroot()
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for shape in root:
        for x, y in _corners(shape):
            assert -1 <= x <= width + 1, ElementTree.tostring(shape)
            assert -1 <= y <= height + 1, ElementTree.tostring(shape)
    return root


def _corners(shape: ElementTree.Element) -> list[tuple[float, float]]:
    at = shape.attrib
    match shape.tag.rpartition("}")[2]:
        case "polyline":
            return [
                (float(x), float(y)) for x, y in (pair.split(",") for pair in at["points"].split())
            ]
        case "rect":
            x, y = float(at["x"]), float(at["y"])
            return [(x, y), (x + float(at["width"]), y + float(at["height"]))]
        case "circle":
            return [(float(at["cx"]), float(at["cy"]))]
        case _ if "x" in at:
            # A letter is about half as wide as it is high.
            width = 0.56 * float(at["font-size"]) * len(shape.text or "")
            left = (
                float(at["x"])
                - {"start": 0.0, "middle": 0.5, "end": 1.0}[at["text-anchor"]] * width
            )
            return [(left, float(at["y"])), (left + width, float(at["y"]))]
        case _:
            return []  # words that stand upwards


def _texts(root: ElementTree.Element) -> list[str]:
    return [shape.text or "" for shape in root if shape.tag.endswith("}text")]


def _numbers(root: ElementTree.Element, kind: str) -> int:
    return sum(shape.tag.endswith(f"}}{kind}") for shape in root)


def test_ranks_are_drawn_by_how_many_have_at_least_as_much(tmp_path: Path) -> None:
    values = np.array([0.7, 0.1, 0.1, 0.1])
    draw_ranks(tmp_path / "a.svg", {"pages": values, "hosts": np.array([1.0])}, title="A & B")
    root = _read(tmp_path / "a.svg")
    texts = _texts(root)
    assert "A & B" in texts
    assert {"pages", "hosts", "rank, in means", "0.1", "1", "10"} <= set(texts)
    curve = max(
        (shape for shape in root if shape.attrib.get("stroke-width") == "2"),
        key=lambda shape: len(shape.attrib["points"]),
    )
    places = _corners(curve)
    # One has 2.8 means or more, all four have 0.4 or more: from the right below to the left above.
    assert len(places) == 4
    assert places[0][0] > places[-1][0]
    assert places[0][1] > places[-1][1]


def test_ranks_of_zero_are_left_out(tmp_path: Path) -> None:
    draw_ranks(tmp_path / "a.svg", {"pages": np.array([0.0, 0.5, 0.5])})
    _read(tmp_path / "a.svg")


def test_the_highest_are_bars_with_their_names(tmp_path: Path) -> None:
    hosts = [("www.example.org", 4.0), ("b" * 200, 2.0), ("<&>", 0.0)]
    draw_top(tmp_path / "top.svg", {"Hosts": hosts, "Domains": [("example.org", 12_345.6)]})
    root = _read(tmp_path / "top.svg")
    assert {"Hosts", "Domains", "www.example.org", "<&>", "12,346"} <= set(_texts(root))
    widths = [float(shape.attrib["width"]) for shape in root if shape.tag.endswith("}rect")][1:]
    assert widths[0] == pytest.approx(2 * widths[1])
    assert widths[2] == 1
    assert widths[3] == widths[0]


def _farm_of(size: int) -> tuple[Adjacency, np.ndarray]:
    """A clique over five domains, all of which link to the last page, beside a ring of others."""
    ring = list(range(size, size + 200))
    links = [(one, other) for one in range(size) for other in range(size) if one != other]
    links += [(page, size + 200) for page in range(size)]
    links += list(zip(ring, [*ring[1:], ring[0]], strict=True))
    nodes = size + 201
    graph = Adjacency.from_edges([one for one, _ in links], [other for _, other in links], nodes)
    domains = np.where(np.arange(nodes) < size, np.arange(nodes) % 5, 7).astype(np.int32)
    return graph, domains


@pytest.mark.parametrize(("size", "shown"), [(20, 20), (170, 150)])
def test_a_farm_is_a_circle_around_whom_it_boosts(size: int, shown: int, tmp_path: Path) -> None:
    graph, domains = _farm_of(size)
    ranks = page_rank(graph)
    farms = find_farms(graph, domains, domains, ranks)
    farms = with_losses(farms, page_rank(without_farms(graph, farms)))
    (farm,) = farms
    draw_farm(
        tmp_path / "farm.svg",
        graph,
        farm,
        domains,
        name_of_page=lambda page: f"https://boosted.example/{page}/<&>/{'long' * 50}",
        name_of_domain=lambda domain: f"farm{domain}.example",
    )
    root = _read(tmp_path / "farm.svg")
    texts = _texts(root)
    assert f"A link farm: {size} pages on 5 domains (clique)" in texts
    assert (f"{shown} of its pages are drawn" in texts) == (shown < size)
    assert f"farm3.example  {size // 5}" in texts
    assert any(text.startswith("rank of the best:") and "without farms" in text for text in texts)
    assert any(text.startswith("https://boosted") for text in texts)
    # Pages, the boosted one, and the keys: five domains and one for what is boosted.
    assert _numbers(root, "circle") == shown + 1 + 5 + 1
    assert _numbers(root, "polyline") <= 3_000


def test_all_of_them_can_be_png(tmp_path: Path) -> None:
    graph, domains = _farm_of(20)
    ranks = page_rank(graph)
    (farm,) = find_farms(graph, domains, domains, ranks)
    draw_farm(tmp_path / "farm.png", graph, farm, domains)
    draw_ranks(tmp_path / "ranks.png", {"pages": ranks.values})
    draw_top(tmp_path / "top.png", {"Hosts": [("a.example", 1.0)]})
    for name in ("farm", "ranks", "top"):
        with Image.open(tmp_path / f"{name}.png") as image:
            assert image.getpixel((0, 0)) == (255, 255, 255)
            # Neither empty nor filled.
            assert 1 < len(image.convert("L").getcolors() or []) <= 256


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no ranks to draw"):
        draw_ranks(tmp_path / "a.svg", {"pages": np.empty(0)})
    with pytest.raises(UsageError, match="no ranks to draw"):
        draw_top(tmp_path / "a.svg", {"Hosts": []})
    assert list(tmp_path.iterdir()) == []
