from bisect import bisect_right


class Solution:
    def solve(self, nums, k):
        answer = k
        for _ in range(3):
            answer = k + bisect_right(nums, answer)
        return answer
