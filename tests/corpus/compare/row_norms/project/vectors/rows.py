"""Rows of whole numbers."""

import numpy as np


def unit_rows(counts: np.ndarray) -> np.ndarray:
    """Each row's share in per mille, rounded down, int64; rows without counts stay zero."""
    if counts.ndim != 2:
        raise ValueError("a matrix is needed")
    whole = counts.astype(np.int64)
    totals = whole.sum(axis=1, keepdims=True)
    safe = np.where(totals == 0, 1, totals)
    return whole * 1000 // safe
