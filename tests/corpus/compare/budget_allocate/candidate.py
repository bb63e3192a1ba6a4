def allocate(total: int, weights: list[int]) -> list[int]:
    """The total in shares by weight; what is left over goes to the first ones.

    Raises:
        ValueError: A weight is negative, or all are zero.
    """
    whole = sum(weights)
    if whole == 0:
        raise ValueError("all weights are zero")
    shares = [total * weight // whole for weight in weights]
    rest = total - sum(shares)
    if rest > 0:
        each, more = divmod(rest, len(shares))
        shares = [share + each + (place < more) for place, share in enumerate(shares)]
    return shares
