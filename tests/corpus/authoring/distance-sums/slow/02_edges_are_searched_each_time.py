class Solution:
    def solve(self, n, edges):
        rest, order, above = list(edges), [0], {0: -1}
        for node in order:
            for a, b in [e for e in rest if node in e]:
                other = a + b - node
                if other not in above:
                    above[other] = node
                    order.append(other)
        size, sums = [1] * n, [0] * n
        for node in reversed(order[1:]):
            size[above[node]] += size[node]
            sums[0] += size[node]
        for node in order[1:]:
            sums[node] = sums[above[node]] + n - 2 * size[node]
        return sums
