"""Hold a class of growth with its probabilities, and weigh it against other evidence.

Two measurements of one growth are weighed with `even_odds`, what the sizes could not show with
`less_sure`, and a neighbour that one series cannot rule out with `with_logarithm_open`.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np

from steelyard.profiling.fitting._class_curves import first_variant
from steelyard.profiling.fitting._class_names import UNSURE

Key = TypeVar("Key", bound=Hashable)
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


@dataclass(frozen=True)
class Fitted:
    """A curve through a series, or the sum of a form's terms."""

    chi2: float
    parameters: int
    curve: str = ""

    def criterion(self, points: int) -> float:
        """BIC, without the constant."""
        return self.chi2 + self.parameters * math.log(points)

    def misfit(self, points: int) -> float:
        """Return the chi-square per degree of freedom."""
        return self.chi2 / max(1, points - self.parameters)


def best_by_name(fits: Iterable[tuple[str, Fitted]], points: int) -> dict[str, Fitted]:
    """Return the best fit of each class by BIC."""
    best: dict[str, Fitted] = {}
    for name, fit in fits:
        if name not in best or fit.criterion(points) < best[name].criterion(points):
            best[name] = fit
    return best


def best_of(best: Mapping[str, Fitted], points: int) -> Fitted:
    """Return the best fit of all by BIC."""
    return min(best.values(), key=lambda fit: fit.criterion(points))


def weighed(
    best: Mapping[Key, Fitted], points: int, prior: Mapping[Key, float], inflation: float
) -> dict[Key, float]:
    """Return the probability of each class or form, by BIC and the prior.

    Args:
        best: The best fit of each.
        points: How many figures were fitted.
        prior: How common each is beforehand.
        inflation: Divides each chi-square, so that the best one fits as well as its spread allows.
    """
    return normalised(
        {
            key: math.log(prior[key])
            - 0.5 * (fit.chi2 / inflation + fit.parameters * math.log(points))
            for key, fit in best.items()
        }
    )


def normalised(log_weights: Mapping[Key, float]) -> dict[Key, float]:
    """Probabilities from logarithms of unnormalised ones."""
    names = list(log_weights)
    logs = np.array([log_weights[name] for name in names])
    weights = np.exp(logs - logs.max())
    return dict(zip(names, (weights / weights.sum()).tolist(), strict=True))


CUT_SHORT = 0.95
"""What is left of each probability where the clock, and not the program, ended the sizes. Measured
at a budget of 1 s on a busy machine: 98 % of sure verdicts were right."""
UNCHECKED = 0.9
"""What is left where no time could be held against the counted work, which may lack that of a
library."""


def even_odds(first: WorkClass, second: WorkClass, share: float = 0.5) -> WorkClass:
    """Return the class that two measurements of the same growth speak for, each with half a say.

    It is sure only where both agree.

    Args:
        first: The class that one of them gives.
        second: The class that the other one gives.
        share: The say of the second, from 0 to 1.
    """
    before, after = dict(first.posterior), dict(second.posterior)
    posterior = ordered(
        {
            name: (1 - share) * before.get(name, 0.0) + share * after.get(name, 0.0)
            for name in {**before, **after}
        }
    )
    if not posterior:
        return first
    name = posterior[0][0]
    if name == first.complexity:
        return replace(first, posterior=posterior)
    return replace(second, complexity=name, posterior=posterior, curve=name[2:-1])


def less_sure(work: WorkClass, share: float = CUT_SHORT) -> WorkClass:
    """Return a class with a share of each probability, as something about it is unknown."""
    return replace(work, posterior=tuple((name, share * p) for name, p in work.posterior))


WITH_LOGARITHM = {"O(n)": "O(n log n)", "O(n log n)": "O(n log^2 n)", "O(n^2)": "O(n^2 log n)"}
FEW_SIZES = 6
"""How many of the largest sizes are looked at."""
LEAST_SHARE = 0.15
"""Share of the work that a term with a logarithm would have from which it cannot be ruled out.
Measured on instructions of Rust programs: loops, hash tables and printed sums stay below 0.07;
sorts, heaps and balanced trees, much of whose work is reading, lie between 0.34 and 0.44."""


def with_logarithm_open(work: WorkClass, ns: Sequence[int], totals: Sequence[float]) -> WorkClass:
    """Return a class with even odds for its neighbour with a logarithm, if that is not ruled out.

    A sum `a f(n) + b f(n) log n` differs from `f(n)` in how its total per `f(n)` grows. If it grows
    a little, one series cannot tell a small part with a logarithm from none.

    Args:
        work: The class of the totals.
        ns: Sizes, in any order.
        totals: The work at each, without the start of the process.

    Returns:
        `work` itself if its class is certain.
    """
    neighbour = WITH_LOGARITHM.get(work.complexity)
    if neighbour is None or _share(ns, totals, work.complexity) < LEAST_SHARE:
        return work
    known = dict(work.posterior)
    half = (known.get(work.complexity, 0.0) + known.get(neighbour, 0.0)) / 2
    return replace(work, posterior=ordered({**known, work.complexity: half, neighbour: half}))


def _share(ns: Sequence[int], totals: Sequence[float], complexity: str) -> float:
    """Return which share of the largest total a term `f(n) log n` would have next to `f(n)`."""
    order = np.argsort(np.asarray(ns, dtype=float), kind="stable")[-FEW_SIZES:]
    n, total = np.asarray(ns, dtype=float)[order], np.asarray(totals, dtype=float)[order]
    if len(n) < 3 or n[0] < 2 or total.min() <= 0:
        return 0.0
    per_step = total / np.exp(first_variant(complexity).log_f(n))
    slope = float(np.polyfit(np.log(n), per_step, 1)[0])
    return slope * float(np.log(n[-1])) / float(per_step[-1])
