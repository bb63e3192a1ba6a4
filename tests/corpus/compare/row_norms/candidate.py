def unit_rows(counts: np.ndarray) -> np.ndarray:
    """Each row's share in per mille, rounded down, int64; rows without counts stay zero."""
    if counts.ndim != 2:
        raise ValueError("a matrix is needed")
    shares = np.zeros(counts.shape, dtype=np.int64)
    for number, row in enumerate(counts):
        whole = row.astype(np.int64)
        total = whole.sum()
        shares[number] = whole * 1000 // (total if total else 1)
    return shares
