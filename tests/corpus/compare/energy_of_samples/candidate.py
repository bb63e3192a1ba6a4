def energy(samples: list[int]) -> int:
    """The sum of the squared samples."""
    values = np.array(samples, dtype=np.int32)
    return int(np.sum(values * values))
