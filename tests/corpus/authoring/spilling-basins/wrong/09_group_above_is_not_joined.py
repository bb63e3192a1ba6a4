class Solution:
    def solve(self, parents, capacity, soak, steps):
        n = len(parents)
        children = [[] for _ in range(n)]
        for i, p in enumerate(parents):
            if p >= 0:
                children[p].append(i)
        depth = [0] * n
        order = [parents.index(-1)]
        for x in order:
            for c in children[x]:
                depth[c] = depth[x] + 1
            order.extend(children[x])
        group = [-1] * n
        members = []
        leads_to = []
        level = [0] * n

        def join(a, b, way):
            """Join two groups, the smaller into the larger; the water of both then flows to way."""
            if len(members[a]) < len(members[b]):
                a, b = b, a
            for x in members[b]:
                group[x] = a
            members[a].extend(members[b])
            members[b] = []
            leads_to[a] = way
            return a

        def close(x):
            """Put a basin that has become full into the group of full basins around it."""
            group[x] = own = len(members)
            members.append([x])
            leads_to.append(parents[x])
            p = parents[x]
            if p >= 0 and group[p] >= 0:
                own = join(own, group[p], leads_to[group[p]])

        for x in order:
            if capacity[x] == 0:
                close(x)
        answers = []
        for kind, v, amount in steps:
            if kind == 1:
                answers.append(level[v])
                continue
            x = v if group[v] < 0 else leads_to[group[v]]
            if kind == 2:
                answers.append(x)
                continue
            before = depth[v]
            while amount > 0:
                if x < 0:
                    amount = max(0, amount - soak * before)
                    break
                amount -= soak * (before - depth[x])
                if amount <= 0:
                    amount = 0
                    break
                room = capacity[x] - level[x]
                if amount < room:
                    level[x] += amount
                    amount = 0
                    break
                amount -= room
                level[x] = capacity[x]
                close(x)
                before = depth[x]
                x = leads_to[group[x]]
            answers.append(amount)
        return answers
