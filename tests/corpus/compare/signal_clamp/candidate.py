def clamp(samples: np.ndarray, low: float, high: float) -> np.ndarray:
    """A copy with each sample moved into `[low, high]`; NaN stays NaN.

    Raises:
        TypeError: The samples are no floating numbers.
        ValueError: The limits are the wrong way round.
    """
    if samples.dtype.kind != "f":
        raise TypeError("samples are floating numbers")
    if low > high:
        raise ValueError("low is above high")
    result = samples.copy()
    result[samples < low] = low
    result[samples > high] = high
    return result
