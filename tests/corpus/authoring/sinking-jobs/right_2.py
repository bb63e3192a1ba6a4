from heapq import heappop, heappush


class Solution:
    def solve(self, jobs, base, levels):
        # Each level keeps the order of arrival, so the job to run is the least (level, place in that order).
        order = sorted((arrival, i) for i, (arrival, _) in enumerate(jobs))
        used = [0] * len(order)
        # A job has left level i for good when it has run base * (2**(i + 1) - 1) in all.
        ends = [base * (2 ** (level + 1) - 1) for level in range(levels - 1)] + [10**20]
        answer = [0] * len(jobs)
        ready = []
        now = 0
        for place, (arrival, i) in enumerate(order):
            if arrival > now:
                now = max(arrival, self.run(ready, now, arrival, order, jobs, used, ends, answer))
            heappush(ready, (0, place))
        self.run(ready, now, 10**20, order, jobs, used, ends, answer)
        return answer

    def run(self, ready, now, until, order, jobs, used, ends, answer):
        """Run the jobs that are there up to a moment; a job of level 0 may run beyond it."""
        while ready and now < until:
            level, place = heappop(ready)
            i = order[place][1]
            goal = min(jobs[i][1], ends[level])
            if level and now + goal - used[place] > until:
                used[place] += until - now
                heappush(ready, (level, place))
                return until
            now += goal - used[place]
            used[place] = goal
            if goal == jobs[i][1]:
                answer[i] = now
            else:
                heappush(ready, (level + 1, place))
        return now
