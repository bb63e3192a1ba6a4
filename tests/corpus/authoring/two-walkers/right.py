class Solution:
    def solve(self, parents, lengths, queries):
        n = len(parents)
        children = [[] for _ in range(n)]
        root = 0
        for i, p in enumerate(parents):
            if p < 0:
                root = i
            else:
                children[p].append(i)
        depth, dist = [0] * n, [0] * n
        order = [root]
        for x in order:
            for c in children[x]:
                depth[c] = depth[x] + 1
                dist[c] = dist[x] + lengths[c]
                order.append(c)
        row = list(parents)
        row[root] = root
        up = [row]
        while 1 << len(up) < n:
            row = [row[p] for p in row]
            up.append(row)
        down_from_far = up[::-1]

        def meet(u, v):
            if depth[u] < depth[v]:
                u, v = v, u
            steps = depth[u] - depth[v]
            for row in up:
                if steps & 1:
                    u = row[u]
                steps >>= 1
            if u == v:
                return u
            for row in down_from_far:
                if row[u] != row[v]:
                    u, v = row[u], row[v]
            return up[0][u]

        answers = []
        for u, v, a, b in queries:
            top = meet(u, v)
            climb = dist[u] - dist[top]
            share = (climb + dist[v] - dist[top]) * a // (a + b)
            if share < climb:
                least = dist[u] - share
                for row in down_from_far:
                    if dist[row[u]] >= least:
                        u = row[u]
                answers.append(u)
            else:
                most = dist[top] + share - climb
                if dist[v] > most:
                    for row in down_from_far:
                        if dist[row[v]] > most:
                            v = row[v]
                    v = up[0][v]
                answers.append(v)
        return answers
