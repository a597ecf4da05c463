"""Graphs out of text files that somebody else made."""

import gzip
import zlib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.errors import EdgeListError, GossamerError
from gossamer.graph import edge_lists
from gossamer.graph.edge_lists import LONGEST_LINE, EdgeList, read_edges

NAMES = st.text(
    st.characters(blacklist_characters="\t\n\r\0", blacklist_categories=["Cs"]), min_size=1
).filter(lambda name: not name.startswith(("#", "\ufeff")) and not name.isdigit() and name.strip())


def _read(folder: Path, content: bytes | str, name: str = "links.tsv") -> EdgeList:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_edges(path)


def _links(edges: EdgeList) -> Counter[tuple[str, str]]:
    names = edges.names.of(range(edges.graph.nodes))
    graph = edges.graph
    return Counter((names[n], names[to]) for n in range(graph.nodes) for to in graph.targets_of(n))


def test_numbers(tmp_path: Path) -> None:
    edges = _read(tmp_path, "0\t2\n2\t1\n0\t2\n1\t1\n")
    assert _links(edges) == {("0", "2"): 2, ("2", "1"): 1, ("1", "1"): 1}
    assert edges.graph.nodes == 3


@pytest.mark.parametrize("large", [5, 3_000_000, 2**31, 10**17])
def test_numbers_that_do_not_occur_are_no_nodes(tmp_path: Path, large: int) -> None:
    edges = _read(tmp_path, f"7\t{large}\n{large}\t9\n")
    assert set(_links(edges)) == {("7", str(large)), (str(large), "9")}
    assert edges.graph.nodes == 3


def test_names_are_numbered_as_they_come(tmp_path: Path) -> None:
    edges = _read(tmp_path, "https://b.test/\thttps://a.test/ü\nhttps://a.test/ü\tc d\n12\tc d")
    assert edges.names.of([0, 1, 2, 3]) == ["https://b.test/", "https://a.test/ü", "c d", "12"]
    assert set(_links(edges)) == {
        ("https://b.test/", "https://a.test/ü"),
        ("https://a.test/ü", "c d"),
        ("12", "c d"),
    }


@pytest.mark.parametrize(
    "content",
    [
        "0\t1\n1\t2\n",
        "0\t1\n1\t2",
        "0\t1\r\n1\t2\r\n",
        "\ufeff0\t1\n1\t2\n",
        "# from\tto\n\n0\t1\n#\n1\t2\n\n\n",
        "0 1\n1 2\n",
        "  0   1  \n 1 2\n",
        "# a head with a\ttab\n0 1\n1 2\n",
        gzip.compress(b"0\t1\n1\t2\n"),
        gzip.compress(b"0\t1\n") + gzip.compress(b"1\t2\n"),
    ],
)
def test_ways_to_write_the_same(tmp_path: Path, content: str | bytes) -> None:
    assert set(_links(_read(tmp_path, content))) == {("0", "1"), ("1", "2")}


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, NAMES), min_size=1), st.sampled_from([9, 64, 1 << 22]))
def test_any_names_and_chunks(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]], chunk: int
) -> None:
    content = "".join(f"{source}\t{target}\n" for source, target in pairs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_lists, "_CHUNK", chunk)
        patch.setattr(edge_lists, "_FEW_NAMES", 2)
        edges = _read(tmp_path_factory.mktemp("lists"), content)
    assert _links(edges) == Counter(pairs)


@pytest.mark.parametrize("chunk", [5, 1 << 22])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("0\t1\n5\n2\t3\n", "line 2: two columns .* one: '5'"),
        ("a\tb\n\n# c\nlonely\n", "line 4: two columns .* 'lonely'"),
        ("0\t1\n1\t2\t3\n", "line 2: two columns .* more"),
        ("0 1\n1 2 3\n", "line 2: two columns .* more"),
        ("0\t1\n1\tpage\n", "line 2: .* began with numbers.*page"),
        ("0\t1\n#\n1\t-2\n", "line 3: .* began with numbers"),
        ("0\t1\n1\t2.5\n", "line 2: .* began with numbers"),
        ("0\t1\n1\t1234567890123456789\n", "line 2: numbers have at most 18 digits"),
        ("0\t1\n1\t2\0\n", "line 2: there is a zero byte"),
        ("a\tb\n\0\n", "line 2: there is a zero byte"),
        ("a\tb\n\tc\n", "line 2: one of its two columns is empty"),
        ("a\tb\na\t\n", "line 2: one of its two columns is empty"),
        ("0\t1\n" + "9" * (LONGEST_LINE + 1) + "\t1\n", "line 2: longer than"),
        ("a\tb\nc\td\n" + "x" * (2 * LONGEST_LINE), "line 3: longer than"),
        ("0", "line 1: two columns"),
    ],
)
def test_the_line_of_a_fault_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, said: str, chunk: int
) -> None:
    monkeypatch.setattr(edge_lists, "_CHUNK", chunk)
    for data in (content.encode(), gzip.compress(content.encode())):
        with pytest.raises(EdgeListError, match=f"links.tsv, {said}"):
            _read(tmp_path, data)


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n", gzip.compress(b"")])
def test_nothing_is_told(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(EdgeListError, match="has no links"):
        _read(tmp_path, content)


def test_utf_16_is_told(tmp_path: Path) -> None:
    with pytest.raises(EdgeListError, match=r"line 1: .*UTF-8"):
        _read(tmp_path, "0\t1\n".encode("utf-16"))


@pytest.mark.parametrize("cut", [2, 12, 400, -8, -4, -1])
def test_a_cut_gzip_names_the_line_it_came_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    monkeypatch.setattr(edge_lists, "_CHUNK", 100)
    packed = gzip.compress("".join(f"{n}\t{n * 7919 % 10007}\n" for n in range(3000)).encode())
    with pytest.raises(EdgeListError, match=r"unpacked after line [\d,]+ .*Fetch it again"):
        _read(tmp_path, packed[:cut])


@pytest.mark.parametrize("place", [3, 30, 2000, -6, -2])
def test_a_damaged_gzip_is_told(tmp_path: Path, place: int) -> None:
    data = "".join(f"{n}\t{n * 7919 % 10007}\n" for n in range(3000)).encode()
    packed = bytearray(gzip.compress(data, mtime=0))
    packed[place] ^= 0xFF
    with pytest.raises(EdgeListError, match=r"links\.tsv"):
        _read(tmp_path, bytes(packed))


def test_what_is_no_gzip_inside(tmp_path: Path) -> None:
    with pytest.raises(EdgeListError, match="unpacked"):
        _read(tmp_path, b"\x1f\x8b" + zlib.compress(b"0\t1\n"))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EdgeListError, match="is not there"):
        read_edges(tmp_path / "none.tsv")
    with pytest.raises(GossamerError, match="Cannot read"):
        read_edges(tmp_path)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_graph_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("lists")
    try:
        edges = _read(folder, content)
    except EdgeListError:
        return
    assert edges.graph.edges > 0
    assert edges.graph.nodes == len(edges.names.of(range(edges.graph.nodes)))
