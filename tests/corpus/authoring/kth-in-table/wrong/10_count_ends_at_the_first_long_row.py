from bisect import bisect_right


class Solution:
    def solve(self, table, k):
        def count(limit):
            total = 0
            for row in table:
                found = bisect_right(row, limit)
                total += found
                if found == 0 or found < len(row) and row[0] == limit:
                    break
            return total

        low, high = table[0][0], table[-1][-1]
        while low < high:
            middle = (low + high) // 2
            if count(middle) >= k:
                high = middle
            else:
                low = middle + 1
        return low
