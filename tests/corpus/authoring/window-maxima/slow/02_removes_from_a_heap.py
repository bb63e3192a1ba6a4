from heapq import heapify, heappush


class Solution:
    def solve(self, nums, k):
        heap, out = [], []
        for i, x in enumerate(nums):
            if i >= k:
                heap.remove(-nums[i - k])
                heapify(heap)
            heappush(heap, -x)
            if i >= k - 1:
                out.append(-heap[0])
        return out
