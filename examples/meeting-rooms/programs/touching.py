def rooms_needed(meetings):
    if any(end <= start for start, end in meetings):
        raise ValueError("a meeting ends before it starts")
    changes = sorted([(s, 0) for s, _ in meetings] + [(e, 1) for _, e in meetings])
    rooms = most = 0
    for _, is_end in changes:
        rooms += -1 if is_end else 1
        most = max(most, rooms)
    return most
