def total_value(positions: list[tuple[float, float]]) -> float:
    """The sum of all positions' values, added in their order."""
    return sum([count * price for count, price in reversed(positions)], 0.0)
