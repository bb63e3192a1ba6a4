class Solution:
    def solve(self, parents, lengths, queries):
        n = len(parents)
        children = [[] for _ in range(n)]
        for i, p in enumerate(parents):
            if p >= 0:
                children[p].append(i)
        depth, dist = [0] * n, [0] * n
        order = [parents.index(-1)]
        for x in order:
            for c in children[x]:
                depth[c] = depth[x] + 1
                dist[c] = dist[x] + lengths[c]
                order.append(c)
        answers = []
        for u, v, a, b in queries:
            x, y = u, v
            while x != y:
                if depth[x] >= depth[y]:
                    x = parents[x]
                else:
                    y = parents[y]
            climb = dist[u] - dist[x]
            share = (climb + dist[v] - dist[x]) * a // (a + b)
            if share < climb:
                while dist[u] - dist[parents[u]] <= share:
                    share -= dist[u] - dist[parents[u]]
                    u = parents[u]
                answers.append(u)
            else:
                while dist[v] > dist[x] + share - climb:
                    v = parents[v]
                answers.append(v)
        return answers
