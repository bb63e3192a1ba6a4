class Solution:
    def solve(self, nums):
        count, width, runs = 0, 1, list(nums)
        while width < len(runs):
            for low in range(0, len(runs), 2 * width):
                left, right = runs[low:low + width], runs[low + width:low + 2 * width]
                j = 0
                for x in left:
                    while j < len(right) and x > 2 * right[j]:
                        j += 1
                    count += j
                runs[low:low + 2 * width] = sorted(left + right)
            width *= 2
        return count % (10**9 + 7)
