class Solution:
    def solve(self, n, edges):
        above = [-1] * n
        for a, b in edges:
            above[max(a, b)] = min(a, b)
        size, sums = [1] * n, [0] * n
        for node in range(n - 1, 0, -1):
            size[above[node]] += size[node]
            sums[0] += size[node]
        for node in range(1, n):
            sums[node] = sums[above[node]] + n - 2 * size[node]
        return sums
