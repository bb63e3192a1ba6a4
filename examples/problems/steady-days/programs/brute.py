n, least, *flows = map(int, open(0).read().split())
ways = 0
for first in range(n):
    for last in range(first, n):
        ways += sum(flows[first : last + 1]) >= least * (last + 1 - first)
print(ways)
