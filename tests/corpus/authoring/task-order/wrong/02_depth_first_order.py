class Solution:
    def solve(self, n, rules):
        before = [[] for _ in range(n)]
        for a, b in rules:
            before[b].append(a)
        out, state = [], [0] * n
        for first in range(n):
            todo = [(first, False)]
            while todo:
                task, ready = todo.pop()
                if ready:
                    state[task] = 2
                    out.append(task)
                elif state[task] == 1:
                    return []
                elif state[task] == 0:
                    state[task] = 1
                    todo.append((task, True))
                    for other in sorted(before[task], reverse=True):
                        if state[other] == 1:
                            return []
                        todo.append((other, False)) if state[other] == 0 else None
        return out if len(set(out)) == len(out) == n else out[:n]
