from heapq import heapify, heappop, heappush


class Solution:
    def solve(self, weights):
        heap = [-w for w in weights]
        heapify(heap)
        while len(heap) > 1:
            one, two = heappop(heap), heappop(heap)
            heappush(heap, one - two)
        return -heap[0]
