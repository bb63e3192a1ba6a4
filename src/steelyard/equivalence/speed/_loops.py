"""The known rule for `--method loops`, as runs in cells apply it."""

from steelyard.equivalence.incell.looping_rule import MOST_SECONDS, is_stable

__all__ = ["MOST_SECONDS", "is_stable"]
