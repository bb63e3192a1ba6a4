class Solution:
    def solve(self, table, k):
        return sorted(x for row in table for x in row)[k % (len(table) * len(table[0]))]
