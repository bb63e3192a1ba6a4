"""Define loops and how often they run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from steelyard.solving.pruning._tree import Block


@dataclass(frozen=True, slots=True)
class Extent:
    """The number of rounds of a loop each time that it is entered, at the largest input."""

    steps: float
    label: str
    """The loop's collection, in the text's words."""
    kind: Literal["size", "log", "constant", "tests", "exponential", "once"]
    steps_by: str = ""
    """The outer loop's variable that is its step."""
    top: float | None = None
    """The largest value of its variable, where known."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A loop on the way down to a statement."""

    block: Block
    variables: tuple[str, ...]
    extent: Extent


ONCE = Extent(1.0, "", "once")


def logarithm(value: float | None) -> Extent:
    """Return a loop that halves or doubles its variable."""
    steps = 20.0 if value is None else max(1.0, math.log2(value + 2))
    return Extent(steps, "log", "log", top=value)
