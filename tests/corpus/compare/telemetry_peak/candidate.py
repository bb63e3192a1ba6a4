def peak(readings: list[float]) -> float:
    """The highest reading; minus infinity where there is none."""
    return float(max(readings, default=-math.inf))
