from collections import deque


def allowed(seconds: list[int], most: int, window: int) -> list[bool]:
    """For each request whether fewer than `most` allowed ones lie within the window before it."""
    answers: list[bool] = []
    recent: deque[int] = deque()
    for now in seconds:
        while recent and recent[0] <= now - window:
            recent.popleft()
        fits = len(recent) < most
        if fits:
            recent.append(now)
        answers.append(fits)
    return answers
