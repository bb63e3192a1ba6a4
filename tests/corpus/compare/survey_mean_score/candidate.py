def mean_scores(answers: dict[str, list[int]]) -> dict[str, float]:
    """The mean answer to each question; 0.0 where nobody answered."""
    return {question: sum(given) / len(given) if given else 0 for question, given in answers.items()}
