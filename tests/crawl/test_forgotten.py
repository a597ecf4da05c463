from gossamer.crawl.forgotten import ForgottenUrls
from gossamer.records import Exclusion
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import parse

PAGE, OTHER = parse("http://example.org/a"), parse("http://example.org/b")


def test_urls_and_hosts() -> None:
    forgotten = ForgottenUrls(
        Tombstones(
            urls=frozenset({(PAGE.site_hash, PAGE.key)}), hosts=frozenset({"gone.example:8080"})
        )
    )
    assert forgotten.objection(PAGE, OTHER, 1) is Exclusion.FORGOTTEN
    assert forgotten.objection(OTHER, PAGE, 1) is None
    assert forgotten.covers(parse("https://gone.example:8080/x"))
    assert not forgotten.covers(parse("https://gone.example/x"))


def test_by_the_key_of_another_run() -> None:
    """Rules that make keys may change: the plain href is known as well."""
    forgotten = ForgottenUrls(Tombstones(urls=frozenset({(PAGE.site_hash, PAGE.key)})))
    assert forgotten.covers(PAGE._replace(key=PAGE.key + 1))
    assert not forgotten.covers(OTHER._replace(key=OTHER.key + 1))


def test_nothing_is_forgotten_by_age() -> None:
    assert not ForgottenUrls(Tombstones(before=1e12)).covers(PAGE)
