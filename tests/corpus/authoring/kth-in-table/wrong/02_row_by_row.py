class Solution:
    def solve(self, table, k):
        columns = len(table[0])
        return table[(k - 1) // columns][(k - 1) % columns]
