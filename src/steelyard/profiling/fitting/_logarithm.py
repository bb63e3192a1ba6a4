"""Tell a class from its neighbour with a logarithm, where all work is one series."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from steelyard.profiling.fitting._models import first_variant
from steelyard.profiling.fitting._result import WorkClass, ordered

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
