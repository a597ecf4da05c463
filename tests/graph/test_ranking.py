"""From link files to ranks, and what a reader of them says."""

from pathlib import Path

import numpy as np
import pytest

from gossamer.config import RankSettings
from gossamer.errors import FormatError, RankError
from gossamer.graph.link_files import write_link_file
from gossamer.graph.names import Names
from gossamer.graph.ranking import Solved, rank_links
from gossamer.graph.reader import STATICS, RankReader
from gossamer.graph.store import RANKS_VERSION, RankManifest, RankSet, RankStore
from gossamer.urls import PLAIN_KEYS, from_href
from tests.graph.segments import Link, Row, Segment, Store

PLAIN = {"drop_parameters": [], "drop_session_ids": False, "index_files": []}


def ranked(folder: Path, segment: Segment, **settings: object) -> tuple[RankSet, Solved]:
    """Published ranks of one segment."""
    links = folder / "links"
    write_link_file(links, Store(segment), 0, PLAIN_KEYS, own_keys=True)
    ranks = RankStore(folder / "ranks").set_of(("run-1",))
    number, target = ranks.start()
    chosen = RankSettings.model_validate(settings)
    solved = rank_links([links], chosen, target)
    ranks.publish(
        RankManifest(
            version=RANKS_VERSION,
            generation=number,
            runs=("run-1",),
            rules=PLAIN,
            settings=chosen.model_dump(mode="json"),
            segments=("run-1/0",),
            built_at=1.0,
            **solved._asdict(),
        )
    )
    return ranks, solved


def web_with_a_farm() -> tuple[Segment, str]:
    """Twenty honest sites, and thirty pages on ten domains that know each other and one page."""
    rng = np.random.default_rng(3)
    honest = [f"http://site{place // 15}.example/{place}" for place in range(300)]
    links = []
    for place, url in enumerate(honest):
        home = place // 15 * 15
        links += [Link(url, honest[home])]
        links += [Link(honest[home], url)] if place % 3 else []
        links += [Link(url, honest[home + int(one)]) for one in rng.integers(0, 15, place % 5)]
        # Few pages are linked from other sites, and some of them by many.
        links += [Link(url, honest[int(300 * rng.random() ** 4)])] if place % 4 == 0 else []
    farm = [f"http://farm{place % 10}.example/{place}" for place in range(30)]
    boosted = "http://boosted.example/"
    links += [Link(one, other) for one in farm for other in farm if one != other]
    links += [Link(one, boosted) for one in farm]
    links += [Link(honest[0], farm[0]), Link(boosted, honest[1])]
    rows = [Row(url) for url in (*honest, *farm, boosted)]
    return Segment(rows, links), boosted


def test_farms_are_cut_and_reported(tmp_path: Path) -> None:
    segment, boosted = web_with_a_farm()
    before, _ = ranked(tmp_path / "with", segment)
    after, solved = ranked(tmp_path / "without", segment, farms=True)
    assert solved.farms == 1
    with RankReader(before) as old, RankReader(after) as new:
        node = new.node(from_href(boosted))
        assert old.page_ranks[node] > 3 * new.page_ranks[node]
        (farm,) = new.farms
        assert (len(farm.pages), farm.domains) == (30, 10)
        assert farm.rank_after < farm.rank_before
        assert farm.why
        inside = new.node(from_href("http://farm3.example/3"))
        assert (new.page(inside).farm, new.page(node).farm) == (1, 0)
        host = [one.name for one in new.names.hosts].index("boosted.example")
        assert new.host_ranks[host] < old.host_ranks[host], "hosts do not gain by farms either"
        assert {link.contribution for link in new.strongest(node)} == {0.0}
        assert new.statics([["http://farm3.example/3"]])[0, STATICS.index("farm")] == 1


def test_ranks_have_a_mean_of_one(tmp_path: Path) -> None:
    segment, _ = web_with_a_farm()
    ranks, solved = ranked(tmp_path, segment)
    with RankReader(ranks) as reader:
        assert reader.page_ranks.mean() == pytest.approx(1)
        assert reader.host_ranks.mean() == pytest.approx(1)
        assert reader.domain_ranks.mean() == pytest.approx(1)
        assert (solved.nodes, solved.hosts, solved.domains) == (331, 31, 31)
        assert reader.in_degrees.sum() == solved.edges


