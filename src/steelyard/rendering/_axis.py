"""Place figures on the range of an axis."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """A range with its label and its ticks."""

    label: str
    low: float
    high: float
    log: bool
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1 for those in range."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        return math.log(max(value, 1e-300) / self.low) / math.log(self.high / self.low)

    def inside(self, value: float) -> float:
        """Return where a value lies, at the nearer end for those out of range."""
        return min(max(self.place(value), 0.0), 1.0)
