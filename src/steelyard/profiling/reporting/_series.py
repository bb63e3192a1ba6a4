"""Figures of a report over its sizes, and the classes whose curves are drawn through them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.profiling._records import Point
from steelyard.profiling.fitting import Curve, fit_curve
from steelyard.schemas import ComplexityEstimate, Measurement

Array = NDArray[np.float64]
Kind = Literal["cpu_ms", "memory_mib", "work"]
"""Which of a measurement's figures."""


@dataclass(frozen=True)
class Series:
    """Figures above 0, each array of shape (sizes,)."""

    n: Array
    m: Array
    """0 if there is no second parameter."""
    y: Array

    @classmethod
    def of(cls, items: Iterable[Measurement], kind: Kind) -> "Series":
        """Return the figures of measurements that have them."""
        rows = [(item.n, item.m or 0, getattr(item, kind)) for item in items]
        return cls(*np.array(rows, dtype=float).reshape(-1, 3).T)

    def curve(
        self, complexity: str, *, constant: bool = True, lower: Iterable[str] = ()
    ) -> Curve | None:
        """Return a class's curve through them; None if it has none, or they are too few.

        Args:
            complexity: The class.
            constant: Whether they hold a part that does not grow.
            lower: Classes of terms of lower order that they hold too.
        """
        points = [Point(int(n), int(m)) for n, m in zip(self.n, self.m, strict=True)]
        return fit_curve(points, self.y.tolist(), complexity, constant=constant, lower=lower)


def likeliest(estimate: ComplexityEstimate) -> str:
    """Return the class that is drawn, however unsure; empty if no class is known."""
    if not estimate.unsure:
        return estimate.complexity
    return estimate.candidates[0][0] if estimate.candidates else ""


def rival(estimate: ComplexityEstimate) -> str:
    """Return the second class that is drawn; empty if no other is known."""
    if estimate.runner_up:
        return estimate.runner_up
    others = [name for name, _ in estimate.candidates if name != likeliest(estimate)]
    return others[0] if others else ""


def as_floats(values: Array) -> tuple[float, ...]:
    """Return an array as charts hold it."""
    return tuple(values.tolist())
