from bisect import bisect_left, bisect_right


class Solution:
    def solve(self, table, k):
        for row in table:
            for x in row:
                below = sum(bisect_left(other, x) for other in table)
                if below < k <= below + sum(other.count(x) for other in table):
                    return x
