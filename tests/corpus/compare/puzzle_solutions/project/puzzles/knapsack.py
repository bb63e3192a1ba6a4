"""Packing problems."""


def best_value(weights: list[int], values: list[int], capacity: int) -> int:
    """The most that fits: weights and values are paired, each item is there once.

    Raises:
        ValueError: A weight is not positive, or the capacity out of reach.
    """
    if any(weight <= 0 for weight in weights):
        raise ValueError("weights are positive")
    if capacity > 10_000:
        raise ValueError("nobody packs that much")
    best = [0] * (max(capacity, 0) + 1)
    for weight, value in zip(weights, values):
        for room in range(len(best) - 1, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[-1]
