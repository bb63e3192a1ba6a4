import sys
from bisect import bisect_right
from operator import itemgetter

input = sys.stdin.readline

n = int(input())
jobs = [tuple(map(int, input().split())) for _ in range(n)]
jobs.sort(key=itemgetter(1))
ends = [end for _, end, _ in jobs]
dp = [0] * (n + 1)
for i, (start, end, profit) in enumerate(jobs, 1):
    j = bisect_right(ends, start, 0, i - 1)
    dp[i] = max(dp[i - 1], dp[j] + profit)
print(dp[n])
