from collections import deque


class Solution:
    def solve(self, jobs, base, levels):
        order = sorted(range(len(jobs)), key=lambda i: jobs[i][0])
        arrivals = [jobs[i][0] for i in order]
        queues = [deque() for _ in range(levels)]
        rest = [work for _, work in jobs]
        left = [base] * len(jobs)
        finish = [0] * len(jobs)
        clock = at = 0
        last = levels - 1
        waiting = 0
        while waiting or at < len(order):
            if not waiting:
                clock = max(clock, arrivals[at])
            while at < len(order) and arrivals[at] <= clock:
                queues[0].append(order[at])
                at += 1
                waiting += 1
            level = 0
            while not queues[level]:
                level += 1
            job = queues[level].popleft()
            run = rest[job]
            if level < last:
                run = min(run, left[job])
            if level > 0 and at < len(order):
                run = min(run, arrivals[at] - clock)
            clock += run
            rest[job] -= run
            left[job] -= run
            if level < last and left[job] == 0:
                left[job] = base << (level + 1)
                queues[level + 1].append(job)
            elif rest[job] == 0:
                finish[job] = clock
                waiting -= 1
            else:
                queues[level].appendleft(job)
        return finish
