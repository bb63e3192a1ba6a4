"""What a portfolio is worth."""


def position_value(position: tuple[float, float]) -> float:
    count, price = position
    return count * price


def total_value(positions: list[tuple[float, float]]) -> float:
    """The sum of all positions' values, added in their order."""
    total = 0.0
    for position in positions:
        total = total + position_value(position)
    return total
