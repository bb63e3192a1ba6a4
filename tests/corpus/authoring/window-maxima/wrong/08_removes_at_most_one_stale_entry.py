from heapq import heappop, heappush


class Solution:
    def solve(self, nums, k):
        heap, out = [], []
        for i, x in enumerate(nums):
            heappush(heap, (-x, i))
            if heap[0][1] <= i - k:
                heappop(heap)
            if i >= k - 1:
                out.append(-heap[0][0])
        return out
