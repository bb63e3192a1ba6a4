"""Two snapshots side by side: what differs, where, and what can't be said.

A snapshot is what `assayer.equivalence.incell.snapshot` makes of live objects in a cell. Here it
is data, and may be anybody's: nothing in it is run, and no document can make this fail.
"""

from assayer.equivalence.comparator._compare import compare_snapshots
from assayer.equivalence.comparator._document import digest
from assayer.equivalence.comparator._show import show, show_call
from assayer.equivalence.comparator._tolerance import Tolerance

__all__ = ["Tolerance", "compare_snapshots", "digest", "show", "show_call"]
