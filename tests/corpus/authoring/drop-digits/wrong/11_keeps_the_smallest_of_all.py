class Solution:
    def solve(self, num, k):
        keep = len(num) - k
        chosen = sorted(sorted(range(len(num)), key=lambda i: (num[i], i))[:keep])
        return "".join(num[i] for i in chosen).lstrip("0") or "0"
