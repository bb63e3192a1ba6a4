class Solution:
    def solve(self, nums, k):
        answer = k
        for x in nums:
            if x > k:
                break
            answer += 1
        return answer
