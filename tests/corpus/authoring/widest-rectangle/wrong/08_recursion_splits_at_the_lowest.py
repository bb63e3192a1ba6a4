class Solution:
    def solve(self, heights):
        def best(low, high):
            if low >= high:
                return 0
            cut = min(range(low, high), key=heights.__getitem__)
            return max(heights[cut] * (high - low), best(low, cut), best(cut + 1, high))

        return best(0, len(heights))
