"""Classify a program's work in two parameters.

1. Series that are proportional to 1, n, m, n*m, n^2, n+m or the input's length name their terms at
   once.
2. The rest is pooled, and the likeliest of `FORMS`, sums of terms in n and m, is found for it.
3. Forms are weighed with the class along the ladder, where m is in proportion to n.
4. What no other term outgrows is the class.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._class_curves import Array, fit_nonnegative
from steelyard.profiling.fitting._class_from_counts import FEWEST_SIZES, POISSON, Observation
from steelyard.profiling.fitting._class_names import Monomial, Terms, canonical, name_of, terms_of
from steelyard.profiling.fitting._result import (
    SURE,
    Fitted,
    WorkClass,
    WorkTerm,
    ordered,
    too_few,
    weighed,
)

RELATIVE_SIGMA = 0.02
"""Spread of counts around their form, as for one parameter."""
TERM_SHARE = 0.03
"""Of all work, somewhere on the grid; a term must have it to be named."""
LADDER_DOUBT = 1e-3
"""Probability left to forms that the class along the ladder speaks against."""


def classify_two(observations: Iterable[Observation], ladder: WorkClass | None = None) -> WorkClass:
    """Return the class of the work in n and m.

    Series that are proportional to 1, n, m, n*m, n^2, n+m or the input's length name their terms at
    once; the rest is pooled and given the likeliest of `FORMS`. What no other term outgrows is the
    class.

    Args:
        observations: Of a grid, in any order, at least six points of two different n; several runs
            of one point (other seeds) count as points of their own.
        ladder: The class of the same program's work over a ladder of sizes with m in proportion to
            n, where there is one. It settles logarithms: on the few sizes of a grid they look like
            the change of an average with m/n.
    """
    runs = sorted(observations, key=lambda run: run.point)
    sizes = len({run.point for run in runs})
    if len({run.point.n for run in runs}) < 2 or sizes < 2 * FEWEST_SIZES:
        return too_few("work", sizes)
    keys = sorted({key for run in runs for key in run.work})
    blocks = {key: np.array([run.work.get(key, 0) for run in runs], dtype=float) for key in keys}
    total = np.sum(list(blocks.values()), axis=0) if blocks else np.zeros(len(runs))
    if total.min() <= 0:
        return too_few("work", sizes)
    two = two_columns(run.point for run in runs)
    input_bytes = np.array([run.input_bytes for run in runs], dtype=float)
    following, rest_keys = _proportional(two, input_bytes, blocks, total)
    sure = frozenset(x for each in following if each.share >= TERM_SHARE for x in each.terms)
    rest = np.sum([blocks[key] for key in rest_keys], axis=0) if rest_keys else 0 * total
    posterior: dict[str, float] = {name_of(sure): SURE}
    described = [
        WorkTerm(name_of(each.terms), _last_share(blocks, each.keys, total), each.keys)
        for each in following
    ]
    shares = rest / total
    if shares.max() >= TERM_SHARE and np.median(shares) > FOLLOWS_MEDIAN and rest.min() > 0:
        spread = np.sqrt((RELATIVE_SIGMA * rest) ** 2 + POISSON * rest + 1.0)
        forms = _weighed(form_posterior(two, rest, spread), sure, ladder)
        posterior = _by_name(forms, sure)
        likeliest = max(forms, key=forms.__getitem__)
        heaviest = tuple(sorted(rest_keys, key=lambda key: (-blocks[key][-1], key)))
        described.append(
            WorkTerm(name_of(likeliest), _last_share(blocks, heaviest, total), heaviest)
        )
    known = ordered(posterior)
    return WorkClass(
        known[0][0], known, _merged(described, blocks), "work", sizes, known[0][0][2:-1]
    )


def classify_values(
    points: Sequence[Point], values: Array, spread: Array, ladder: WorkClass | None
) -> WorkClass:
    """Return the class of one series over a grid, such as times, that starts from a constant.

    Its basis is left open.
    """
    base = float(values.min())
    forms = form_posterior(two_columns(points), values, spread, base=base)
    known = ordered(_by_name(_weighed(forms, frozenset(), ladder), frozenset()))
    return WorkClass(known[0][0], known, sizes=len(set(points)), curve=known[0][0][2:-1])


def _by_name(forms: dict[Terms, float], sure: Terms) -> dict[str, float]:
    posterior: dict[str, float] = {}
    for form, p in forms.items():
        name = name_of(sure | form)
        posterior[name] = posterior.get(name, 0.0) + p
    return posterior


def _weighed(
    forms: dict[Terms, float], sure: Terms, ladder: WorkClass | None
) -> dict[Terms, float]:
    """Forms weighed with how likely they are along the ladder, where m is in proportion to n."""
    if ladder is None or not ladder.posterior:
        return forms
    along = {canonical(name): p for name, p in ladder.posterior}
    weights = {
        form: p * max(LADDER_DOUBT, along.get(_along_ladder(sure | form), 0.0))
        for form, p in forms.items()
    }
    whole = sum(weights.values())
    return {form: weight / whole for form, weight in weights.items()}


def _along_ladder(terms: Terms) -> str:
    return name_of(
        frozenset(Monomial(term.family, n=term.n + term.m, log=term.log) for term in terms)
    )


def _last_share(blocks: dict[str, Array], keys: Sequence[str], total: Array) -> float:
    return float(sum(blocks[key][-1] for key in keys) / total[-1])


def _merged(terms: Sequence[WorkTerm], blocks: dict[str, Array]) -> tuple[WorkTerm, ...]:
    """Terms of one name as one, the heaviest first."""
    by_name: dict[str, list[WorkTerm]] = {}
    for term in terms:
        by_name.setdefault(term.complexity, []).append(term)
    merged = [
        WorkTerm(
            name,
            sum(term.share for term in alike),
            tuple(
                sorted(
                    (key for term in alike for key in term.blocks),
                    key=lambda key: (-blocks[key][-1], key),
                )
            ),
        )
        for name, alike in by_name.items()
    ]
    return tuple(sorted(merged, key=lambda term: -term.share))


ONE = Monomial()
N = Monomial(n=1)
M = Monomial(m=1)
NM = Monomial(n=1, m=1)
N2 = Monomial(n=2)
M2 = Monomial(m=2)
FORMS: Mapping[Terms, float] = MappingProxyType(
    {
        terms_of(name): share
        for name, share in (
            ("O(1)", 0.03),
            ("O(log n)", 0.02),
            ("O(n)", 0.08),
            ("O(m)", 0.08),
            ("O(n+m)", 0.20),
            ("O(n log n)", 0.05),
            ("O(m log n)", 0.07),
            ("O(n + m log n)", 0.06),
            ("O(n log n + m)", 0.08),
            ("O((n+m) log n)", 0.08),
            ("O(n*m)", 0.15),
            ("O(n*m log n)", 0.03),
            ("O(n^2)", 0.03),
            ("O(m^2)", 0.01),
            ("O(n^2 + m)", 0.03),
            ("O(n^2 + m log n)", 0.005),
            ("O(n + m^2)", 0.005),
            ("O(n^2*m)", 0.01),
            ("O(n*m^2)", 0.01),
            ("O(n^3)", 0.01),
            ("O(n sqrt m)", 0.005),
            ("O(m sqrt n)", 0.005),
            ("O((n+m) sqrt n)", 0.005),
        )
    }
)
"""The forms that work may have, with how common each is beforehand."""
LEADING_SHARE = 0.15
"""Share that a term of a form must explain somewhere on the grid."""
LEAST_GROWTH = 0.05
"""Of the greatest growth over the base; what a term explains is measured against no less."""


@dataclass(frozen=True)
class GridColumns:
    """The grid as arrays, each of shape (points,)."""

    n: Array
    m: Array

    def of(self, term: Monomial) -> Array:
        """Return the term's value at each point. The logarithm is that of n + m."""
        log = np.log2(np.maximum(self.n + self.m, 2)) if term.log else np.ones(len(self.n))
        values: Array = self.n**term.n * self.m**term.m * log**term.log
        return values


