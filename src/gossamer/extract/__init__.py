"""What does this page say, and where does it point?

In comes a `RawPage`: an answer with its content encodings undone. Out goes a `PageContent`: the
text line by line with the tag class of each line, title, language, links, robots directives and
two fingerprints; or an `Unread`, which says why nobody can tell: a format that nothing reads, a
document that is locked or broken, a page that took its reader down.

The way through, for HTML: sniff what the bytes are, decode them, tame what would take a parser
quadratic time, parse once, walk the tree once, and read text, links and metadata off that walk.
PDF, Word and OpenDocument files go the way of `isolated`: in a process of their own, with limits.

Not for fetching, not for deciding which links are followed or which pages are kept: a page that
forbids indexing is read like any other, and its directives are reported.
"""
