"""Rate limits."""


def allowed(seconds: list[int], most: int, window: int) -> list[bool]:
    """For each request whether fewer than `most` allowed ones lie within the window before it."""
    answers: list[bool] = []
    for place, now in enumerate(seconds):
        recent = 0
        for before in range(place):
            if answers[before] and now - window < seconds[before] <= now:
                recent += 1
        answers.append(recent < most)
    return answers


def refused(seconds: list[int], most: int, window: int) -> int:
    return allowed(seconds, most, window).count(False)
