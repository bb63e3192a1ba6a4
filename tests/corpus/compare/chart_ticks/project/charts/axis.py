"""Axes of charts."""


def ticks(low: int, high: int, step: int) -> list[int]:
    """The marks of an axis, from the first multiple of the step on, 500 at most."""
    if step < 1:
        raise ValueError("steps go upwards")
    marks = []
    mark = -(-low // step) * step
    while mark <= high and len(marks) < 500:
        marks.append(mark)
        mark += step
    return marks


def labels(low: int, high: int, step: int) -> list[str]:
    marks = ticks(low, high, step)
    return [f"{mark:,}" for mark in marks]
