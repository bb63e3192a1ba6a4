from bisect import bisect_right


class Solution:
    def solve(self, table, k):
        low, high = table[0][0], table[-1][-1]
        while low < high:
            middle = (low + high) // 2
            if sum(bisect_right(row, middle) for row in table) > k:
                high = middle
            else:
                low = middle + 1
        return low
