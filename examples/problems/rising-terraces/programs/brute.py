n, *heights = map(int, open(0).read().split())
levels = sorted(set(heights))
costs = dict.fromkeys(levels, 0)
for height in heights:
    costs = {
        level: min(costs[lower] for lower in levels if lower <= level) + abs(height - level)
        for level in levels
    }
print(min(costs.values()))
