class Solution:
    def solve(self, pictures, width, gap):
        n = len(pictures)
        best = [None] * n + [(0, 0, 1, 0)]
        for i in range(n - 1, -1, -1):
            for j in range(i + 1, n + 1):
                taken = gap * (j - i - 1)
                tallest = 0
                for picture in pictures[i:j]:
                    taken += picture[0]
                    tallest = max(tallest, picture[1])
                if taken > width:
                    continue
                cost, pages, ways, _ = best[j]
                key = (cost + tallest, pages + 1)
                if best[i] is None or key < best[i][:2]:
                    best[i] = (*key, ways, j - i)
                elif key == best[i][:2]:
                    best[i] = (*key, (best[i][2] + ways) % (10**9 + 7), j - i)
        answer = [best[0][0], best[0][2]]
        i = 0
        while i < n:
            answer.append(best[i][3])
            i += best[i][3]
        return answer
