"""Typed settings, defined once: options, `gossamer settings` and the reference are made of them.

crawl.py     the settings of a crawl
index.py     those of an index
listing.py   how people read about them and write them
files.py     crawler files, the command line and the environment: their only reader
"""

from gossamer.config.crawl import PROJECT_CONTACT, CrawlSettings
from gossamer.config.files import (
    DEFAULT_HOME,
    HOME_VARIABLE,
    crawl_settings,
    default_home,
    index_settings,
    load_crawler_file,
    load_index_file,
    without_secrets,
)
from gossamer.config.index import IndexSettings
from gossamer.config.listing import Setting, list_settings, setting_from_text

__all__ = [
    "DEFAULT_HOME",
    "HOME_VARIABLE",
    "PROJECT_CONTACT",
    "CrawlSettings",
    "IndexSettings",
    "Setting",
    "crawl_settings",
    "default_home",
    "index_settings",
    "list_settings",
    "load_crawler_file",
    "load_index_file",
    "setting_from_text",
    "without_secrets",
]
