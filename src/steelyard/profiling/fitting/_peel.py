"""Find the series over a grid that are proportional to 1, n, m, n*m, n^2, n+m or the input."""

import math
from dataclasses import dataclass

import numpy as np

from steelyard.profiling.fitting._forms import M2, N2, NM, ONE, Columns, M, N
from steelyard.profiling.fitting._models import Array
from steelyard.profiling.fitting._names import Terms
from steelyard.profiling.fitting._nonnegative import fit_nonnegative

NEGLIGIBLE_SHARE = 0.002
"""Of all work, everywhere on the grid; series below are left out."""
PEEL_MEDIAN = 0.01
PEEL_MOST = 0.05
"""A series this near to a basis, in the median and at worst, is proportional to it."""


@dataclass(frozen=True)
class Peeled:
    """Blocks whose counts follow one basis."""

    terms: Terms
    share: float
    """Of all work, where it is the greatest."""
    keys: tuple[str, ...]


def peel(
    two: Columns, input_bytes: Array, blocks: dict[str, Array], total: Array
) -> tuple[list[Peeled], list[str]]:
    """Return the series that follow a basis, and the blocks whose counts follow none.

    Args:
        two: The grid.
        input_bytes: Lengths of the inputs, shape (points,).
        blocks: The counts of each block, shape (points,).
        total: Their sum.
    """
    together: dict[tuple[float, ...], list[str]] = {}
    for key, counts in blocks.items():
        shape = tuple(np.round(counts / max(1.0, counts.max()), 3).tolist())
        together.setdefault(shape, []).append(key)
    bases = _bases(two, input_bytes)
    peeled: list[Peeled] = []
    rest: list[str] = []
    for keys in together.values():
        counts = np.sum([blocks[key] for key in keys], axis=0)
        share = float((counts / total).max())
        if share < NEGLIGIBLE_SHARE:
            continue
        terms = next((terms for terms, basis in bases if _follows(counts, basis)), None)
        if terms is None:
            rest.extend(keys)
        else:
            peeled.append(Peeled(terms, share, tuple(keys)))
    return peeled, rest


def _bases(two: Columns, input_bytes: Array) -> list[tuple[Terms, Array]]:
    bases = [(frozenset({term}), two.of(term)) for term in (ONE, N, M, NM, N2)]
    if input_bytes.min() > 0:
        bases.append((_input_terms(two, input_bytes), input_bytes))
    bases.append((frozenset({N, M}), two.n + two.m))
    return bases


def _input_terms(two: Columns, input_bytes: Array) -> Terms:
    """Return the terms that the input's length is made of, the fewest that come near."""
    best: tuple[float, Terms] = (math.inf, frozenset({ONE}))
    for form in ((M,), (N,), (N, M), (NM,), (N2,), (M2,)):
        columns = [two.of(term) for term in form]
        fit = fit_nonnegative(columns, input_bytes, 1 / input_bytes)
        score = float(np.abs(fit.fitted / input_bytes - 1).max()) + 0.1 * len(form)
        if score < best[0]:
            best = (score, frozenset(form))
    return best[1]


def _follows(counts: Array, basis: Array) -> bool:
    ratio = counts / basis
    middle = float(np.median(ratio))
    if middle <= 0:
        return False
    off = np.abs(ratio / middle - 1)
    return bool(np.median(off) < PEEL_MEDIAN and off.max() < PEEL_MOST)
