class Solution:
    def solve(self, visitors):
        lit = set()
        for start, end, need in sorted(visitors, key=lambda visitor: visitor[1]):
            missing = need - sum(minute in lit for minute in range(start, end + 1))
            minute = end
            while missing > 0:
                if minute not in lit:
                    lit.add(minute)
                    missing -= 1
                minute -= 1
        return len(lit)
