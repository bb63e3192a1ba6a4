class Solution:
    def solve(self, requests):
        taken = []
        for start, end, pay in sorted(requests, key=lambda q: (q[1] - q[0], -q[2])):
            if all(end <= a or b <= start for a, b, _ in taken):
                taken.append((start, end, pay))
        return sum(pay for _, _, pay in taken)
