"""The class of memory, from the peak of the heap and of the resident set."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from steelyard.profiling._records import Point
from steelyard.profiling.fitting._class_curves import Array, fit_nonnegative, is_small, variants
from steelyard.profiling.fitting._class_from_counts import FEWEST_SIZES
from steelyard.profiling.fitting._class_names import Terms, name_of, terms_of
from steelyard.profiling.fitting._class_of_two_sizes import form_posterior, two_columns
from steelyard.profiling.fitting._result import (
    SURE,
    Basis,
    Fitted,
    WorkClass,
    best_by_name,
    best_of,
    normalised,
    ordered,
    too_few,
    weighed,
)

PRIOR: Mapping[str, float] = MappingProxyType(
    {
        "O(1)": 0.25,
        "O(log n)": 0.005,
        "O(sqrt n)": 0.005,
        "O(n)": 0.56,
        "O(n log n)": 0.03,
        "O(n sqrt n)": 0.005,
        "O(n^2)": 0.1,
        "O(n^3)": 0.005,
        "O(2^n)": 0.04,
    }
)
"""How common each class of memory is, roughly. O(log n), the depth of a recursion, looks like
O(1) and is reported as such."""
SMALL_N_CLASSES = frozenset({"O(1)", "O(n)", "O(n^2)", "O(2^n)"})
"""Those looked at where n is so small that memory of lower growth hides in a page."""
TOP_SIZES = 8
RELATIVE_SIGMA = 0.08
"""Of the growth: containers double, so that their peak is off the curve by that much."""
SIGMA_GROWTH = 0.15
HEAP_SIGMA_BYTES = 512
RESIDENT_SIGMA_BYTES = 24 * 1024
HEAP_GROWTH_BYTES = 1024
"""Growth of the heap below which, or below this share of it, it is constant."""
HEAP_GROWTH_SHARE = 0.01
RESIDENT_GROWTH_BYTES = 256 * 1024
"""Growth of the resident set below which it is constant: the reach of buffers and page faults."""
FLAT_SHARE = 0.01
"""Of the growth; sizes at the start within it of the least show the start of the process..."""
FLAT_SIZES = 2
"""...where there are as many."""
FEW_GROWING = 4
"""Where fewer sizes lie above such a start, half of the evidence is what was known before: nearly
every curve meets two or three points."""
RESIDENT_FACTOR = 1.6
RESIDENT_SLACK_BYTES = 64 * 1024
"""Resident growth above `RESIDENT_FACTOR` times the heap's and this much is not the heap's: static
arrays, mappings, the stack."""

SURE_GROWTH_BYTES = 256 * 1024
"""Growth over a grid below which half of the evidence is what was known before: an interpreter
keeps small values once and for all, and a few of them make a shape of their own."""
LOWER_SHARE = 0.05
"""Of the growth; so far the curve may begin below the least, which is a peak of the start."""
FINEST = 0.25
"""Of the variance that is granted; where the best curve fits better than that, others must, too:
containers that double lie on the curve where sizes double."""
INPUT_GROWS = 3.0
"""Times the length of the smallest input; an input below it does not grow with n."""

FORMS: Mapping[Terms, float] = MappingProxyType(
    {
        terms_of(name): share
        for name, share in (
            ("O(1)", 0.15),
            ("O(n)", 0.15),
            ("O(m)", 0.15),
            ("O(n+m)", 0.30),
            ("O(n*m)", 0.15),
            ("O(n^2)", 0.08),
            ("O(n^2 + m)", 0.02),
        )
    }
)
"""The forms of memory in two parameters, with how common each is."""


def classify_space(
    ns: Sequence[int],
    heap_bytes: Sequence[int] | None,
    resident_bytes: Sequence[int],
    input_bytes: Sequence[int] | None = None,
) -> WorkClass:
    """Return the class of memory in n.

    Args:
        ns: Sizes, in any order.
        heap_bytes: Peak of live heap memory at each; None: not known.
        resident_bytes: Peak of the resident set at each, at fixed addresses.
        input_bytes: The input's length at each. Constant memory proves nothing if the
            whole input would hardly show in it; None: it would.

    Returns:
        Its `basis` is `heap`, or `resident` where that grows by more than the heap explains.
    """
    order = np.argsort(np.asarray(ns, dtype=float), kind="stable")
    n = np.asarray(ns, dtype=float)[order]
    distinct = len(set(ns))
    if distinct < FEWEST_SIZES:
        return too_few("resident" if heap_bytes is None else "heap", distinct)
    kept = slice(None) if is_small(n) else slice(-TOP_SIZES, None)
    n = n[kept]
    resident = np.asarray(resident_bytes, dtype=float)[order][kept]
    length = None if input_bytes is None else np.asarray(input_bytes, dtype=float)[order][kept]
    by_resident = _fitted(n, resident, RESIDENT_SIGMA_BYTES, RESIDENT_GROWTH_BYTES)
    if heap_bytes is None:
        if _would_hide(n, length, RESIDENT_GROWTH_BYTES):
            by_resident = _in_doubt(by_resident)
        return _answer(by_resident, "resident", distinct)
    heap = np.asarray(heap_bytes, dtype=float)[order][kept]
    by_heap = _fitted(n, heap, HEAP_SIGMA_BYTES, _heap_growth(heap))
    basis = _basis(heap, resident)
    if basis == "resident" and _likeliest(by_resident) != "O(1)":
        return _answer(by_resident, "resident", distinct)
    if _would_hide(n, length, _heap_growth(heap)) or _held_elsewhere(n, length, resident):
        by_heap = _in_doubt(by_heap)
    return _answer(by_heap, "heap", distinct)


def classify_space_two(
    points: Sequence[Point], heap_bytes: Sequence[int] | None, resident_bytes: Sequence[int]
) -> WorkClass:
    """Return the class of memory in n and m.

    Args:
        points: The grid, in any order.
        heap_bytes: Peak of live heap memory at each; None: not known.
        resident_bytes: Peak of the resident set at each, at fixed addresses.
    """
    distinct = len(set(points))
    if len({point.n for point in points}) < 2 or distinct < 2 * FEWEST_SIZES:
        return too_few("resident" if heap_bytes is None else "heap", distinct)
    resident = np.asarray(resident_bytes, dtype=float)
    basis: Basis = "resident"
    values, least = resident, float(RESIDENT_GROWTH_BYTES)
    if heap_bytes is not None:
        heap = np.asarray(heap_bytes, dtype=float)
        basis = _basis(heap, resident)
        if basis == "heap":
            values, least = heap, _heap_growth(heap)
    if values.max() - values.min() < least:
        return WorkClass("O(1)", (("O(1)", SURE),), basis=basis, sizes=distinct, curve="1")
    base = float(values.min())
    sigma = HEAP_SIGMA_BYTES if basis == "heap" else RESIDENT_SIGMA_BYTES
    spread = np.hypot(sigma, RELATIVE_SIGMA * (values - base))
    forms = form_posterior(two_columns(points), values, spread, FORMS, base)
    if values.max() - values.min() < SURE_GROWTH_BYTES:
        forms = {form: (forms.get(form, 0.0) + prior) / 2 for form, prior in FORMS.items()}
    known = ordered({name_of(form): p for form, p in forms.items()})
    return WorkClass(known[0][0], known, basis=basis, sizes=distinct, curve=known[0][0][2:-1])


def _heap_growth(heap: Array) -> float:
    return max(HEAP_GROWTH_BYTES, HEAP_GROWTH_SHARE * float(heap.min()))


def _basis(heap: Array, resident: Array) -> Basis:
    """Choose the basis: the hook is exact but misses static arrays and the stack."""
    growth = resident.max() - resident.min()
    explained = RESIDENT_FACTOR * (heap.max() - heap.min()) + RESIDENT_SLACK_BYTES
    return "resident" if growth > max(explained, RESIDENT_GROWTH_BYTES) else "heap"


def _would_hide(n: Array, length: Array | None, least_growth: float) -> bool:
    """Return whether a program that keeps its whole input would look like one that keeps none."""
    if length is None or is_small(n):
        return False
    return bool(length[-1] > INPUT_GROWS * length[0] and length[-1] < least_growth)


def _held_elsewhere(n: Array, length: Array | None, resident: Array) -> bool:
    """Return whether memory outside the heap grows by much of the input, but not significantly."""
    if length is None or is_small(n):
        return False
    growth, of_input = resident[-1] - resident[0], length[-1] - length[0]
    return bool(growth >= RESIDENT_GROWTH_BYTES / 2 and growth > of_input / 2 > 0)


def _in_doubt(posterior: dict[str, float]) -> dict[str, float]:
    """Return the prior if constant memory may still be linear."""
    if _likeliest(posterior) != "O(1)":
        return posterior
    return normalised({name: math.log(PRIOR[name]) for name in ("O(1)", "O(n)")})


def _fitted(n: Array, values: Array, sigma: float, least_growth: float) -> dict[str, float]:
    if values.max() - values.min() < least_growth:
        return {"O(1)": SURE}
    growing = len(n) - _flat_start(values)
    n, values = _without_flat_start(n, values)
    small = is_small(n)
    growth = 0.0 if small else SIGMA_GROWTH
    spread = RELATIVE_SIGMA * (values - values.min()) * (n[-1] / np.maximum(n, 1)) ** growth
    weights = 1 / np.hypot(sigma, spread)
    below = 0.0 if small else LOWER_SHARE * float(values.max() - values.min())
    fits = []
    for name, known in variants(small=small).items():
        if name not in PRIOR or (small and name not in SMALL_N_CLASSES):
            continue
        for variant in known:
            if variant.name == "n log log n":
                continue
            columns = [np.ones(len(n))] + ([] if name == "O(1)" else [variant.scaled(n)])
            chi2 = fit_nonnegative(columns, values + below, weights).chi2
            fits.append((name, Fitted(chi2, len(columns))))
    best = best_by_name(fits, len(n))
    inflation = max(FINEST, best_of(best, len(n)).chi2 / max(1, len(n) - 2))
    posterior = weighed(best, len(n), PRIOR, inflation)
    posterior["O(1)"] += posterior.pop("O(log n)", 0.0)
    if growing < FEW_GROWING:
        before = normalised({name: math.log(PRIOR[name]) for name in posterior})
        posterior = {name: (p + before[name]) / 2 for name, p in posterior.items()}
    return posterior


def _flat_start(values: Array) -> int:
    """Return the number of sizes at which the start of the process determines the peak."""
    flat = values - values.min() <= FLAT_SHARE * (values.max() - values.min())
    start = int(np.argmin(flat))
    return start if start >= FLAT_SIZES else 0


def _without_flat_start(n: Array, values: Array) -> tuple[Array, Array]:
    start = _flat_start(values)
    if len(n) - start < FEWEST_SIZES:
        return n, values
    return n[start:], values[start:]


def _likeliest(posterior: Mapping[str, float]) -> str:
    return max(posterior, key=posterior.__getitem__)


def _answer(posterior: Mapping[str, float], basis: Basis, sizes: int) -> WorkClass:
    name = _likeliest(posterior)
    return WorkClass(name, ordered(posterior), basis=basis, sizes=sizes, curve=name[2:-1])
