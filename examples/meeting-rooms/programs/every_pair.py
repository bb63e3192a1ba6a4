def rooms_needed(meetings):
    if any(end <= start for start, end in meetings):
        raise ValueError("a meeting ends before it starts")
    most = 0
    for moment in {moment for meeting in meetings for moment in meeting}:
        most = max(most, sum(1 for start, end in meetings if start <= moment < end))
    return most
