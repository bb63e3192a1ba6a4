class Solution:
    def solve(self, temps):
        best = 0
        for start in range(len(temps)):
            end = start + 1
            while end < len(temps) and temps[end] > temps[end - 1]:
                end += 1
            best = max(best, end - start)
        return best
