class Solution:
    def solve(self, nums, k):
        if k >= 2 * 10**9:
            return 2 * 10**9 + k - max(0, 2 * 10**9 - nums[-1])
        answer = k
        for x in nums:
            if x > answer:
                break
            answer += 1
        return answer
