class Solution:
    def solve(self, num, k):
        digits = list(num)
        for _ in range(k):
            digits.remove(max(digits))
        return "".join(digits).lstrip("0") or "0"
