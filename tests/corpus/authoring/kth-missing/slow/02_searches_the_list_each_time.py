class Solution:
    def solve(self, nums, k):
        answer, below = k, 0
        while True:
            count = sum(x <= answer for x in nums)
            if count == below:
                return answer
            answer, below = answer + 1, below + 1
