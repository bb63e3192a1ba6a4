"""`python -m steelyard` is the same as `steelyard`."""

import sys

from steelyard.cli import main

sys.exit(main())
