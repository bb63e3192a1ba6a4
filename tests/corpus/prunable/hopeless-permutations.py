# n=14 ms=2000 mib=256
from itertools import permutations
n = int(input())
cost = [list(map(int, input().split())) for _ in range(n)]
best = 10**18
for order in permutations(range(n)):
    best = min(best, sum(cost[i][order[i]] for i in range(n)))
print(best)
