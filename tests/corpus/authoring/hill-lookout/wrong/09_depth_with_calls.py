class Solution:
    def solve(self, heights, views):
        n = len(heights)

        def tables(heights):
            """Return rows of jumps over 1, 2, 4 and so on hills that are seen from each other."""
            taller = [n] * (n + 1)
            depth = [0] * (n + 1)
            for i in range(n - 1, -1, -1):
                j = i + 1
                while j < n and heights[j] <= heights[i]:
                    j = taller[j]
                taller[i] = j

            def steps(i):
                if i < n and depth[i] == 0:
                    depth[i] = steps(taller[i]) + 1
                return depth[i]

            for i in range(n):
                steps(i)
            rows = [taller]
            while 1 << len(rows) <= max(depth):
                row = rows[-1]
                rows.append([row[j] for j in row])
            return heights + [10**10], rows[::-1], depth

        def count(found, i, j, eye):
            heights, rows, depth = found
            first = i + 1
            if heights[first] <= eye:
                for row in rows:
                    if heights[row[first]] <= eye:
                        first = row[first]
                first = rows[-1][first]
            if first > j:
                return 0
            last = first
            for row in rows:
                if row[last] <= j:
                    last = row[last]
            return depth[first] - depth[last] + 1

        right, left = tables(heights), tables(heights[::-1])
        answers = []
        for i, j, e in views:
            if i < j:
                answers.append(count(right, i, j, heights[i] + e))
            elif j < i:
                answers.append(count(left, n - 1 - i, n - 1 - j, heights[i] + e))
            else:
                answers.append(0)
        return answers
