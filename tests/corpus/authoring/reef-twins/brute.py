class Solution:
    def solve(self, reef):
        branches = []
        growing = [[]]
        for sign in reef:
            if sign in "([{":
                growing.append([sign])
            else:
                first, *inner = growing.pop()
                text = first + "".join(sorted(inner)) + sign
                branches.append(text)
                growing[-1].append(text)
        best = [0, 0]
        for text in branches:
            count = 0
            for other in branches:
                if text == other:
                    count += 1
            if count > 1:
                best = max(best, [len(text) // 2, count])
        return best
