# n=50000 ms=2000 mib=256
n = int(input())
a = list(map(int, input().split()))
best = 10**18
for i in range(n):
    for j in range(i + 1, n):
        best = min(best, abs(a[i] - a[j]))
print(best)
