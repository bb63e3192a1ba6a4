# n=300000 ms=2000 mib=256
n = int(input())
seen = []
for x in map(int, input().split()):
    if x not in seen:
        seen.append(x)
print(len(seen))
