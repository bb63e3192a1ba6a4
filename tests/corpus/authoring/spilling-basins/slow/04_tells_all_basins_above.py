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
        link = list(range(n + 1))
        level = [0] * n

        def close(full):
            """Write down where the water of all basins above a full one goes now."""
            target = link[below[full]]
            stack = [full]
            while stack:
                x = stack.pop()
                if link[x] == full:
                    link[x] = target
                stack.extend(children[x])

        for x in order:
            if capacity[x] == 0:
                link[x] = link[below[x]]

        answers = []
        for kind, v, amount in steps:
            if kind == 1:
                answers.append(level[v])
            elif kind == 2:
                x = link[v]
                answers.append(x if x < n else -1)
            else:
                x = v
                while amount > 0:
                    y = link[x]
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
                        close(y)
                        x = y
                answers.append(amount)
        return answers
