from heapq import heapify, heappop, heappush


class Solution:
    def solve(self, beads, pairs):
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        walls = {c: {d for d in "abcdef" if c == d or c + d not in allowed} for c in "abcdef"}
        after = [[] for _ in beads]
        needs = [0] * len(beads)
        for i, c in enumerate(beads):
            missing = set(walls[c])
            j = i - 1
            while j >= 0 and missing:
                if beads[j] in missing:
                    missing.remove(beads[j])
                    after[j].append(i)
                    needs[i] += 1
                j -= 1
        heap = [(c, i) for i, c in enumerate(beads) if needs[i] == 0]
        heapify(heap)
        result = []
        while heap:
            c, i = heappop(heap)
            result.append(c)
            for j in after[i]:
                needs[j] -= 1
                if needs[j] == 0:
                    heappush(heap, (beads[j], j))
        return "".join(result)
