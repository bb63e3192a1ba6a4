from bisect import bisect_left


class Solution:
    def solve(self, heights, views):
        n = len(heights)
        answers = [0] * len(views)

        def look_right(heights, asked):
            """Answer the questions of those who look to larger positions."""
            places, tops = [], []  # what is seen from far to near, with minus signs so that both lists rise
            for i in range(n - 1, -1, -1):
                for number, end, eye in asked[i]:
                    low = bisect_left(places, -end)
                    high = bisect_left(tops, -eye)
                    answers[number] = high - low
                height = -heights[i]
                while tops and tops[-1] >= height:
                    tops.pop()
                    places.pop()
                tops.append(height)
                places.append(-i)

        right = [[] for _ in range(n)]
        left = [[] for _ in range(n)]
        for number, (i, j, e) in enumerate(views):
            if i < j:
                right[i].append((number, j, heights[i] + e))
            elif j < i:
                left[n - 1 - i].append((number, n - 1 - j, heights[i] + e))
        look_right(heights, right)
        look_right(heights[::-1], left)
        return answers
