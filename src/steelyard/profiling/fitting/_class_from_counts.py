"""Classify a program's work in one parameter, from the counts of its basic blocks.

1. `CountTable` holds the counts of all runs, by size, and gives how far chance moves them.
2. The largest sizes are chosen: further down, constants and short loops rule.
3. Series that are proportional to one another are a group. `classify_series` classifies each: every
   class is fitted alone and with a term of lower order, and weighed by BIC and the prior.
4. From the fastest class down, all series that may belong to it or above are added up. The class is
   taken if their sum has a share of the work and itself grows so fast.
5. The groups of each class are a term of the result, with their blocks.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._class_curves import (
    LOWER,
    PRIOR,
    SMALL_N,
    Array,
    Variant,
    curves_through,
    first_variant,
    is_small,
    rank,
)
from steelyard.profiling.fitting._class_names import LADDER
from steelyard.profiling.fitting._result import (
    SURE,
    Fitted,
    WorkClass,
    WorkTerm,
    best_by_name,
    best_of,
    ordered,
    too_few,
    weighed,
)

FEWEST_SIZES = 3
"""Below this any curve of two numbers fits exactly."""
TOP_SIZES = 9
"""How many of the largest sizes count: further down, constants and short loops rule."""
SPREAD_SIZES = 12
"""Number of sizes over the whole range if work grows too slowly for the largest ones alone."""
SLOW_GROWTH = 0.25
"""Work below this power of n grows slowly."""
ODD_N = 32
"""Below this size sorts and others run another algorithm; such sizes are left out..."""
ENOUGH_SIZES = 5
"""...as long as this many remain."""
CONSTANT_STEPS = 3
"""Totals that differ by no more are constant..."""
CONSTANT_SHARE = 0.05
"""...or by no more than this share of the largest."""
NEGLIGIBLE_SHARE = 0.001
"""Of all work; a series below is left out."""
TERM_SHARE = 0.02
"""Of all work; a term must have it to name the class."""
AMBIGUOUS = 0.02
"""A series with this probability of growing so fast is weighed with those that do."""
ACCEPTED = 0.5
"""Probability from which a sum of series is taken to grow so fast..."""
CERTAIN = 0.9
"""...from which one whose counts are moved by chance puts a class up at all..."""
SOLID = 0.98
"""...and from which series are weighed without those that only may belong to them."""
INPUT_TOLERANCE = 2e-3
"""A series this near to the input's length over its last six sizes counts bytes."""


@dataclass(frozen=True)
class SeriesClass:
    """The growth of one series."""

    complexity: str
    posterior: dict[str, float]
    curve: str

    def at_least(self, lowest: int) -> float:
        """Return the probability that the class is at this index of the ladder or above."""
        return sum(p for name, p in self.posterior.items() if rank(name) >= lowest)


@dataclass(frozen=True)
class _SeriesGroup:
    """Series that are proportional to one another."""

    by_run: Array
    counts: Array
    """Means at each size."""
    blocks: tuple[str, ...]
    growth: SeriesClass
    sure_from: float
    """Probability from which the group alone can put a class up for acceptance."""


@dataclass(frozen=True)
class Observation:
    """The counted work of one run."""

    point: Point
    input_bytes: int
    work: Mapping[str, int]
    """How often each block was entered."""


def classify_work(observations: Iterable[Observation]) -> WorkClass:
    """Return the class of the work in n.

    The series of each block is classified alone. Then, from the fastest class down, all series that
    may belong to it or above are added up; the class is taken if their sum has a share of the work
    and itself grows so fast.

    Args:
        observations: One for each size and seed, in any order; m is not looked at.

    Returns:
        Its `basis` is `work`; `terms` name blocks. `unsure` with an empty posterior below three
        sizes, or where nothing was counted.
    """
    table = CountTable.of(list(observations))
    sizes = len(table.n)
    if sizes < FEWEST_SIZES or table.total().max() <= 0:
        return too_few("work", sizes)
    table = _chosen_sizes(table)
    total = table.total()
    if total.max() - total.min() <= max(CONSTANT_STEPS, CONSTANT_SHARE * total.max()):
        term = WorkTerm("O(1)", 1.0, _heaviest(table, table.blocks))
        return WorkClass("O(1)", (("O(1)", SURE),), (term,), "work", sizes, "1")
    basis = _input_basis(table)
    groups = _groups(table, basis)
    accepted, growth = _top_down(table, groups, basis)
    return WorkClass(
        accepted,
        ordered(growth.posterior),
        _terms(table, groups, accepted),
        "work",
        sizes,
        growth.curve,
    )


