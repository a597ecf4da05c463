"""Typed settings, defined once: options, `gossamer settings` and the reference are made of them.

crawl.py     the settings of a crawl
index.py     those of an index
rank.py      those of link analysis
server.py    those of the search site
listing.py   how people read about them and write them
files.py     crawler files, the command line and the environment: their only reader
"""

from gossamer.config.crawl import PROJECT_CONTACT, CrawlSettings
from gossamer.config.files import (
    CATALOGUE_VARIABLE,
    DEFAULT_HOME,
    HOME_VARIABLE,
    PROGRESS_VARIABLE,
    STANDARD_INPUT,
    blaming,
    catalogue_address,
    crawl_settings,
    default_home,
    index_settings,
    load_crawler_file,
    load_index_file,
    load_rank_file,
    load_server_file,
    pointing_at,
    rank_settings,
    server_settings,
    without_secrets,
)
from gossamer.config.index import IndexSettings
from gossamer.config.listing import Model, Setting, list_settings, setting_from_text
from gossamer.config.rank import RankSettings
from gossamer.config.server import EVERY_INDEX, ServerSettings

__all__ = [
    "CATALOGUE_VARIABLE",
    "DEFAULT_HOME",
    "EVERY_INDEX",
    "HOME_VARIABLE",
    "PROGRESS_VARIABLE",
    "PROJECT_CONTACT",
    "STANDARD_INPUT",
    "CrawlSettings",
    "IndexSettings",
    "Model",
    "RankSettings",
    "ServerSettings",
    "Setting",
    "blaming",
    "catalogue_address",
    "crawl_settings",
    "default_home",
    "index_settings",
    "list_settings",
    "load_crawler_file",
    "load_index_file",
    "load_rank_file",
    "load_server_file",
    "pointing_at",
    "rank_settings",
    "server_settings",
    "setting_from_text",
    "without_secrets",
]
