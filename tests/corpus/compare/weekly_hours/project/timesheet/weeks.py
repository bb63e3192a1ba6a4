"""Worked time by calendar week."""

from datetime import date


def week_key(day: date) -> tuple[int, int]:
    return (day.isocalendar()[0], day.isocalendar()[1])


def weekly_minutes(entries: list[tuple[date, int]]) -> dict[tuple[int, int], int]:
    """Minutes by ISO year and week, in the order of the weeks."""
    weeks: dict[tuple[int, int], list[int]] = {}
    for day, minutes in entries:
        if week_key(day) not in weeks:
            weeks[week_key(day)] = []
        weeks[week_key(day)].append(minutes)
    return {week: sum(weeks[week]) for week in sorted(weeks)}
