class Solution:
    def solve(self, requests):
        before = [0, 0, 0]
        take = skip = 0
        for start, end, pay in sorted(requests, key=lambda q: q[1]):
            if start >= before[1]:
                take, skip = max(take, skip) + pay, max(take, skip)
            else:
                take, skip = skip + pay, max(take, skip)
            before = [start, end, pay]
        return max(take, skip)
