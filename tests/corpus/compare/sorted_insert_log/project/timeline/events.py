"""Events in the order of their time."""

from typing import NamedTuple


class Event(NamedTuple):
    second: int
    text: str


def timeline(events: list[Event]) -> list[Event]:
    """The events by their second; those of one second in the given order."""
    return sorted(events, key=lambda event: event.second)


def gaps(events: list[Event]) -> list[int]:
    ordered = timeline(events)
    return [after.second - before.second for before, after in zip(ordered, ordered[1:])]
