def rooms_needed(meetings):
    if any(end <= start for start, end in meetings):
        raise ValueError("a meeting ends before it starts")
    most = 0
    for start, _ in meetings:
        most = max(most, sum(1 for one, other in meetings if one <= start < other))
    return most
