"""Overtime."""


def overtime(hours: list[int], regular: int) -> int:
    """Hours beyond the regular ones, day by day; every third such hour in a row counts twice."""
    extra = 0
    streak = 0
    for worked in hours:
        beyond = min(max(worked - regular, 0), 24)
        if beyond == 0:
            streak = 0
        for _ in range(beyond):
            streak += 1
            extra += 2 if streak % 3 == 0 else 1
    return extra
