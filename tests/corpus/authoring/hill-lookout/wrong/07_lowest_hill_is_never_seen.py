class Solution:
    def solve(self, heights, views):
        answers = []
        for i, j, e in views:
            step = 1 if j > i else -1
            tallest = max(heights[i] + e, -(10**9))
            between = None
            count = 0
            for x in range(i + step, j + step, step) if i != j else ():
                if (between is None or heights[x] > between) and heights[x] > tallest:
                    count += 1
                between = heights[x] if between is None else max(between, heights[x])
            answers.append(count)
        return answers
