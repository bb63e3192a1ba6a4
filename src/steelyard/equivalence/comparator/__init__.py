"""Two snapshots side by side: what differs, where, and what can't be said.

A snapshot is what `steelyard.equivalence.incell.snapshot` makes of live objects in a cell. Here it
is data, and may be anybody's: nothing in it is run, and no document can make this fail.
"""

from steelyard.equivalence.comparator._compare import compare_snapshots
from steelyard.equivalence.comparator._document import digest
from steelyard.equivalence.comparator._show import show, show_call
from steelyard.equivalence.comparator._tolerance import Tolerance

__all__ = ["Tolerance", "compare_snapshots", "digest", "show", "show_call"]
