"""Counts of blocks over sizes and runs, and how far chance moves them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._models import Array

_WINDOW = np.ones(3)
"""A few runs of one size tell little of their spread: its neighbours' runs help."""


@dataclass(frozen=True)
class Observation:
    """The counted work of one run."""

    point: Point
    input_bytes: int
    work: Mapping[str, int]
    """How often each block was entered."""


@dataclass(frozen=True)
class Table:
    """Counts over ascending sizes, one run or more at each: the same size, other inputs."""

    n: Array
    """Shape (sizes,)."""
    size_of_run: NDArray[np.intp]
    """The index in `n` of each run's size, shape (runs,)."""
    blocks: dict[str, Array]
    """Shape (runs,) each."""
    input_bytes: Array
    """Shape (runs,)."""

    @classmethod
    def of(cls, observations: Sequence[Observation]) -> "Table":
        """Return the counts of these runs; a block missing from a run was not entered there."""
        runs = sorted(observations, key=lambda run: run.point.n)
        n, size_of_run = np.unique([float(run.point.n) for run in runs], return_inverse=True)
        keys = sorted({key for run in runs for key in run.work})
        blocks = {key: np.array([float(run.work.get(key, 0)) for run in runs]) for key in keys}
        lengths = np.array([float(run.input_bytes) for run in runs])
        return cls(n, size_of_run, blocks, lengths)

    def at(self, indexes: NDArray[np.intp]) -> "Table":
        """Only the sizes at these ascending indexes."""
        runs = np.isin(self.size_of_run, indexes)
        return Table(
            self.n[indexes],
            np.searchsorted(indexes, self.size_of_run[runs]),
            {key: counts[runs] for key, counts in self.blocks.items()},
            self.input_bytes[runs],
        )

    def added(self, keys: Iterable[str]) -> Array:
        """Count of several blocks together, shape (runs,)."""
        return sum((self.blocks[key] for key in keys), np.zeros(len(self.size_of_run)))

    def total(self) -> Array:
        """Return all work, the mean at each size."""
        return self.means(self.added(self.blocks))

    def means(self, by_run: Array) -> Array:
        """Means over the runs of each size, shape (sizes,)."""
        means: Array = np.bincount(self.size_of_run, by_run) / np.bincount(self.size_of_run)
        return means

    def noise(self, by_run: Array) -> Array:
        """Return the standard error of these means as a share of them, shape (sizes,).

        0 if neither a size nor its neighbours have two runs: then nothing is known of it.
        """
        runs = np.bincount(self.size_of_run)
        mean = self.means(by_run)
        scaled = by_run / np.where(mean > 0, mean, 1.0)[self.size_of_run]
        squares = self.means((scaled - self.means(scaled)[self.size_of_run]) ** 2) * runs
        freedom = np.convolve(runs - 1, _WINDOW, "same")
        variance = np.convolve(squares, _WINDOW, "same") / np.maximum(freedom, 1)
        noise: Array = np.sqrt(variance / runs)
        return noise


def noisy_share(one: Mapping[str, int], other: Mapping[str, int], least_share: float) -> float:
    """Return how far two runs of one size differ in a block, at the most, as a share of its count.

    Args:
        one: Counts of a run, by block.
        other: Of a run on another input of that size.
        least_share: Of all work; blocks below are not looked at.
    """
    least = least_share * max(sum(one.values()), sum(other.values()))
    pairs = ((one.get(key, 0), other.get(key, 0)) for key in one.keys() | other.keys())
    return max((abs(a - b) / max(a, b) for a, b in pairs if max(a, b) > least), default=0.0)
