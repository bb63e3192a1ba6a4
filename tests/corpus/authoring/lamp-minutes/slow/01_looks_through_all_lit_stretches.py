class Solution:
    def solve(self, visitors):
        lit = []
        for start, end, need in sorted(visitors, key=lambda visitor: visitor[1]):
            for first, last in lit:
                need -= max(0, last - max(first, start) + 1)
            if need <= 0:
                continue
            while lit and end - lit[-1][1] <= need:
                first, last = lit.pop()
                need += last - first + 1
            lit.append((end - need + 1, end))
        return sum(last - first + 1 for first, last in lit)
