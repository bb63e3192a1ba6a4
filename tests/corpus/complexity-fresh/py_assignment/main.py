import sys


def assign(cost, row, used, so_far):
    n = len(cost)
    if row == n:
        return so_far
    best = float("inf")
    for col in range(n):
        if used[col]:
            continue
        used[col] = True
        best = min(best, assign(cost, row + 1, used, so_far + cost[row][col]))
        used[col] = False
    return best


lines = sys.stdin.read().splitlines()
n = int(lines[0])
cost = [[int(x) for x in line.split()] for line in lines[1:n + 1]]
print(assign(cost, 0, [False] * n, 0))
