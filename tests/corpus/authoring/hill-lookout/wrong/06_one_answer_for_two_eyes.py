class Solution:
    def solve(self, heights, views):
        answers = []
        known = {}
        for i, j, e in views:
            if (i, j) in known and known[i, j] == 0:
                answers.append(0)
                continue
            step = 1 if j > i else -1
            tallest = heights[i] + e
            between = None
            count = 0
            for x in range(i + step, j + step, step) if i != j else ():
                if (between is None or heights[x] > between) and heights[x] > tallest:
                    count += 1
                between = heights[x] if between is None else max(between, heights[x])
            known[i, j] = count
            answers.append(count)
        return answers
