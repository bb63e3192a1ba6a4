"""The class of a program's work in two parameters."""

from collections.abc import Iterable, Sequence

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._forms import form_posterior, two_columns
from steelyard.profiling.fitting._models import Array
from steelyard.profiling.fitting._names import Monomial, Terms, canonical, name_of
from steelyard.profiling.fitting._peel import PEEL_MEDIAN, peel
from steelyard.profiling.fitting._result import (
    SURE,
    WorkClass,
    WorkTerm,
    ordered,
    too_few,
)
from steelyard.profiling.fitting._series import POISSON
from steelyard.profiling.fitting._table import Observation
from steelyard.profiling.fitting._work import FEWEST_SIZES

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
    peeled, rest_keys = peel(two, input_bytes, blocks, total)
    sure = frozenset(x for each in peeled if each.share >= TERM_SHARE for x in each.terms)
    rest = np.sum([blocks[key] for key in rest_keys], axis=0) if rest_keys else 0 * total
    posterior: dict[str, float] = {name_of(sure): SURE}
    described = [
        WorkTerm(name_of(each.terms), _last_share(blocks, each.keys, total), each.keys)
        for each in peeled
    ]
    shares = rest / total
    if shares.max() >= TERM_SHARE and np.median(shares) > PEEL_MEDIAN and rest.min() > 0:
        forms = _weighed(form_posterior(two, rest, _spread(rest, RELATIVE_SIGMA)), sure, ladder)
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


def _spread(values: Array, relative_sigma: float) -> Array:
    return np.sqrt((relative_sigma * values) ** 2 + POISSON * values + 1.0)


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
