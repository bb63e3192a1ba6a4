def shift(points: list[Point], dx: int, dy: int) -> list[Point]:
    """The points, moved."""
    return [(x + dx, y + dy) for x, y in points]
