"""Relevance: the collection that ships with the project, and the floors that rankings must hold."""
