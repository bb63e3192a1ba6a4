from collections import deque


class Solution:
    def solve(self, num, k):
        places = [deque() for _ in range(10)]
        for i, digit in enumerate(num):
            places[int(digit)].append(i)
        out, start = [], 0
        keep = len(num) - k
        while keep:
            for digit, queue in enumerate(places):
                while queue and queue[0] < start:
                    queue.popleft()
                if queue and queue[0] <= len(num) - keep:
                    start = queue.popleft() + 1
                    if out or digit:
                        out.append(str(digit))
                    break
            keep -= 1
        return "".join(out) or "0"
