"""Splitting budgets."""


def allocate(total: int, weights: list[int]) -> list[int]:
    """The total in shares by weight; what is left over goes to the first ones.

    Raises:
        ValueError: A weight is negative, or all are zero.
    """
    for weight in weights:
        if weight < 0:
            raise ValueError("a weight is negative")
    if sum(weights) == 0:
        raise ValueError("all weights are zero")
    shares = []
    for weight in weights:
        shares.append(total * weight // sum(weights))
    place = 0
    while sum(shares) < total:
        shares[place % len(shares)] += 1
        place += 1
    return shares
