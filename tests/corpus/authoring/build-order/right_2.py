class Solution:
    def solve(self, n, needs, wanted, built):
        # A tree of minima over the packages; a package that cannot be built yet counts as n.
        done = [False] * n
        for package in built:
            done[package] = True
        needed_by, needing = {}, {}
        for a, b in needs:
            needing.setdefault(a, []).append(b)
            needed_by.setdefault(b, []).append(a)
        inside = [False] * n
        line = []
        for package in wanted:
            if not done[package] and not inside[package]:
                inside[package] = True
                line.append(package)
        for package in line:
            for other in needing.get(package, ()):
                if not done[other] and not inside[other]:
                    inside[other] = True
                    line.append(other)
        waits = [0] * n
        for package in line:
            waits[package] = sum(not done[other] for other in needing.get(package, ()))
        size = 1
        while size < n:
            size *= 2
        tree = [n] * (2 * size)
        for package in line:
            if waits[package] == 0:
                tree[size + package] = package
        for i in range(size - 1, 0, -1):
            tree[i] = min(tree[2 * i], tree[2 * i + 1])

        def put(at, value):
            at += size
            tree[at] = value
            while at > 1:
                at //= 2
                tree[at] = min(tree[2 * at], tree[2 * at + 1])

        order = []
        while tree[1] < n:
            package = tree[1]
            order.append(package)
            put(package, n)
            for other in needed_by.get(package, ()):
                waits[other] -= 1
                if inside[other] and waits[other] == 0:
                    put(other, other)
        return order if len(order) == len(line) else [-1]
