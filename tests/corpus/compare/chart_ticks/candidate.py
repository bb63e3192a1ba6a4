_KNOWN: dict[tuple[int, int, int], list[int]] = {}


def ticks(low: int, high: int, step: int) -> list[int]:
    """The marks of an axis, from the first multiple of the step on, 500 at most."""
    known = _KNOWN.get((low, high, step))
    if known is None:
        if step < 1:
            raise ValueError("steps go upwards")
        marks = []
        mark = -(-low // step) * step
        while mark <= high and len(marks) < 500:
            marks.append(mark)
            mark += step
        known = _KNOWN[low, high, step] = marks
    return known
