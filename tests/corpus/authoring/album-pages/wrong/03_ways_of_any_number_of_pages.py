class Solution:
    def solve(self, pictures, width, gap):
        n = len(pictures)
        many = n + 1
        # costs[i]: cost * many + pages of the best plans for the pictures from i on
        costs = [0] * (n + 1)
        ways = [0] * n + [1]
        sizes = [0] * n
        lowest = [0] * (n + 1)
        for i in range(n - 1, -1, -1):
            best = None
            number = size = tallest = 0
            low = None
            room = width + gap
            for j in range(i, n):
                room -= pictures[j][0] + gap
                if room < 0:
                    break
                if pictures[j][1] > tallest:
                    tallest = pictures[j][1]
                cost = tallest * many + costs[j + 1]
                if best is None or cost < best:
                    best, size = cost, j + 1 - i
                elif cost == best:
                    size = j + 1 - i
                if low is None or tallest + lowest[j + 1] < low:
                    low, number = tallest + lowest[j + 1], ways[j + 1]
                elif tallest + lowest[j + 1] == low:
                    number += ways[j + 1]
            lowest[i] = low
            costs[i] = best + 1
            ways[i] = number % 1000000007
            sizes[i] = size
        answer = [costs[0] // many, ways[0]]
        i = 0
        while i < n:
            answer.append(sizes[i])
            i += sizes[i]
        return answer
