# n=100000 ms=2000 mib=256
def total(i):
    if i == len(a):
        return 0
    return a[i] + total(i + 1)

n = int(input())
a = list(map(int, input().split()))
print(total(0))
