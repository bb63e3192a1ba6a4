"""How long both versions take: the procedure, and what its estimates say."""

from steelyard.equivalence.incell.looping_rule import MOST_SECONDS, is_stable
from steelyard.equivalence.speed._decide import decide, interval_of
from steelyard.equivalence.speed._paired import Pair, PairedTimes, measure_in_pairs

__all__ = [
    "MOST_SECONDS",
    "Pair",
    "PairedTimes",
    "decide",
    "interval_of",
    "is_stable",
    "measure_in_pairs",
]
