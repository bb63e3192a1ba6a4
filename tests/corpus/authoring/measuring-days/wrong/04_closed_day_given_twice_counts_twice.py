from heapq import heappop, heappush

DAYS = 60001


class Solution:
    def solve(self, studies, closed):
        shut = [0] * DAYS
        for day in closed:
            shut[day] += 1
        before = [0]  # before[d]: the open days before day d
        for day in range(DAYS):
            before.append(before[-1] + 1 - shut[day])
        begins = [[] for _ in range(DAYS)]
        for first, last, need in studies:
            if need > before[last + 1] - before[first]:
                return [-1]
            if need:
                begins[first].append((last, need))
        chosen = []
        # Study i must have measured on day d if need + chosen before first - open days up to last > the
        # days chosen before d - open days up to d.
        heap = []
        for day in range(DAYS):
            for last, need in begins[day]:
                heappush(heap, (before[last + 1] - need - len(chosen), last))
            while heap and heap[0][1] < day:
                heappop(heap)
            if heap and not shut[day] and heap[0][0] < before[day + 1] - len(chosen):
                chosen.append(day)
        return chosen
