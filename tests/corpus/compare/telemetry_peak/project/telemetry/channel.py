"""Channels of a probe."""

import math


def peak(readings: list[float]) -> float:
    """The highest reading; minus infinity where there is none."""
    highest = -math.inf
    for reading in readings:
        value = float(reading)
        if value > highest:
            highest = value
    return highest


def alarm(readings: list[float], limit: float) -> bool:
    return peak(readings) > limit
