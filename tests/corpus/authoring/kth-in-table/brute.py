class Solution:
    def solve(self, table, k):
        rows = [list(row) for row in table]
        for _ in range(k):
            best = None
            for row in rows:
                if row and (best is None or row[0] < best[0]):
                    best = row
            answer = best.pop(0)
        return answer
