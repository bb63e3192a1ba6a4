class Solution:
    def solve(self, jobs, base, levels):
        queues = [[] for _ in range(levels)]
        rest = [work for _, work in jobs]
        ran = [0] * len(jobs)
        finish = [None] * len(jobs)
        running, level, moment = None, 0, 0
        while None in finish:
            for i, (arrival, _) in enumerate(jobs):
                if arrival == moment:
                    queues[0].append(i)
            if running is not None and level > 0 and queues[0]:
                queues[level].insert(0, running)
                running = None
            if running is None:
                for level in range(levels):
                    if queues[level]:
                        running = queues[level].pop(0)
                        break
            moment += 1
            if running is None:
                continue
            rest[running] -= 1
            ran[running] += 1
            if rest[running] == 0:
                finish[running] = moment
                running = None
            elif level < levels - 1 and ran[running] == base * 2**level:
                ran[running] = 0
                queues[level + 1].append(running)
                running = None
        return finish
