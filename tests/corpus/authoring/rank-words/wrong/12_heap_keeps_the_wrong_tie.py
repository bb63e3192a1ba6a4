from collections import Counter
from heapq import heappush, heappushpop


class Solution:
    def solve(self, words, k):
        heap = []
        for i, (word, count) in enumerate(Counter(words).items()):
            if len(heap) < k:
                heappush(heap, (count, i, word))
            else:
                heappushpop(heap, (count, i, word))
        return [word for count, i, word in sorted(heap, key=lambda item: (-item[0], item[1]))]
