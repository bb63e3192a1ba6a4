"""Scores of a survey."""


def mean_scores(answers: dict[str, list[int]]) -> dict[str, float]:
    """The mean answer to each question; 0.0 where nobody answered."""
    means: dict[str, float] = {}
    for question in answers:
        total = 0.0
        count = 0
        for answer in answers[question]:
            total += answer
            count += 1
        means[question] = total / count if count else 0.0
    return means


def best(answers: dict[str, list[int]]) -> str:
    means = mean_scores(answers)
    return max(means, key=means.__getitem__)
