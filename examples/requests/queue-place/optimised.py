class Solution:
    def solve(self, tickets, new):
        return bisect_left(tickets, new)
