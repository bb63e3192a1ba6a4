def best(scores: list[int], count: int) -> list[int]:
    """The highest scores, highest first."""
    scores.sort(reverse=True)
    return scores[: max(count, 0)]
