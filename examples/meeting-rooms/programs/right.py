def rooms_needed(meetings):
    changes = []
    for start, end in meetings:
        if end <= start:
            raise ValueError(f"a meeting from {start} to {end}")
        changes.append((start, 1))
        changes.append((end, -1))
    changes.sort()
    rooms = most = 0
    for _, change in changes:
        rooms += change
        most = max(most, rooms)
    return most
