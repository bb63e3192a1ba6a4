class Solution:
    def solve(self, tickets, new):
        for position in range(len(tickets) + 1):
            changed = tickets[:position] + [new] + tickets[position:]
            if sorted(changed) == changed:
                return position
        return -1
