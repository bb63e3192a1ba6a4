import sys


class FenwickTree:
    def __init__(self, n):
        self.n = n
        self.tree = [0] * (n + 1)

    def add(self, i, delta):
        while i <= self.n:
            self.tree[i] += delta
            i += i & -i

    def prefix(self, i):
        total = 0
        while i > 0:
            total += self.tree[i]
            i -= i & -i
        return total

    def range_sum(self, left, right):
        return self.prefix(right) - self.prefix(left - 1)


def main():
    data = iter(sys.stdin.buffer.read().split())
    n, q = int(next(data)), int(next(data))
    values = [0] + [int(next(data)) for _ in range(n)]
    fenwick = FenwickTree(n)
    for i in range(1, n + 1):
        fenwick.add(i, values[i])
    out = []
    for _ in range(q):
        kind, a, b = int(next(data)), int(next(data)), int(next(data))
        if kind == 1:
            fenwick.add(a, b - values[a])
            values[a] = b
        else:
            out.append(fenwick.range_sum(a, b))
    print("\n".join(map(str, out)))


main()
