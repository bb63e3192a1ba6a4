class Solution:
    def solve(self, heights):
        best, todo = 0, [(0, len(heights))]
        while todo:
            low, high = todo.pop()
            if low < high:
                cut = low
                for i in range(low, high):
                    if heights[i] < heights[cut]:
                        cut = i
                best = max(best, heights[cut] * (high - low))
                todo += [(low, cut), (cut + 1, high)]
        return best
