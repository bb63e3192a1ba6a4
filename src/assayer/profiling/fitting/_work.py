"""The class of a program's work in one parameter, from the counts of its basic blocks."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assayer.profiling._records import Point
from assayer.profiling.fitting._models import SMALL_N, Array, rank
from assayer.profiling.fitting._names import LADDER
from assayer.profiling.fitting._result import SURE, WorkClass, WorkTerm, ordered, too_few
from assayer.profiling.fitting._series import InputBasis, SeriesClass, classify_series

FEWEST_SIZES = 3
"""Below this any curve of two numbers fits exactly."""
TOP_SIZES = 9
"""How many of the largest sizes count: further down, constants and short loops rule."""
SPREAD_SIZES = 12
"""How many sizes over the whole range where the work grows so slowly that the top says little."""
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
"""Probability from which a sum of series is taken to grow so fast."""
INPUT_TOLERANCE = 2e-3
"""A series this near to the input's length over its last six sizes counts bytes."""


@dataclass(frozen=True)
class Observation:
    """The counted work of one run."""

    point: Point
    input_bytes: int
    work: Mapping[str, int]
    """How often each block was entered."""


@dataclass(frozen=True)
class _Table:
    """Counts by block over ascending sizes; runs of one size with other seeds are added up."""

    n: Array
    blocks: dict[str, Array]
    total: Array
    input_bytes: Array


@dataclass(frozen=True)
class _Group:
    """Series that are proportional to one another."""

    counts: Array
    blocks: tuple[str, ...]
    growth: SeriesClass


def classify_work(observations: Iterable[Observation]) -> WorkClass:
    """The class of the work in n.

    The series of each block is classified alone. Then, from the fastest class down, all series that
    may belong to it or above are added up; the class is taken if their sum has a share of the work
    and itself grows so fast.

    Args:
        observations: One for each size and seed, in any order; m is not looked at.

    Returns:
        Its `basis` is `work`; `terms` name blocks. `unsure` with an empty posterior below three
        sizes, or where nothing was counted.
    """
    table = _table(list(observations))
    if table is None or len(table.n) < FEWEST_SIZES or table.total.max() <= 0:
        return too_few("work", 0 if table is None else len(table.n))
    sizes = len(table.n)
    table = _chosen_sizes(table)
    spread = table.total.max() - table.total.min()
    if spread <= max(CONSTANT_STEPS, CONSTANT_SHARE * table.total.max()) or table.total[-1] <= 0:
        blocks = _heaviest(table.blocks, table.blocks)
        term = WorkTerm("O(1)", 1.0, blocks)
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


def _table(observations: Sequence[Observation]) -> _Table | None:
    by_size: dict[int, list[Observation]] = {}
    for observation in observations:
        by_size.setdefault(observation.point.n, []).append(observation)
    if not by_size:
        return None
    sizes = sorted(by_size)
    seeds = max(len(runs) for runs in by_size.values())
    keys = sorted({key for observation in observations for key in observation.work})

    def added_up(values: Sequence[int]) -> float:
        return float(sum(values)) * seeds / len(values)

    blocks = {
        key: np.array([added_up([run.work.get(key, 0) for run in by_size[n]]) for n in sizes])
        for key in keys
    }
    return _Table(
        np.array(sizes, dtype=float),
        blocks,
        np.sum(list(blocks.values()), axis=0) if blocks else np.zeros(len(sizes)),
        np.array([added_up([run.input_bytes for run in by_size[n]]) for n in sizes]),
    )


def _chosen_sizes(table: _Table) -> _Table:
    n, total = table.n, table.total
    if n[-1] <= SMALL_N:
        return table
    growth = math.log(max(total[-1], 1) / max(total[0], 1))
    if len(n) > TOP_SIZES and growth < SLOW_GROWTH * math.log(n[-1] / max(n[0], 1)):
        kept = np.unique(np.linspace(0, len(n) - 1, SPREAD_SIZES).round().astype(int))
    else:
        start = min(int(np.searchsorted(n, ODD_N)), max(0, len(n) - ENOUGH_SIZES))
        kept = np.arange(max(start, len(n) - TOP_SIZES), len(n))
    blocks = {key: counts[kept] for key, counts in table.blocks.items()}
    return _Table(n[kept], blocks, total[kept], table.input_bytes[kept])


def _input_basis(table: _Table) -> InputBasis | None:
    """The input's length as a curve, where it grows about as n or as n^2."""
    n, length = table.n, table.input_bytes
    if n[-1] <= SMALL_N or n[0] < 1 or length.min() <= 0 or length[-1] <= 3 * length[0]:
        return None
    exponent = float(np.polyfit(np.log(n[-5:]), np.log(length[-5:]), 1)[0])
    for nearest, complexity in ((1.0, "O(n)"), (2.0, "O(n^2)")):
        if nearest - 0.15 < exponent < nearest + 0.25:
            return InputBasis(length, complexity)
    return None


def _groups(table: _Table, basis: InputBasis | None) -> list[_Group]:
    together: dict[tuple[float, ...], list[str]] = {}
    for key, counts in table.blocks.items():
        if counts[-1] > 0:
            shape = tuple(np.round(counts / counts[-1], 3).tolist())
            together.setdefault(shape, []).append(key)
    groups = []
    for keys in together.values():
        counts = np.sum([table.blocks[key] for key in keys], axis=0)
        if counts[-1] < NEGLIGIBLE_SHARE * table.total[-1]:
            continue
        growth = classify_series(table.n, counts, basis)
        if basis is not None and _follows(counts, basis.length):
            growth = SeriesClass(basis.complexity, {basis.complexity: 1.0}, "input bytes")
        groups.append(_Group(counts, tuple(keys), growth))
    return groups


def _follows(counts: Array, length: Array) -> bool:
    ratio = counts / length * (length[-1] / counts[-1])
    return bool(np.abs(ratio - 1)[-6:].max() < INPUT_TOLERANCE)


def _top_down(
    table: _Table, groups: Sequence[_Group], basis: InputBasis | None
) -> tuple[str, SeriesClass]:
    for place in range(len(LADDER) - 1, -1, -1):
        fast = [group for group in groups if group.growth.at_least(place) > AMBIGUOUS]
        if not any(rank(group.growth.complexity) >= place for group in fast):
            continue
        together = np.sum([group.counts for group in fast], axis=0)
        if together[-1] < TERM_SHARE * table.total[-1]:
            continue
        growth = classify_series(table.n, together, basis)
        if growth.at_least(place) > ACCEPTED:
            return LADDER[place], growth
    growth = classify_series(table.n, table.total, basis)
    return growth.complexity, growth


def _terms(table: _Table, groups: Sequence[_Group], accepted: str) -> tuple[WorkTerm, ...]:
    """What the work is made of; nothing in it grows faster than the accepted class."""
    by_class: dict[str, list[_Group]] = {}
    for group in groups:
        name = min(group.growth.complexity, accepted, key=rank)
        by_class.setdefault(name, []).append(group)
    terms = []
    for name, members in by_class.items():
        share = float(sum(group.counts[-1] for group in members) / table.total[-1])
        blocks = _heaviest(table.blocks, [key for group in members for key in group.blocks])
        terms.append(WorkTerm(name, share, blocks))
    return tuple(sorted(terms, key=lambda term: -term.share))


def _heaviest(blocks: Mapping[str, Array], keys: Iterable[str]) -> tuple[str, ...]:
    """Blocks by their count at the largest size, the heaviest first."""
    return tuple(sorted(keys, key=lambda key: (-blocks[key][-1], key)))
