class Solution:
    def solve(self, source, target):
        if not source or not target:
            return len(source) + len(target)
        best = 1 + min(self.solve(source[1:], target), self.solve(source, target[1:]))
        best = min(best, self.solve(source[1:], target[1:]) + (source[0] != target[0]))
        if (
            len(source) > 1
            and len(target) > 1
            and source[0] == target[1]
            and source[1] == target[0]
        ):
            best = min(best, 1 + self.solve(source[2:], target[2:]))
        return best
