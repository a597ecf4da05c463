"""Gossamer: a web search engine that anyone can own and configure."""

__version__ = "0.1.0"
