import heapq


def top_customers(turnover: list[tuple[str, int]], count: int) -> list[str]:
    """The customers of the highest turnover; equal ones in the given order."""
    best = heapq.nsmallest(count, [(-amount, name) for name, amount in turnover])
    return [name for _, name in best]
