"""How good is a page for a query, and why?

In come numbers about pages that match. Out goes a score for each, which opens into its parts.

Not for finding pages, and not for what is shown of them.
"""
