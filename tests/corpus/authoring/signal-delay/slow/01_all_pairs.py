class Solution:
    def solve(self, n, links, source):
        big = 10**18
        time = [[big] * n for _ in range(n)]
        for u, v, t in links:
            time[u][v] = min(time[u][v], t)
        time[source][source] = 0
        for k in range(n):
            row = time[k]
            for i in range(n):
                first = time[i][k]
                if first < big:
                    time[i] = [min(old, first + new) for old, new in zip(time[i], row)]
        time[source][source] = 0
        last = max(time[source])
        return last if last < big else -1
