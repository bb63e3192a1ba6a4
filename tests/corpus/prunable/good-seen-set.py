# n=300000 ms=1000 mib=256
n = int(input())
seen = set()
out = []
for x in input().split():
    if x not in seen:
        seen.add(x)
        out.append(x)
print(" ".join(out))
