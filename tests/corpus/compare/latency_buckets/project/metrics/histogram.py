"""Histograms of latencies."""


def bucket_counts(values_us: list[int], edges_us: list[int]) -> list[int]:
    """How many values lie below the first edge, between each two, and from the last on."""
    edges = sorted(edges_us)
    counts = [0] * (len(edges) + 1)
    for value in values_us:
        place = 0
        while place < len(edges) and edges[place] <= value:
            place += 1
        counts[place] += 1
    return counts


def exponential_edges(first_us: int, count: int) -> list[int]:
    return [first_us * 2**i for i in range(count)]
