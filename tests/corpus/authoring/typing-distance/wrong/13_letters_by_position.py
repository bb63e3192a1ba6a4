class Solution:
    def solve(self, source, target):
        changes, i = abs(len(source) - len(target)), 0
        while i < min(len(source), len(target)):
            if source[i] != target[i]:
                changes += 1
                if i + 1 < len(target) and source[i : i + 2] == target[i + 1] + target[i]:
                    i += 1
            i += 1
        return changes
