"""Points on a page."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int

    def mirrored(self) -> "Point":
        return Point(self.y, self.x)


def shift(points: list[Point], dx: int, dy: int) -> list[Point]:
    """The points, moved."""
    moved = []
    for point in points:
        moved.append(Point(point.x + dx, point.y + dy))
    return moved


def width(points: list[Point]) -> int:
    return max(p.x for p in points) - min(p.x for p in points)
