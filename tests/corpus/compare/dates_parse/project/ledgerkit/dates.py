"""Dates in exports."""

from datetime import date, datetime


def parse_dates(texts: list[str]) -> list[date | None]:
    """The dates of `YYYY-MM-DD` texts; None for what is no date."""
    dates: list[date | None] = []
    for text in texts:
        try:
            dates.append(datetime.strptime(text, "%Y-%m-%d").date())
        except ValueError:
            dates.append(None)
    return dates


def latest(texts: list[str]) -> date | None:
    return max((day for day in parse_dates(texts) if day is not None), default=None)
