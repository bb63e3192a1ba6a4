def weekly_minutes(entries: list[tuple[date, int]]) -> dict[tuple[int, int], int]:
    """Minutes by ISO year and week, in the order of the weeks."""
    weeks: dict[tuple[int, int], int] = {}
    for day, minutes in entries:
        week = day.isocalendar()[:2]
        weeks[week] = weeks.get(week, 0) + minutes
    return {week: weeks[week] for week in sorted(weeks)}
