"""Quotes for freight."""


def cheapest_route(costs: list[list[int]], start: int, end: int) -> int:
    """The least cost from one depot to another; -1 where there is no way (0 is no road)."""
    size = len(costs)
    best = [-1] * size
    best[start] = 0
    for _ in range(size):
        changed = False
        for i in range(size):
            if best[i] < 0:
                continue
            for j in range(size):
                cost = costs[i][j]
                if cost > 0 and (best[j] < 0 or best[i] + cost < best[j]):
                    best[j] = best[i] + cost
                    changed = True
        if not changed:
            break
    return best[end]
