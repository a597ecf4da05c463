"""What can be wrong with settings although each of them is well-formed: told before a start.

Files that are not there, expressions that mean nothing, plugins that do not load. Later, all of
that would be a fault of a worker.
"""

from gossamer.config import CrawlSettings, blaming
from gossamer.crawl.block_lists import check_files
from gossamer.crawl.filters import check_scope
from gossamer.crawl.patterns import check_pattern
from gossamer.errors import SettingsError
from gossamer.lib import xpaths
from gossamer.plugins import check_plugins


def check_settings(settings: CrawlSettings) -> None:
    """Raises `SettingsError`."""
    with blaming("scope"):
        check_scope(settings)
    for name in ("include", "exclude"):
        for pattern in getattr(settings, name):
            try:
                check_pattern(pattern)
            except ValueError as error:
                raise SettingsError(f"Setting '{name}': '{pattern}' {error}.") from None
    if settings.link_scope:
        try:
            xpaths.compiled(settings.link_scope)
        except ValueError as error:
            raise SettingsError(
                f"Setting 'link_scope' is '{settings.link_scope}': {error}."
            ) from None
    with blaming("block_lists"):
        check_files(settings.block_lists)
    with blaming("plugins"):
        check_plugins(settings.plugins)
