class Solution:
    def solve(self, n, rules):
        after, waiting = [[] for _ in range(n)], [0] * n
        for a, b in rules:
            after[a].append(b)
            waiting[b] += 1
        out = []
        for _ in range(n):
            for task in range(n):
                if waiting[task] == 0:
                    break
            else:
                return []
            waiting[task] = -1
            out.append(task)
            for other in after[task]:
                waiting[other] -= 1
        return out
