class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        n = len(heights)
        never = float("inf")
        best = [[never] * (climbs + 1) for _ in range(n)]
        best[start][0] = 0
        both = trails + [(b, a, minutes) for a, b, minutes in trails]
        changed = True
        while changed:
            changed = False
            for i in range(n):
                if rest[i] >= 0:
                    least = min(best[i]) + rest[i]
                    if least < best[i][0]:
                        best[i][0] = least
                        changed = True
            for a, b, minutes in both:
                here, there = best[a], best[b]
                for climbed in range(climbs + 1):
                    if here[climbed] == never:
                        continue
                    count = climbed
                    if heights[b] > heights[a]:
                        count += 1
                    elif heights[b] < heights[a]:
                        count = 0
                    if count <= climbs and here[climbed] + minutes < there[count]:
                        there[count] = here[climbed] + minutes
                        changed = True
        least = min(best[goal])
        return -1 if least == never else least
