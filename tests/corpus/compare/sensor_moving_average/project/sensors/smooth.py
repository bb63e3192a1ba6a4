"""Smoothing of counted pulses."""

from collections import deque
from collections.abc import Iterator


def moving_average(pulses: list[int], size: int) -> Iterator[float]:
    """The mean of each full window, one after the other.

    Raises:
        ValueError: The window is empty; raised with the first item.
    """
    if size < 1:
        raise ValueError("the window is empty")
    window: deque[int] = deque()
    for pulse in pulses:
        window.append(pulse)
        if len(window) > size:
            window.popleft()
        if len(window) == size:
            yield sum(window) / size


def peak(pulses: list[int], size: int) -> float:
    return max(moving_average(pulses, size), default=0.0)
