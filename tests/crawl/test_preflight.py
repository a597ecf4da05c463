from pathlib import Path
from typing import Any

import pytest

from gossamer.config import CrawlSettings
from gossamer.crawl.preflight import check_settings
from gossamer.errors import SettingsError


def check(**settings: Any) -> None:
    # As a run of an earlier version may have stored them: not even looked at yet.
    values = CrawlSettings(seeds=("http://a.example/",)).model_copy(update=settings)
    check_settings(values)


def test_nothing_to_object_to(tmp_path: Path) -> None:
    (tmp_path / "list").touch()
    (tmp_path / "plugin.py").write_text("def on_page(page): pass")
    check()
    check(
        scope="patterns",
        include=("/x*", "re:[0-9]+"),
        exclude=("*.pdf",),
        link_scope="//main",
        block_lists=(str(tmp_path / "list"),),
        plugins=(str(tmp_path / "plugin.py"),),
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scope": "patterns"}, "'include'"),
        ({"include": ("/x", "re:a(b")}, "'include'.*'re:a\\(b'.*missing"),
        ({"exclude": ("re:(?=a)",)}, "'exclude'.*look-around"),
        ({"exclude": (" ",)}, "'exclude'.*empty"),
        ({"link_scope": "//a["}, "'link_scope'.*no XPath"),
        ({"block_lists": ("/no/such/list",)}, "'/no/such/list'.*No such file"),
        ({"plugins": ("/no/such/plugin.py",)}, "'/no/such/plugin.py'.*No such file"),
    ],
)
def test_what_is_told_before_a_crawl_starts(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        check(**settings)
