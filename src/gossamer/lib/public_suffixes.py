"""Which part of a name was registered by somebody: the list of public suffixes, quickly read.

The list, and what its rules mean, are those of the package `publicsuffixlist`. That one encodes all
rules of other scripts when it reads them, which takes as long as importing a large library; here a
name of another script is decoded when one comes.
"""

from pathlib import Path

import ada_url
from publicsuffixlist import PSLFILE


class PublicSuffixes:
    def __init__(self, text: str | None = None) -> None:
        """`text`: another list than the package's own."""
        lines = (Path(PSLFILE).read_bytes().decode() if text is None else text).split("\n")
        self._rules = {line.split(" ")[0] for line in lines if line and not line.startswith("//")}

    def registrable(self, name: str) -> str | None:
        """The public suffix of an ASCII name and one label before it, where there is one. A last
        label that nobody has listed is a public suffix."""
        labels = name.lower().split(".")
        if "" in labels:
            return None
        public = self._public_labels(labels)
        return ".".join(labels[-public - 1 :]) if len(labels) > public else None

    def lists(self, ending: str) -> bool:
        """Whether the list names this ending itself: 'org' and 'co.uk', not 'js'."""
        return _as_listed(ending.lower()) in self._rules

    def _public_labels(self, labels: list[str]) -> int:
        rules = self._rules
        for start in range(len(labels)):
            ending = _as_listed(".".join(labels[start:]))
            depth = len(labels) - start
            if f"!{ending}" in rules:
                return depth - 1
            if f"*.{ending}" in rules:
                return depth + 1 if start else depth  # a wildcard's own name is public too
            if ending in rules:
                return depth
        return 1


def _as_listed(ending: str) -> str:
    return str(ada_url.idna_to_unicode(ending)) if "xn--" in ending else ending
