"""Two snapshots side by side: what differs, where, and what can't be said.

A snapshot is what `steelyard.values.incell.snapshot` makes of live objects in a cell. Here it
is data, and may be anybody's: nothing in it is run, and no document can make this fail.
"""

from steelyard.values.snapshots._arrays import Tolerance
from steelyard.values.snapshots._compare import compare_snapshots
from steelyard.values.snapshots._show import show_call

__all__ = ["Tolerance", "compare_snapshots", "show_call"]
