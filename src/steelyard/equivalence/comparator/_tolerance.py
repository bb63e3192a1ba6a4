"""How far apart two floats may lie and still count as alike."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Bounds for floats and complex numbers; everything else stays exact.

    Attributes:
        relative: Share of the larger of the two.
        absolute: In the values' own unit.
    """

    relative: float = 0.0
    absolute: float = 0.0

    def __post_init__(self) -> None:
        for bound in (self.relative, self.absolute):
            if not bound >= 0:
                raise ValueError(f"a tolerance must be at least 0, got {bound}")

    def allows(self, one: complex, other: complex) -> bool:
        """Whether they are close, as `math.isclose` says; NaN is close to NaN."""
        if one == other or (one != one and other != other):
            return True
        size = max(abs(one), abs(other))
        if math.isinf(size):
            return False
        return abs(one - other) <= max(self.relative * size, self.absolute)
