class Solution:
    def solve(self, requests):
        free = total = 0
        for start, end, pay in sorted(requests, key=lambda q: (q[1], -q[2])):
            if start >= free:
                free, total = end, total + pay
        return total
