class Solution:
    def solve(self, order):
        seen = set()

        def follow(i):
            if i in seen:
                return 0
            seen.add(i)
            return 1 + follow(order[i])

        return sum(max(0, follow(i) - 1) for i in range(len(order)))
