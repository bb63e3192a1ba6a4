from bisect import bisect


def prices(weights_g: list[int], limits_g: list[int], rates: list[int]) -> list[int]:
    """Each parcel's price: a band holds what weighs up to its limit, limits included.

    Raises:
        ValueError: There is not one rate more than limits.
    """
    if len(rates) != len(limits_g) + 1:
        raise ValueError("one rate more than limits is needed")
    limits = sorted(limits_g)
    return [rates[bisect(limits, weight)] for weight in weights_g]
