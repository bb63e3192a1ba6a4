class Solution:
    def solve(self, parents, lengths, queries):
        n = len(parents)
        near = [[] for _ in range(n)]
        for i, p in enumerate(parents):
            if p >= 0:
                near[i].append((p, lengths[i]))
                near[p].append((i, lengths[i]))
        answers = []
        for u, v, a, b in queries:
            before = {u: (u, 0)}
            stack = [u]
            while v not in before:
                x = stack.pop()
                for y, length in near[x]:
                    if y not in before:
                        before[y] = (x, before[x][1] + length)
                        stack.append(y)
            share = before[v][1] * a // (a + b)
            while before[v][1] > share:
                v = before[v][0]
            answers.append(v)
        return answers
