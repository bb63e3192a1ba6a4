def timeline(events: list[Event]) -> list[Event]:
    """The events by their second; those of one second in the given order."""
    ordered: list[Event] = []
    for event in events:
        low, high = 0, len(ordered)
        while low < high:
            middle = (low + high) // 2
            if event.second < ordered[middle].second:
                high = middle
            else:
                low = middle + 1
        ordered.insert(low, event)
    return ordered
