from heapq import heapify, heappop, heappush


class Solution:
    def solve(self, beads, pairs):
        allowed = set()
        for a, b in map(set, pairs):
            allowed.add(frozenset((a, b)))
        letters = set(beads)
        walls = {c: [d for d in letters if c == d or frozenset((c, d)) not in allowed] for c in letters}
        last = {}
        after = [[] for _ in beads]
        needs = [0] * len(beads)
        for i, c in enumerate(beads):
            for d in walls[c]:
                if d in last:
                    after[last[d]].append(i)
                    needs[i] += 1
            last[c] = i
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
