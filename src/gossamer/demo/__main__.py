"""`python -m gossamer.demo PORT`: serve the sample web until stdin is closed."""

import sys

from gossamer.demo.server import serve_until_stdin_closes
from gossamer.errors import GossamerError

try:
    serve_until_stdin_closes(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
except GossamerError as error:
    sys.exit(str(error))
