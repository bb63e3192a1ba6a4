"""`python -m assayer` is the same as `assayer`."""

import sys

from assayer.cli import main

sys.exit(main())
