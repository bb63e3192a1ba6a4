"""Customers and their turnover."""


def top_customers(turnover: list[tuple[str, int]], count: int) -> list[str]:
    """The customers of the highest turnover; equal ones in the given order."""
    remaining = list(turnover)
    names = []
    while remaining and len(names) < count:
        best = 0
        for place in range(1, len(remaining)):
            if remaining[place][1] > remaining[best][1]:
                best = place
        names.append(remaining.pop(best)[0])
    return names
