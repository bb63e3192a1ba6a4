from fractions import Fraction
from heapq import heappop, heappush


class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        moments = [-1] * len(snails)
        ahead, behind, heap = {}, {}, []

        def meet(i):
            j = ahead.get(i)
            if j is not None and snails[i][1] >= snails[j][1]:
                heappush(heap, (Fraction(snails[j][0] - snails[i][0], snails[i][1] - snails[j][1]), i, j))

        last = None
        for i in order:
            if last is not None and snails[last][0] == snails[i][0]:
                moments[i] = 0
                continue
            if last is not None:
                ahead[i], behind[last] = last, i
                meet(i)
            last = i
        while heap:
            moment, i, j = heappop(heap)
            if ahead.get(i) != j:
                continue
            if snails[i][0] + snails[i][1] * moment <= finish:
                moments[i] = int(moment)
            del ahead[i]
            k = behind.pop(i, None)
            behind.pop(j)
            if k is not None:
                ahead[k], behind[j] = j, k
                meet(k)
        return moments
