class Solution:
    def solve(self, table, k):
        numbers = sorted({x for row in table for x in row})
        return numbers[min(k, len(numbers)) - 1]
