class Solution:
    def solve(self, jobs, base, levels):
        level = [0] * len(jobs)
        rest = [work for _, work in jobs]
        left = [base] * len(jobs)
        finish = [None] * len(jobs)
        clock = 0
        while None in finish:
            best = None
            coming = None
            for i, (arrival, _) in enumerate(jobs):
                if finish[i] is not None:
                    continue
                if arrival > clock:
                    coming = arrival if coming is None else min(coming, arrival)
                elif best is None or (level[i], arrival, i) < best:
                    best = (level[i], arrival, i)
            if best is None:
                clock = coming
                continue
            job = best[2]
            run = rest[job]
            if level[job] < levels - 1:
                run = min(run, left[job])
            if level[job] and coming is not None:
                run = min(run, coming - clock)
            clock += run
            rest[job] -= run
            left[job] -= run
            if not rest[job]:
                finish[job] = clock
            elif level[job] < levels - 1 and not left[job]:
                level[job] += 1
                left[job] = base * 2 ** level[job]
        return finish
