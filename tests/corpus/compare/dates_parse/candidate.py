def parse_dates(texts: list[str]) -> list[date | None]:
    """The dates of `YYYY-MM-DD` texts; None for what is no date."""
    read = date.fromisoformat
    dates: list[date | None] = []
    for text in texts:
        try:
            dates.append(read(text))
        except ValueError:
            dates.append(None)
    return dates
