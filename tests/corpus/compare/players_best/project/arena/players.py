"""Scores of players."""


def best(scores: list[int], count: int) -> list[int]:
    """The highest scores, highest first."""
    chosen: list[int] = []
    remaining = list(scores)
    while remaining and len(chosen) < count:
        top = max(remaining)
        remaining.remove(top)
        chosen.append(top)
    return chosen


def threshold(scores: list[int], count: int) -> int:
    chosen = best(scores, count)
    return chosen[-1] if chosen else 0
