from bisect import bisect_right


def bucket_counts(values_us: list[int], edges_us: list[int]) -> list[int]:
    """How many values lie below the first edge, between each two, and from the last on."""
    edges = sorted(edges_us)
    counts = [0] * (len(edges) + 1)
    for value in values_us:
        counts[bisect_right(edges, value)] += 1
    return counts
