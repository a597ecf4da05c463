"""Writes one of two versions of an index, over and over, until it is killed.

python -m tests.faults.index_writer FOLDER FIRST_VERSION [SHARDS]
"""

import sys
from itertools import count
from pathlib import Path
from typing import Any

from tests.searching import SmallIndex, SmallSet

DOCUMENTS = 300


def version(number: int) -> list[dict[str, Any]]:
    """All documents of a version say which it is; every version leaves some out."""
    return [
        {"id": str(one), "title": "stone", "text": f"common v{number % 7} unique{one}"}
        for one in range(DOCUMENTS)
        if one % 7 != number % 7
    ]


def main() -> None:
    folder = Path(sys.argv[1])
    index = SmallSet(folder, int(sys.argv[3])) if len(sys.argv) > 3 else SmallIndex(folder)
    for number in count(int(sys.argv[2])):
        index.write(version(number))
        print(number, flush=True)


if __name__ == "__main__":
    main()
