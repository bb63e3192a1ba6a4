# h=1000 w=1000 ms=4000 mib=512
from collections import deque
h, w = map(int, input().split())
grid = [input() for _ in range(h)]
dist = [[-1] * w for _ in range(h)]
queue = deque([(0, 0)])
dist[0][0] = 0
while queue:
    r, c = queue.popleft()
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        a, b = r + dr, c + dc
        if 0 <= a < h and 0 <= b < w and grid[a][b] == "." and dist[a][b] < 0:
            dist[a][b] = dist[r][c] + 1
            queue.append((a, b))
print(dist[h - 1][w - 1])
