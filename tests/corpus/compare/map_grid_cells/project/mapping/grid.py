"""Points in grid cells."""

from math import floor


def along(value: int, size: int) -> int:
    return floor(value / size)


def cells(points: list[tuple[int, int]], size: int) -> dict[tuple[int, int], int]:
    """How many points lie in each square cell."""
    counts: dict[tuple[int, int], int] = {}
    for point in points:
        cell = (along(point[0], size), along(point[1], size))
        if cell in counts:
            counts[cell] = counts[cell] + 1
        else:
            counts[cell] = 1
    return counts


def crowded(points: list[tuple[int, int]], size: int, limit: int) -> int:
    return sum(count > limit for count in cells(points, size).values())
