class Solution:
    def solve(self, nums, k):
        answer = k
        for x in nums:
            if x >= answer:
                break
            answer += 1
        return answer
