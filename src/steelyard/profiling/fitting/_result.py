"""Results of a classification."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from steelyard.profiling.fitting._names import UNSURE

Basis = Literal["work", "instructions", "time", "heap", "resident", "none"]

SURE = 0.99
"""Posterior given where there is no rival to weigh: nothing measured is ever quite certain."""


@dataclass(frozen=True)
class WorkTerm:
    """A part of the work that grows in one way."""

    complexity: str
    share: float
    """Of all work at the largest size, from 0 to 1."""
    blocks: tuple[str, ...] = ()
    """The blocks that do it, the heaviest first."""


@dataclass(frozen=True)
class WorkClass:
    """A class of growth, with what speaks for it."""

    complexity: str
    """Such as `O(n log n)`; `unsure` where the sizes are too few to say anything."""
    posterior: tuple[tuple[str, float], ...] = ()
    """Classes with their probabilities, the likeliest first; empty if undecided."""
    terms: tuple[WorkTerm, ...] = ()
    """What the work is made of, the heaviest first."""
    basis: Basis = "none"
    """What it was inferred from."""
    sizes: int = 0
    """How many distinct sizes it rests on."""
    curve: str = ""
    """The curve within the class that fits best, such as `phi^n`."""

    @property
    def confidence(self) -> float:
        """Probability of `complexity`, from 0 to 1."""
        return dict(self.posterior).get(self.complexity, 0.0)

    @property
    def runner_up(self) -> str | None:
        """The likeliest other class; None if there is no other."""
        return next((name for name, _ in self.posterior if name != self.complexity), None)


def too_few(basis: Basis, sizes: int) -> WorkClass:
    """Return the answer where the sizes are too few to decide."""
    return WorkClass(UNSURE, basis=basis, sizes=sizes)


def ordered(posterior: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return a posterior with the likeliest class first, without what is next to impossible."""
    likely = [(name, float(p)) for name, p in posterior.items() if p >= 1e-4]
    return tuple(sorted(likely, key=lambda entry: -entry[1]))


def normalised(log_weights: Mapping[str, float]) -> dict[str, float]:
    """Probabilities from logarithms of unnormalised ones."""
    names = list(log_weights)
    logs = np.array([log_weights[name] for name in names])
    weights = np.exp(logs - logs.max())
    return dict(zip(names, (weights / weights.sum()).tolist(), strict=True))
