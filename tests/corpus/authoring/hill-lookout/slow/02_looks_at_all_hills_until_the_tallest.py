class Solution:
    def solve(self, heights, views):
        n = len(heights)
        before, behind = heights[:], heights[:]
        for x in range(1, n):
            before[x] = max(before[x - 1], before[x])
        for x in range(n - 2, -1, -1):
            behind[x] = max(behind[x + 1], behind[x])
        answers = []
        for i, j, e in views:
            step, rest = (1, behind) if j > i else (-1, before)
            tallest = heights[i] + e
            count = 0
            while i != j:
                i += step
                if rest[i] <= tallest:
                    break
                if heights[i] > tallest:
                    tallest = heights[i]
                    count += 1
            answers.append(count)
        return answers
