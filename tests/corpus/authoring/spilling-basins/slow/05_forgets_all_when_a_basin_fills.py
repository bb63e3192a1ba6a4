class Solution:
    def solve(self, parents, capacity, soak, steps):
        n = len(parents)
        children = [[] for _ in range(n)]
        order = []
        for i, p in enumerate(parents):
            if p < 0:
                order.append(i)
            else:
                children[p].append(i)
        depth = [0] * (n + 1)
        for x in order:
            for c in children[x]:
                depth[c] = depth[x] + 1
                order.append(c)
        below = [p if p >= 0 else n for p in parents]
        known = {}
        level = [0] * n

        def free(x):
            """Return the first basin from x down that is not full, n if there is none."""
            way = []
            while x < n and level[x] == capacity[x]:
                if x in known:
                    x = known[x]
                    break
                way.append(x)
                x = below[x]
            for y in way:
                known[y] = x
            return x

        answers = []
        for kind, v, amount in steps:
            if kind == 1:
                answers.append(level[v])
            elif kind == 2:
                x = free(v)
                answers.append(x if x < n else -1)
            else:
                x = v
                while amount > 0:
                    y = free(x)
                    amount -= soak * (depth[x] - depth[y])
                    if amount <= 0:
                        amount = 0
                        break
                    if y == n:
                        break
                    room = capacity[y] - level[y]
                    if amount < room:
                        level[y] += amount
                        amount = 0
                    else:
                        level[y] = capacity[y]
                        amount -= room
                        known.clear()
                        x = y
                answers.append(amount)
        return answers
