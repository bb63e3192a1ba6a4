"""Find the sum of terms in n and m that a series over a grid follows."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._models import Array
from steelyard.profiling.fitting._names import Monomial, Terms
from steelyard.profiling.fitting._nonnegative import fit_nonnegative

ONE = Monomial()
LOG = Monomial(log=1)
N = Monomial(n=1)
M = Monomial(m=1)
N_LOG = Monomial(n=1, log=1)
M_LOG = Monomial(m=1, log=1)
NM = Monomial(n=1, m=1)
NM_LOG = Monomial(n=1, m=1, log=1)
N2 = Monomial(n=2)
M2 = Monomial(m=2)
N2M = Monomial(n=2, m=1)
NM2 = Monomial(n=1, m=2)
N3 = Monomial(n=3)
N_SQRT_M = Monomial(n=1, m=0.5)
M_SQRT_N = Monomial(n=0.5, m=1)
N_SQRT_N = Monomial(n=1.5)

FORMS: tuple[tuple[Terms, float], ...] = (
    (frozenset({ONE}), 0.03),
    (frozenset({LOG}), 0.02),
    (frozenset({N}), 0.08),
    (frozenset({M}), 0.08),
    (frozenset({N, M}), 0.20),
    (frozenset({N_LOG}), 0.05),
    (frozenset({M_LOG}), 0.07),
    (frozenset({N, M_LOG}), 0.06),
    (frozenset({N_LOG, M}), 0.08),
    (frozenset({N_LOG, M_LOG}), 0.08),
    (frozenset({NM}), 0.15),
    (frozenset({NM_LOG}), 0.03),
    (frozenset({N2}), 0.03),
    (frozenset({M2}), 0.01),
    (frozenset({N2, M}), 0.03),
    (frozenset({N2, M_LOG}), 0.005),
    (frozenset({N, M2}), 0.005),
    (frozenset({N2M}), 0.01),
    (frozenset({NM2}), 0.01),
    (frozenset({N3}), 0.01),
    (frozenset({N_SQRT_M}), 0.005),
    (frozenset({M_SQRT_N}), 0.005),
    (frozenset({N_SQRT_N, M_SQRT_N}), 0.005),
)
"""The forms that work may have, with how common each is beforehand."""

LEADING_SHARE = 0.15
"""Share that a term of a form must explain somewhere on the grid."""
LEAST_GROWTH = 0.05
"""Of the greatest growth over the base; what a term explains is measured against no less."""


@dataclass(frozen=True)
class Columns:
    """The grid as arrays, each of shape (points,)."""

    n: Array
    m: Array

    def of(self, term: Monomial) -> Array:
        """Return the term's value at each point. The logarithm is that of n + m."""
        log = np.log2(np.maximum(self.n + self.m, 2)) if term.log else np.ones(len(self.n))
        values: Array = self.n**term.n * self.m**term.m * log**term.log
        return values


def two_columns(points: Iterable[Point]) -> Columns:
    """Return the sizes of points, as arrays."""
    known = list(points)
    return Columns(
        np.array([max(point.n, 1) for point in known], dtype=float),
        np.array([max(point.m, 1) for point in known], dtype=float),
    )


def form_posterior(
    two: Columns,
    values: Array,
    spread: Array,
    forms: Sequence[tuple[Terms, float]] = FORMS,
    base: float = 0.0,
) -> dict[Terms, float]:
    """Probabilities of the forms that fit; never empty.

    Args:
        two: The grid.
        values: What to explain, shape (points,).
        spread: One standard deviation of each value.
        forms: The forms to choose among, with how common each is.
        base: What is there without any growth; where it is not 0, every form has a constant.
    """
    scores: dict[Terms, tuple[float, int]] = {}
    for form, _ in forms:
        best = _fit_form(two, values, spread, form, base)
        if best is not None:
            scores[form] = best
    if not scores:
        return {frozenset({ONE}): 1.0}
    prior = dict(forms)
    points = math.log(len(values))
    winner = min(
        scores,
        key=lambda form: scores[form][0] + scores[form][1] * points - 2 * math.log(prior[form]),
    )
    chi2, parameters = scores[winner]
    inflation = max(1.0, chi2 / max(1, len(values) - parameters))
    logs = {
        form: -0.5 * (chi2 / inflation + parameters * points) + math.log(prior[form])
        for form, (chi2, parameters) in scores.items()
    }
    top = max(logs.values())
    weights = {form: math.exp(value - top) for form, value in logs.items()}
    whole = sum(weights.values())
    return {form: weight / whole for form, weight in weights.items()}


def _fit_form(
    two: Columns, values: Array, spread: Array, form: Terms, base: float
) -> tuple[float, int] | None:
    """Chi-square and number of coefficients of a form, with at most one additional lower term."""
    terms = sorted(form)
    leading = [two.of(term) for term in terms]
    constant = [two.of(ONE)] if base and ONE not in form else []
    growth = np.maximum(values - base, np.maximum(1, LEAST_GROWTH * (values.max() - base)))
    best: tuple[float, int] | None = None
    for lower in (None, N, M) if base else (None, ONE, N, M):
        if lower is not None and not any(lower.is_below(term) for term in terms):
            continue
        columns = leading + constant + ([] if lower is None else [two.of(lower)])
        fit = fit_nonnegative(columns, values, 1 / spread)
        explained = [
            (coefficient * column / growth).max()
            for coefficient, column in zip(fit.coefficients, leading, strict=False)
        ]
        if min(explained) < LEADING_SHARE:
            continue
        offer = (fit.chi2, len(columns))
        points = math.log(len(values))
        if best is None or offer[0] + offer[1] * points < best[0] + best[1] * points:
            best = offer
    return best