def two_columns(points: Iterable[Point]) -> GridColumns:
    """Return the sizes of points, as arrays."""
    known = list(points)
    return GridColumns(
        np.array([max(point.n, 1) for point in known], dtype=float),
        np.array([max(point.m, 1) for point in known], dtype=float),
    )


def form_posterior(
    two: GridColumns,
    values: Array,
    spread: Array,
    prior: Mapping[Terms, float] = FORMS,
    base: float = 0.0,
) -> dict[Terms, float]:
    """Probabilities of the forms that fit; never empty.

    Args:
        two: The grid.
        values: What to explain, shape (points,).
        spread: One standard deviation of each value.
        prior: The forms to choose among, with how common each is.
        base: What is there without any growth; where it is not 0, every form has a constant.
    """
    points = len(values)
    fits = ((form, _fit_form(two, values, spread, form, base)) for form in prior)
    best = {form: fit for form, fit in fits if fit is not None}
    if not best:
        return {frozenset({ONE}): 1.0}
    winner = min(best, key=lambda form: best[form].criterion(points) - 2 * math.log(prior[form]))
    return weighed(best, points, prior, max(1.0, best[winner].misfit(points)))


def _fit_form(
    two: GridColumns, values: Array, spread: Array, form: Terms, base: float
) -> Fitted | None:
    """Return the best fit of a form, with at most one additional lower term."""
    terms = sorted(form)
    leading = [two.of(term) for term in terms]
    constant = [two.of(ONE)] if base and ONE not in form else []
    growth = np.maximum(values - base, np.maximum(1, LEAST_GROWTH * (values.max() - base)))
    fits: list[Fitted] = []
    for lower in (None, N, M) if base else (None, ONE, N, M):
        if lower is not None and not any(lower.is_below(term) for term in terms):
            continue
        columns = leading + constant + ([] if lower is None else [two.of(lower)])
        fit = fit_nonnegative(columns, values, 1 / spread)
        explained = [
            (coefficient * column / growth).max()
            for coefficient, column in zip(fit.coefficients, leading, strict=False)
        ]
        if min(explained) >= LEADING_SHARE:
            fits.append(Fitted(fit.chi2, len(columns)))
    return min(fits, key=lambda fit: fit.criterion(len(values)), default=None)


