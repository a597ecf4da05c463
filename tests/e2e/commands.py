"""`python -m tests.e2e.commands JSON`: many commands in one process, which starts once."""

import json
import sys

from gossamer.cli import main

for command in json.loads(sys.argv[1]):
    try:
        main(command)
    except SystemExit as end:
        if end.code:
            raise
