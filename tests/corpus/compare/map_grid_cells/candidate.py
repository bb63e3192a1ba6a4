def cells(points: list[tuple[int, int]], size: int) -> dict[tuple[int, int], int]:
    """How many points lie in each square cell."""
    counts: dict[tuple[int, int], int] = {}
    for x, y in points:
        cell = (int(x / size), int(y / size))
        counts[cell] = counts.get(cell, 0) + 1
    return counts
