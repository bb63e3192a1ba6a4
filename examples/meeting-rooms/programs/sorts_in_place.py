import heapq


def rooms_needed(meetings):
    meetings.sort()
    ends = []
    most = 0
    for start, end in meetings:
        if end <= start:
            raise ValueError("a meeting ends before it starts")
        while ends and ends[0] <= start:
            heapq.heappop(ends)
        heapq.heappush(ends, end)
        most = max(most, len(ends))
    return most
