class Solution:
    def solve(self, nums):
        seen, count = [], 0
        for x in nums:
            place = 0
            while place < len(seen) and seen[place] > 2 * x:
                place += 1
            count += place
            place = 0
            while place < len(seen) and seen[place] > x:
                place += 1
            seen.insert(place, x)
        return count
