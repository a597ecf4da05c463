"""From segments to graphs: the same as with dictionaries, and what each rule does."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.graph.building import PageGraph, Wishes, build
from gossamer.graph.link_files import Gathering, opened, write_link_file
from gossamer.graph.numbering import Numbering, number, roots_of
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import PLAIN_KEYS, from_href, site_of
from tests.graph.segments import Link, Row, Segment, Store

EVERYTHING = Wishes(template_weight=1.0)


def built(
    folder: Path, *segments: Segment, wishes: Wishes = EVERYTHING, block: int = 4_000_000
) -> tuple[PageGraph, Numbering]:
    store = Store(*segments)
    folders = []
    for place in range(len(segments)):
        folders.append(folder / f"links-{place}")
        write_link_file(folders[-1], store, place, PLAIN_KEYS, own_keys=True)
    files = opened(folders)
    numbering = number(files, folder / "graph", block)
    return build(files, numbering, wishes, folder / "graph", block=block), numbering


def links_of(pages: PageGraph, numbering: Numbering) -> set[tuple[str, str]]:
    names = [numbering.names.name(one) for one in pages.numbers.tolist()]
    sources = pages.graph.sources().tolist()
    targets = pages.graph.targets.tolist()
    return {(names[one], names[other]) for one, other in zip(sources, targets, strict=True)}


A, B, C, D = (f"http://{name}.example/" for name in "abcd")


def test_links_once_and_none_to_itself(tmp_path: Path) -> None:
    links = [Link(A, B), Link(A, B), Link(A, A), Link(B, A, nofollow=True)]
    pages, numbering = built(tmp_path, Segment([Row(A), Row(B)], links))
    assert links_of(pages, numbering) == {(A, B)}
    pages, numbering = built(
        tmp_path / "all", Segment([Row(A), Row(B)], links), wishes=Wishes(nofollow=True)
    )
    assert links_of(pages, numbering) == {(A, B), (B, A)}


def test_hosts_count_every_link(tmp_path: Path) -> None:
    links = [Link(A, B), Link(A, B), Link(A + "2", B), Link(A, A + "2"), Link(B, C)]
    pages, numbering = built(tmp_path, Segment([Row(A), Row(A + "2"), Row(B)], links))
    hosts = [host.name for host in numbering.names.hosts]
    graph, weights = pages.host_graph
    found = {
        (hosts[one], hosts[other]): weight
        for one, other, weight in zip(
            graph.sources().tolist(), graph.targets.tolist(), weights.tolist(), strict=True
        )
    }
    assert found == {("a.example", "b.example"): 3.0, ("b.example", "c.example"): 1.0}


def test_redirects_and_canonical_addresses_lead_to_their_page(tmp_path: Path) -> None:
    segment = Segment(
        [
            Row(A),
            Row(B, "redirect", C),
            Row(C, "redirect", D),
            Row(D),
            Row(D + "copy", leads=D),
            Row(A + "lost", leads=A + "never-seen"),
        ],
        [Link(A, B), Link(A, D + "copy"), Link(D + "copy", A), Link(A + "lost", A)],
    )
    pages, numbering = built(tmp_path, segment)
    # What the copy links to is not what the page links to.
    assert links_of(pages, numbering) == {(A, D), (A + "lost", A)}
    node = int(pages.nodes[numbering.names.find(from_href(B))])
    assert numbering.names.name(int(pages.numbers[node])) == D


def test_circles_of_redirects_are_one(tmp_path: Path) -> None:
    segment = Segment(
        [Row(A), Row(B, "redirect", C), Row(C, "redirect", B), Row(D, "redirect", B)],
        [Link(A, B), Link(A, C), Link(A, D)],
    )
    pages, numbering = built(tmp_path, segment)
    assert pages.graph.nodes == 2
    assert len(links_of(pages, numbering)) == 1


@given(st.lists(st.integers(-1, 11), min_size=12, max_size=12))
def test_roots_are_where_following_ends(forwards: list[int]) -> None:
    states = np.full(12, 2, np.uint8)
    found = roots_of(np.array(forwards, np.int32), states)
    for start in range(12):
        path = [start]
        while forwards[path[-1]] >= 0 and forwards[path[-1]] not in path:
            path.append(forwards[path[-1]])
        following = forwards[path[-1]]
        end = path[-1] if following < 0 else min(path[path.index(following) :])
        assert found[start] == end


def test_pages_that_were_never_fetched_may_be_left_out(tmp_path: Path) -> None:
    segment = Segment([Row(A), Row(B, "http_error")], [Link(A, B), Link(A, C)])
    pages, numbering = built(tmp_path, segment)
    assert pages.graph.nodes == 3
    assert pages.crawled.sum() == 1
    pages, numbering = built(tmp_path / "less", segment, wishes=Wishes(uncrawled=False))
    assert pages.graph.nodes == 1
    assert links_of(pages, numbering) == set()


def test_the_newest_form_of_a_page_counts(tmp_path: Path) -> None:
    old = Segment([Row(A), Row(B)], [Link(A, B), Link(B, C)])
    new = Segment([Row(A)], [Link(A, D)])
    pages, numbering = built(tmp_path, old, new)
    assert links_of(pages, numbering) == {(A, D), (B, C)}


@pytest.mark.parametrize("flagged", [False, True])
def test_links_of_a_template_weigh_less(tmp_path: Path, flagged: bool) -> None:
    sources = [f"{A}{number}" for number in range(6)]
    links = [Link(one, B, boilerplate=flagged) for one in sources[: 1 if flagged else 6]]
    links += [Link(sources[0], C)]
    segment = Segment([Row(one) for one in sources], links)
    pages, numbering = built(tmp_path, segment, wishes=Wishes(template_weight=0.25))
    assert pages.weights is not None
    first = int(pages.nodes[numbering.names.find(from_href(sources[0]))])
    begin, end = pages.graph.offsets[first : first + 2].tolist()
    own = pages.weights[begin:end].tolist()
    by_target = dict(zip(pages.graph.targets_of(first).tolist(), own, strict=True))
    to = {url: int(pages.nodes[numbering.names.find(from_href(url))]) for url in (B, C)}
    assert by_target == {to[B]: 0.25, to[C]: 1.0}


def test_what_is_to_be_forgotten_is_not_in_the_graph(tmp_path: Path) -> None:
    slot = from_href(B)
    gone = Tombstones(urls=frozenset({(slot.site_hash, slot.key)}), hosts=frozenset({"c.example"}))
    store = Store(Segment([Row(A)], [Link(A, B), Link(A, B + "2"), Link(A, C)]), gone=gone)
    write_link_file(tmp_path / "links", store, 0, PLAIN_KEYS, own_keys=True)
    data = b"".join(path.read_bytes() for path in (tmp_path / "links").iterdir())
    assert b"b.example/2" in data
    assert b"c.example" not in data
    (file,) = opened([tmp_path / "links"])
    names = {file.names.name(place) for place in range(len(file.names))}
    assert names == {A, B + "2"}


def test_only_new_segments_are_read(tmp_path: Path) -> None:
    store = Store(Segment([Row(A)], [Link(A, B)]))
    gathering = Gathering(tmp_path)

    def gather() -> int:
        return gathering.gather("run", store, PLAIN_KEYS, True, "rules", lambda _a, _b: None)[1]

    assert gather() == 1
    store.segments.append(Segment([Row(B)], [Link(B, A)]))
    assert gather() == 1
    assert store.read == [0, 1]
    (tmp_path / "run" / "rules" / "0" / "whole.json").unlink()  # as a killed writer leaves it
    assert gather() == 1
    assert gather() == 0


urls = st.builds(
    "http://{}{}/{}".format,
    st.sampled_from(["", "www.", "x."]),
    st.sampled_from(["a.example", "b.example", "c.co.uk"]),
    st.sampled_from(["", "1", "2", "ä"]),
)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.lists(st.tuples(urls, st.sampled_from(["ok", "ok", "redirect", "timeout"]), urls)),
            st.lists(st.tuples(st.integers(0, 9), urls, st.booleans())),
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(1, 20),
)
def test_it_is_what_dictionaries_say(
    made: list[tuple[list[tuple[str, str, str]], list[tuple[int, str, bool]]]], block: int
) -> None:
    """Whatever the segments, and however few addresses are in memory at once."""
    segments = []
    for rows, links in made:
        pages = list({row[0]: Row(*row) for row in rows}.values())
        found = [
            Link(pages[place % len(pages)].url, target, nofollow)
            for place, target, nofollow in links
            if pages
        ]
        segments.append(Segment(pages, found))
    with TemporaryDirectory() as folder:
        graph, numbering = built(Path(folder), *segments, block=block)
        assert links_of(graph, numbering) == set(expected(segments))
        hosts = [host.name for host in numbering.names.hosts]
        sources, targets = graph.host_graph.graph.sources(), graph.host_graph.graph.targets
        between = {
            (hosts[one], hosts[other]): weight
            for one, other, weight in zip(
                sources.tolist(), targets.tolist(), graph.host_graph.weights.tolist(), strict=True
            )
        }
        wanted: Counter[tuple[str, str]] = Counter()
        for (one, other), count in expected(segments).items():
            pair = one.split("/")[2], other.split("/")[2]
            if pair[0] != pair[1]:
                wanted[pair] += count
        assert between == dict(wanted)
        for place in range(len(numbering.names)):
            assert numbering.names.find(from_href(numbering.names.name(place))) == place
        order = [(site_of(host)[0], host) for host in hosts]
        assert order == sorted(order)


def expected(segments: list[Segment]) -> Counter[tuple[str, str]]:
    newest: dict[str, tuple[Row, list[Link]]] = {}
    for segment in segments:
        for row in segment.pages:
            newest[row.url] = (row, [link for link in segment.links if link.source == row.url])

    def following(url: str) -> str | None:
        if url not in newest:
            return None
        row = newest[url][0]
        if row.outcome == "redirect":
            return row.leads
        if row.outcome == "ok" and row.leads in newest and newest[row.leads][0].outcome == "ok":
            return row.leads
        return None

    # Of a circle, one stands for all: which one depends on the numbers of the addresses.
    everyone = {url for one in segments for row in one.pages for url in (row.url, row.leads)}
    everyone |= {link.target for one in segments for link in one.links}
    order = sorted(
        everyone,
        key=lambda url: (site_of(url.split("/")[2])[0], url.split("/")[2], from_href(url).key),
    )

    def root(url: str) -> str:
        path = [url]
        while (leads := following(path[-1])) is not None:
            if leads in path:
                return min(path[path.index(leads) :], key=order.index)
            path.append(leads)
        return path[-1]

    found: Counter[tuple[str, str]] = Counter()
    for url, (_, links) in newest.items():
        for link in links:
            target = root(link.target)
            if root(url) == url and url != target and not link.nofollow:
                found[url, target] += 1
    return found
