class Solution:
    def solve(self, pictures, width, gap):
        n = len(pictures)
        # first[j]: (cost, pages) of the best plans for the first j pictures, number[j]: how many there are
        first = [(0, 0)] + [(0, 0)] * n
        number = [1] + [0] * n
        before = [[] for _ in range(n + 1)]
        for j in range(1, n + 1):
            taken = -gap
            tallest = 0
            best = (0, 0)
            for i in range(j - 1, -1, -1):
                taken += pictures[i][0] + gap
                if taken > width:
                    break
                tallest = max(tallest, pictures[i][1])
                cost, pages = first[i]
                found = (cost + tallest, pages + 1)
                if not best[0] or found < best:
                    best = found
                    before[j] = [i]
                elif found == best:
                    before[j].append(i)
            first[j] = best
            number[j] = sum(number[i] for i in before[j]) % (10**9 + 7)
        # The places where a page can begin in one of the best plans, each with the farthest next place.
        farthest = {n: None}
        for j in range(n, 0, -1):
            if j in farthest:
                for i in before[j]:
                    farthest[i] = max(farthest.get(i, 0), j)
        answer = [first[n][0], number[n]]
        i = 0
        while i < n:
            answer.append(farthest[i] - i)
            i = farthest[i]
        return answer
