n, *heights = map(int, open(0).read().split())
best = 0
for first in range(n):
    for last in range(first, n):
        best = max(best, min(heights[first : last + 1]) * (last - first + 1))
print(best)
