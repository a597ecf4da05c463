"""Puts one document after the other into an index until it is killed; prints what was acknowledged.

python -m tests.faults.document_writer HOME FIRST_NUMBER
"""

import sys
from itertools import count

import gossamer


def main() -> None:
    indexes = gossamer.open(sys.argv[1])
    for number in count(int(sys.argv[2])):
        report = indexes.put_documents("stones", {"id": f"d{number}", "text": f"word{number}"})
        assert report.stored == 1
        print(number, flush=True)


if __name__ == "__main__":
    main()
