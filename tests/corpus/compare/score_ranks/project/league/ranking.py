"""League tables."""


def ranks(scores: list[int]) -> list[int]:
    """Each score's place, from 1; equal scores share the better place."""
    ordered = sorted(scores, reverse=True)
    return [ordered.index(score) + 1 for score in scores]


def podium(names: list[str], scores: list[int]) -> list[str]:
    return [name for name, place in zip(names, ranks(scores)) if place <= 3]
