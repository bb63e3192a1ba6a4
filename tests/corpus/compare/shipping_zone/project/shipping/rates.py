"""Postage."""


def prices(weights_g: list[int], limits_g: list[int], rates: list[int]) -> list[int]:
    """Each parcel's price: a band holds what weighs up to its limit, limits included.

    Raises:
        ValueError: There is not one rate more than limits.
    """
    if len(rates) != len(limits_g) + 1:
        raise ValueError("one rate more than limits is needed")
    limits = sorted(limits_g)
    result = []
    for weight in weights_g:
        band = 0
        for limit in limits:
            if weight > limit:
                band += 1
        result.append(rates[band])
    return result


def postage(weights_g: list[int]) -> int:
    return sum(prices(weights_g, [500, 2000, 5000, 10000, 31500], [3, 5, 7, 10, 17, 40]))
