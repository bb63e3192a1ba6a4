from bisect import bisect_left, bisect_right


class Solution:
    def solve(self, parents, lengths, queries):
        n = len(parents)
        children = [[] for _ in range(n)]
        for i, p in enumerate(parents):
            if p >= 0:
                children[p].append(i)
        order = [parents.index(-1)]
        dist = [0] * n
        for x in order:
            for c in children[x]:
                dist[c] = dist[x] + lengths[c]
            order.extend(children[x])
        size = [1] * n
        for x in reversed(order):
            if parents[x] >= 0:
                size[parents[x]] += size[x]
        # A chain goes from its head always to the child with the largest part of the tree.
        chain, place = [None] * n, [0] * n
        level = [0] * n
        for head in order:
            if chain[head] is None:
                nodes, ways = both = [], []
                x = head
                while True:
                    chain[x], place[x] = both, len(nodes)
                    level[x] = level[parents[head]] + 1 if parents[head] >= 0 else 0
                    nodes.append(x)
                    ways.append(dist[x])
                    if not children[x]:
                        break
                    x = max(children[x], key=size.__getitem__)
        answers = []
        for u, v, a, b in queries:
            x, y = u, v
            while chain[x] is not chain[y]:
                if level[x] >= level[y]:
                    x = parents[chain[x][0][0]]
                else:
                    y = parents[chain[y][0][0]]
            top = x if place[x] < place[y] else y
            climb = dist[u] - dist[top]
            share = (climb + dist[v] - dist[top]) * a // (a + b)
            if share < climb:
                least = dist[u] - share
                while True:
                    nodes, ways = chain[u]
                    above = parents[nodes[0]]
                    if above < 0 or dist[above] < least:
                        break
                    u = above
                at = bisect_left(ways, least, 0, place[u])
                answers.append(nodes[bisect_right(ways, ways[at], at, place[u] + 1) - 1])
            else:
                most = dist[top] + share - climb
                while chain[v][1][0] > most:
                    v = parents[chain[v][0][0]]
                nodes, ways = chain[v]
                answers.append(nodes[bisect_right(ways, most, 0, place[v] + 1) - 1])
        return answers
