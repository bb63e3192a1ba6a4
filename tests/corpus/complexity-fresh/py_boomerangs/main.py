from collections import defaultdict


def boomerangs(points):
    total = 0
    for x1, y1 in points:
        by_distance = defaultdict(list)
        for j, (x2, y2) in enumerate(points):
            dx, dy = x1 - x2, y1 - y2
            by_distance[dx * dx + dy * dy].append(j)
        total += sum(len(group) * (len(group) - 1) for group in by_distance.values())
    return total


n = int(input())
points = [tuple(map(int, input().split())) for _ in range(n)]
print(boomerangs(points))