@dataclass(frozen=True)
class CountTable:
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
    def of(cls, observations: Sequence[Observation]) -> "CountTable":
        """Return the counts of these runs; a block missing from a run was not entered there."""
        runs = sorted(observations, key=lambda run: run.point.n)
        n, size_of_run = np.unique([float(run.point.n) for run in runs], return_inverse=True)
        keys = sorted({key for run in runs for key in run.work})
        blocks = {key: np.array([float(run.work.get(key, 0)) for run in runs]) for key in keys}
        lengths = np.array([float(run.input_bytes) for run in runs])
        return cls(n, size_of_run, blocks, lengths)

    def at(self, indexes: NDArray[np.intp]) -> "CountTable":
        """Only the sizes at these ascending indexes."""
        runs = np.isin(self.size_of_run, indexes)
        return CountTable(
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


def _chosen_sizes(table: CountTable) -> CountTable:
    n, total = table.n, table.total()
    if n[-1] <= SMALL_N:
        return table
    growth = math.log(max(total[-1], 1) / max(total[0], 1))
    if len(n) > TOP_SIZES and growth < SLOW_GROWTH * math.log(n[-1] / max(n[0], 1)):
        return table.at(np.unique(np.linspace(0, len(n) - 1, SPREAD_SIZES).round().astype(int)))
    start = min(int(np.searchsorted(n, ODD_N)), max(0, len(n) - ENOUGH_SIZES))
    return table.at(np.arange(max(start, len(n) - TOP_SIZES), len(n)))


@dataclass(frozen=True)
class InputBasis:
    """The input's length as a curve of its own.

    Loops over digits do as many steps as the input has bytes, and as numbers grow longer with n
    that would look like n log n.
    """

    length: Array
    """Bytes, shape (sizes,)."""
    complexity: str
    """The class that such a loop counts as."""


def _input_basis(table: CountTable) -> InputBasis | None:
    """Return the input's length as a curve, where it grows about as n or as n^2."""
    n, length = table.n, table.means(table.input_bytes)
    if n[-1] <= SMALL_N or n[0] < 1 or length.min() <= 0 or length[-1] <= 3 * length[0]:
        return None
    exponent = float(np.polyfit(np.log(n[-5:]), np.log(length[-5:]), 1)[0])
    for nearest, complexity in ((1.0, "O(n)"), (2.0, "O(n^2)")):
        if nearest - 0.15 < exponent < nearest + 0.25:
            return InputBasis(length, complexity)
    return None


def _groups(table: CountTable, basis: InputBasis | None) -> list[_SeriesGroup]:
    together: dict[tuple[float, ...], list[str]] = {}
    for key, by_run in table.blocks.items():
        counts = table.means(by_run)
        if counts[-1] > 0:
            shape = tuple(np.round(counts / counts[-1], 3).tolist())
            together.setdefault(shape, []).append(key)
    least = NEGLIGIBLE_SHARE * table.total()[-1]
    groups = []
    for keys in together.values():
        by_run = table.added(keys)
        counts, noise = table.means(by_run), table.noise(by_run)
        if counts[-1] < least:
            continue
        growth = classify_series(table.n, counts, basis, noise=noise)
        if basis is not None and _follows(counts, basis.length):
            growth = SeriesClass(basis.complexity, {basis.complexity: 1.0}, "input bytes")
        sure_from = CERTAIN if noise.max() > RELATIVE_SIGMA else ACCEPTED
        groups.append(_SeriesGroup(by_run, counts, tuple(keys), growth, sure_from))
    return groups


def _follows(counts: Array, length: Array) -> bool:
    ratio = counts / length * (length[-1] / counts[-1])
    return bool(np.abs(ratio - 1)[-6:].max() < INPUT_TOLERANCE)


def _top_down(
    table: CountTable, groups: Sequence[_SeriesGroup], basis: InputBasis | None
) -> tuple[str, SeriesClass]:
    """Return the fastest class that a share of the work is taken to have.

    What is noisy is often half of a pair whose sum is not, such as a partition's scan from the left
    and from the right: so series that may belong are weighed together with those that do. Such a
    pool can also hide what is certain under the noise of others: so that is weighed alone, too.
    """
    for index in range(len(LADDER) - 1, -1, -1):
        found = []
        for member_from, pool_from in ((AMBIGUOUS, ACCEPTED), (SOLID, SOLID)):
            pool = [group for group in groups if group.growth.at_least(index) > member_from]
            if any(group.growth.at_least(index) > group.sure_from for group in pool):
                growth = _growth_of_pool(table, pool, basis)
                if growth is not None and growth.at_least(index) > pool_from:
                    found.append(growth)
        if found:
            return LADDER[index], max(found, key=lambda growth: growth.posterior[LADDER[index]])
    growth = _growth_of(table, table.added(table.blocks), basis)
    return growth.complexity, growth


def _growth_of_pool(
    table: CountTable, pool: Sequence[_SeriesGroup], basis: InputBasis | None
) -> SeriesClass | None:
    """None if it has no share of the work."""
    by_run = np.sum([group.by_run for group in pool], axis=0)
    if table.means(by_run)[-1] < TERM_SHARE * table.total()[-1]:
        return None
    return _growth_of(table, by_run, basis)


def _growth_of(table: CountTable, by_run: Array, basis: InputBasis | None) -> SeriesClass:
    return classify_series(table.n, table.means(by_run), basis, noise=table.noise(by_run))


def _terms(
    table: CountTable, groups: Sequence[_SeriesGroup], accepted: str
) -> tuple[WorkTerm, ...]:
    """Return what the work is made of; nothing in it grows faster than the accepted class."""
    by_class: dict[str, list[_SeriesGroup]] = {}
    total = table.total()[-1]
    for group in groups:
        name = min(group.growth.complexity, accepted, key=rank)
        by_class.setdefault(name, []).append(group)
    terms = []
    for name, members in by_class.items():
        share = float(sum(group.counts[-1] for group in members) / total)
        blocks = _heaviest(table, [key for group in members for key in group.blocks])
        terms.append(WorkTerm(name, share, blocks))
    return tuple(sorted(terms, key=lambda term: -term.share))


def _heaviest(table: CountTable, keys: Iterable[str]) -> tuple[str, ...]:
    """Blocks by their count at the largest size, the heaviest first."""
    largest = table.size_of_run == len(table.n) - 1
    return tuple(sorted(keys, key=lambda key: (-table.blocks[key][largest].sum(), key)))


_WINDOW = np.ones(3)
"""A few runs of one size tell little of their spread: its neighbours' runs help."""


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


RELATIVE_SIGMA = 0.02
"""Spread of a count around its curve at the largest size, as a share of it. Measured: counts
repeat exactly, this is what the inputs' chance and the curve's roughness leave."""
SIGMA_GROWTH = 0.25
"""By which power of (n_max / n) the spread grows towards small sizes..."""
SIGMA_GROWTH_LIMIT = 4.0
"""...and how many times at most: n may be a value up to 1e18, and its small ones count too."""
POISSON = 0.25
"""Variance for each count: small counts wander by their square root's half."""
LOWER_SHARE = 0.3
"""How much of the value at n_max a negative term of lower order may take away."""
LOWER_SHARE_LOG = 0.8
"""The same for classes with a logarithm, where n log(n/k) is common."""
MISFIT = 50.0
"""Chi-square per degree of freedom above which no curve meets a series: the smallest sizes, which a
threshold or a constant rules, are left out until one does. Measured: counts of programs stay far
below; work that begins at some size, such as that of long integers, lies in the hundreds."""
FEWEST_OF_SERIES = 5
"""Sizes that are kept; where no curve meets even these, half of the evidence is the prior."""
LOWER_SHARE_ADDED = 0.6
"""How much of the value at n_max a positive term of lower order may be."""


def classify_series(
    n: Array,
    counts: Array,
    basis: InputBasis | None = None,
    *,
    noise: Array | None = None,
) -> SeriesClass:
    """Return the class of one series.

    Every class is fitted as `a f(n)` and as `a f(n) + b g(n)` with g of lower order; the best by
    BIC represents the class, and the chi-squares are scaled so that the best class fits as well as
    its spread allows.

    Args:
        n: Sizes, ascending, shape (sizes,), at least 3.
        counts: Shape (sizes,); the last one above 0.
        basis: The input's length, where it may explain a series.
        noise: Standard errors of the counts as shares of them, shape (sizes,), where inputs of
            one size were seen to differ; added to what every series is granted.
    """
    small = is_small(n)
    growth = np.minimum((n[-1] / n) ** (0.0 if small else SIGMA_GROWTH), SIGMA_GROWTH_LIMIT)
    variance = (RELATIVE_SIGMA * growth * counts) ** 2 + POISSON * counts + 1.0
    if noise is not None:
        variance += (noise * counts) ** 2
    weights = 1 / np.sqrt(variance)
    fits = [
        (complexity, fit)
        for complexity, variant in curves_through(n, counts)
        for fit in _fits(complexity, variant, n, counts, weights)
    ]
    if basis is not None and not small:
        fits += ((basis.complexity, fit) for fit in _input_fits(basis, counts, weights))
    best = best_by_name(fits, len(n))
    misfit = best_of(best, len(n)).misfit(len(n))
    if not small and misfit > MISFIT and len(n) > FEWEST_OF_SERIES:
        return classify_series(
            n[1:],
            counts[1:],
            basis and InputBasis(basis.length[1:], basis.complexity),
            noise=None if noise is None else noise[1:],
        )
    posterior = weighed(best, len(n), PRIOR, max(1.0, misfit))
    likeliest = max(posterior, key=posterior.__getitem__)
    if not small and misfit > MISFIT:
        posterior = {name: (p + PRIOR[name]) / 2 for name, p in posterior.items()}
    return SeriesClass(likeliest, posterior, best[likeliest].curve)


def _fits(
    complexity: str, variant: Variant, n: Array, counts: Array, weights: Array
) -> list[Fitted]:
    """Return the curve alone, and with each term of lower order that makes sense."""
    main = variant.scaled(n)
    _, chi2 = _least_squares([main], counts, weights)
    fits = [Fitted(chi2, 1 + variant.parameters, variant.name)]
    for lower in LOWER[complexity]:
        scale, chi2 = _least_squares([main, first_variant(lower).scaled(n)], counts, weights)
        has_log = "log" in complexity and complexity != "O(log n)" and lower != "O(1)"
        taken = (LOWER_SHARE_LOG if has_log else LOWER_SHARE) * counts[-1]
        if scale[0] > 0 and -taken <= scale[1] <= LOWER_SHARE_ADDED * counts[-1]:
            fits.append(Fitted(chi2, 2 + variant.parameters, variant.name))
    return fits


def _input_fits(basis: InputBasis, counts: Array, weights: Array) -> list[Fitted]:
    length = basis.length / basis.length[-1]
    _, chi2 = _least_squares([length], counts, weights)
    fits = [Fitted(chi2, 1, "input bytes")]
    scale, chi2 = _least_squares([length, np.ones(len(length))], counts, weights)
    if scale[0] > 0 and abs(scale[1]) < LOWER_SHARE * counts[-1]:
        fits.append(Fitted(chi2, 2, "input bytes"))
    return fits


def _least_squares(columns: Sequence[Array], y: Array, weights: Array) -> tuple[Array, float]:
    """Coefficients and chi-square of a weighted fit."""
    matrix = np.array(columns).T
    weighted = matrix * weights[:, None]
    scale = np.abs(weighted).max(axis=0)
    scale[scale == 0] = 1
    solution = np.linalg.lstsq(weighted / scale, y * weights, rcond=None)[0] / scale
    residual = (matrix @ solution - y) * weights
    return solution, float(residual @ residual)