def test_a_document_has_the_sum_of_what_its_pages_have(tmp_path: Path) -> None:
    a, b, c = "http://a.example/", "http://www.a.example/", "http://c.example/"
    segment = Segment(
        [Row(a), Row(b), Row(c), Row(c + "old", "redirect", a)],
        [Link(c, a), Link(a, b), Link(c, b), Link(b, c)],
    )
    ranks, _ = ranked(tmp_path, segment)
    with RankReader(ranks) as reader:
        one, other = (reader.page(reader.node(from_href(url))) for url in (a, b))
        rows = reader.statics([[a, b, c + "old"], [a], ["http://nobody.example/", "::"]])
        together, alone, unknown = (dict(zip(STATICS, row, strict=True)) for row in rows.tolist())
    assert together["page_rank"] == pytest.approx(one.page_rank + other.page_rank)
    assert together["host_rank"] == pytest.approx(one.host_rank + other.host_rank)
    assert together["domain_rank"] == pytest.approx(one.domain_rank), "both are of one domain"
    assert together["in_degree"] == 1 + 2
    assert together["combined_rank"] > alone["combined_rank"] == pytest.approx(one.combined_rank)
    assert all(np.isnan(value) for value in unknown.values())


def test_an_empty_segment_has_nothing_to_rank(tmp_path: Path) -> None:
    with pytest.raises(RankError, match="no pages"):
        ranked(tmp_path, Segment([]))


def test_ranks_of_another_version_are_refused(tmp_path: Path) -> None:
    ranks, _ = ranked(tmp_path, web_with_a_farm()[0])
    path = ranks.path / "manifest.json"
    path.write_text(path.read_text().replace('"version": 1', '"version": 99'))
    with pytest.raises(FormatError, match="gossamer rank"):
        RankReader(ranks)
    number, folder = ranks.start()
    assert (number, list(folder.iterdir())) == (1, []), "and may be replaced"


@pytest.mark.parametrize("name", ["page-rank.npy", "names.bin", "hosts.tsv", "pages.graph"])
def test_missing_and_damaged_files_are_told(tmp_path: Path, name: str) -> None:
    ranks, _ = ranked(tmp_path, web_with_a_farm()[0])
    path = ranks.generation(1) / name
    path.unlink()
    with pytest.raises(FormatError, match=name), RankReader(ranks) as reader:
        reader.graph  # noqa: B018 - opened when it is asked for


def test_readers_keep_what_they_read(tmp_path: Path) -> None:
    segment, _ = web_with_a_farm()
    ranks, _ = ranked(tmp_path, segment)
    with RankReader(ranks) as reader:
        ranked(tmp_path, segment)
        assert ranks.generation(1).exists()
        assert reader.url(0).startswith("http://")
    ranks.sweep()
    assert not ranks.generation(1).exists()


def test_names_are_found_by_number_and_by_address(tmp_path: Path) -> None:
    ranked(tmp_path, Segment([Row("http://a.example/ä"), Row("http://a.example/b")]))
    names = Names(tmp_path / "links")
    assert len(names) == 2
    for place in range(2):
        assert names.find(from_href(names.name(place))) == place
    assert names.find(from_href("http://a.example/c")) == -1
    assert names.find(from_href("http://0.example/")) == -1
    assert names.taken(np.array([1, 0])).to_pylist() == [names.name(1), names.name(0)]


def test_which_ranks_are_those_of_some_runs(tmp_path: Path) -> None:
    store = RankStore(tmp_path)

    def publish(*runs: str, at: float) -> None:
        one = store.set_of(runs)
        number, _ = one.start()
        numbers = dict.fromkeys(("nodes", "edges", "crawled", "hosts", "domains"), 1)
        counts = dict.fromkeys(("iterations", "host_iterations", "domain_iterations"), 1)
        one.publish(
            RankManifest(
                version=RANKS_VERSION,
                generation=number,
                runs=runs,
                rules=PLAIN,
                settings={},
                segments=(),
                residual=0.0,
                seconds=0.0,
                built_at=at,
                **numbers,
                **counts,
            )
        )

    def best(*runs: str) -> list[tuple[str, ...]]:
        manifests = [one.manifest() for one in store.best_for(runs)]
        return [manifest.runs for manifest in manifests if manifest is not None]

    assert best("a") == []
    publish("a", "b", at=1.0)
    publish("c", at=2.0)
    assert best("a") == [("a", "b")]
    assert best("b", "a") == [("a", "b")], "in any order"
    assert best("a", "c") == [("c",), ("a", "b")]
    publish("a", at=3.0)
    assert best("a") == [("a",)]
    assert best("b") == [("a", "b")]
    store.forget_runs(frozenset({"a", "c"}))
    assert best("b") == []
    assert best("a") == [("a",)]