NEGLIGIBLE_SHARE = 0.002
"""Of all work, everywhere on the grid; series below are left out."""
FOLLOWS_MEDIAN = 0.01
FOLLOWS_MOST = 0.05
"""A series this near to a basis, in the median and at worst, is proportional to it."""


@dataclass(frozen=True)
class _Proportional:
    """Blocks whose counts follow one basis."""

    terms: Terms
    share: float
    """Of all work, where it is the greatest."""
    keys: tuple[str, ...]


def _proportional(
    two: GridColumns, input_bytes: Array, blocks: dict[str, Array], total: Array
) -> tuple[list[_Proportional], list[str]]:
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
    following: list[_Proportional] = []
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
            following.append(_Proportional(terms, share, tuple(keys)))
    return following, rest


def _bases(two: GridColumns, input_bytes: Array) -> list[tuple[Terms, Array]]:
    bases = [(frozenset({term}), two.of(term)) for term in (ONE, N, M, NM, N2)]
    if input_bytes.min() > 0:
        bases.append((_input_terms(two, input_bytes), input_bytes))
    bases.append((frozenset({N, M}), two.n + two.m))
    return bases


def _input_terms(two: GridColumns, input_bytes: Array) -> Terms:
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
    return bool(np.median(off) < FOLLOWS_MEDIAN and off.max() < FOLLOWS_MOST)
