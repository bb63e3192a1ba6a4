"""The class of a program's work in one parameter, from the counts of its basic blocks."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.profiling.fitting._models import SMALL_N, Array, rank
from steelyard.profiling.fitting._names import LADDER
from steelyard.profiling.fitting._result import SURE, WorkClass, WorkTerm, ordered, too_few
from steelyard.profiling.fitting._series import (
    RELATIVE_SIGMA,
    InputBasis,
    SeriesClass,
    classify_series,
)
from steelyard.profiling.fitting._table import Observation, Table

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
class _Group:
    """Series that are proportional to one another."""

    by_run: Array
    counts: Array
    """Means at each size."""
    blocks: tuple[str, ...]
    growth: SeriesClass
    sure_from: float
    """Probability from which the group alone can put a class up for acceptance."""


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
    table = Table.of(list(observations))
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


def _chosen_sizes(table: Table) -> Table:
    n, total = table.n, table.total()
    if n[-1] <= SMALL_N:
        return table
    growth = math.log(max(total[-1], 1) / max(total[0], 1))
    if len(n) > TOP_SIZES and growth < SLOW_GROWTH * math.log(n[-1] / max(n[0], 1)):
        return table.at(np.unique(np.linspace(0, len(n) - 1, SPREAD_SIZES).round().astype(int)))
    start = min(int(np.searchsorted(n, ODD_N)), max(0, len(n) - ENOUGH_SIZES))
    return table.at(np.arange(max(start, len(n) - TOP_SIZES), len(n)))


def _input_basis(table: Table) -> InputBasis | None:
    """Return the input's length as a curve, where it grows about as n or as n^2."""
    n, length = table.n, table.means(table.input_bytes)
    if n[-1] <= SMALL_N or n[0] < 1 or length.min() <= 0 or length[-1] <= 3 * length[0]:
        return None
    exponent = float(np.polyfit(np.log(n[-5:]), np.log(length[-5:]), 1)[0])
    for nearest, complexity in ((1.0, "O(n)"), (2.0, "O(n^2)")):
        if nearest - 0.15 < exponent < nearest + 0.25:
            return InputBasis(length, complexity)
    return None


def _groups(table: Table, basis: InputBasis | None) -> list[_Group]:
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
        groups.append(_Group(by_run, counts, tuple(keys), growth, sure_from))
    return groups


def _follows(counts: Array, length: Array) -> bool:
    ratio = counts / length * (length[-1] / counts[-1])
    return bool(np.abs(ratio - 1)[-6:].max() < INPUT_TOLERANCE)


def _top_down(
    table: Table, groups: Sequence[_Group], basis: InputBasis | None
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
    table: Table, pool: Sequence[_Group], basis: InputBasis | None
) -> SeriesClass | None:
    """None if it has no share of the work."""
    by_run = np.sum([group.by_run for group in pool], axis=0)
    if table.means(by_run)[-1] < TERM_SHARE * table.total()[-1]:
        return None
    return _growth_of(table, by_run, basis)


def _growth_of(table: Table, by_run: Array, basis: InputBasis | None) -> SeriesClass:
    return classify_series(table.n, table.means(by_run), basis, noise=table.noise(by_run))


def _terms(table: Table, groups: Sequence[_Group], accepted: str) -> tuple[WorkTerm, ...]:
    """Return what the work is made of; nothing in it grows faster than the accepted class."""
    by_class: dict[str, list[_Group]] = {}
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


def _heaviest(table: Table, keys: Iterable[str]) -> tuple[str, ...]:
    """Blocks by their count at the largest size, the heaviest first."""
    largest = table.size_of_run == len(table.n) - 1
    return tuple(sorted(keys, key=lambda key: (-table.blocks[key][largest].sum(), key)))
