class Solution:
    def solve(self, pictures, width, gap):
        n = len(pictures)
        many = n + 1
        # costs[i]: cost * many + pages of the best plans for the pictures from i on
        costs = [0] * (n + 1)
        ways = [0] * n + [1]
        sizes = [0] * n
        for i in range(n - 1, -1, -1):
            best = None
            number = size = tallest = 0
            room = width + gap
            for j in range(i, n):
                room -= pictures[j][0] + gap
                if room < 0:
                    break
                if pictures[j][1] > tallest:
                    tallest = pictures[j][1]
                cost = tallest * many + costs[j + 1]
                if best is None or cost < best:
                    best, number, size = cost, ways[j + 1], j + 1 - i
                elif cost == best:
                    number += ways[j + 1]
                    size = j + 1 - i
            costs[i] = best + 1
            ways[i] = number % 1000000007
            sizes[i] = size
        answer = [costs[0] // many, ways[0]]
        i = 0
        while i < n:
            answer.append(sizes[i])
            i += sizes[i]
        return answer
