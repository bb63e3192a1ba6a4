class Solution:
    def solve(self, n, operations):
        # The root of a set of crates is the lowest crate of their pile.
        parent, start, weight, under, gone = [], [], [], [], []
        total = []
        base = [-1] * n
        top = [-1] * n
        answers = []
        for kind, a, b in operations:
            if kind == "put":
                crate = len(weight)
                weight.append(b)
                total.append(b)
                gone.append(False)
                under.append(top[a])
                top[a] = crate
                root = base[a]
                if root < 0:
                    base[a] = crate
                    parent.append(crate)
                    start.append(0)
                else:
                    parent.append(root)
                    start.append(total[root])
                    total[root] += b
            elif kind == "move":
                root = base[a]
                if a == b or root < 0:
                    continue
                if base[b] < 0:
                    base[b] = root
                else:
                    below = base[b]
                    parent[root] = below
                    start[root] = total[below]
                    total[below] += total[root]
                    under[root] = top[b]
                top[b] = top[a]
                base[a] = top[a] = -1
            elif kind == "take":
                taken = 0
                crate = top[a]
                while b > 0 and crate >= 0:
                    taken += weight[crate]
                    weight[crate] = 0
                    crate = under[crate]
                    b -= 1
                top[a] = crate
                if base[a] >= 0:
                    total[base[a]] -= taken
                    if crate < 0:
                        base[a] = -1
                answers.append(taken)
            elif a >= len(weight) or weight[a] == 0:
                answers.append(-1)
            else:
                path = []
                x = a
                while parent[x] != x:
                    path.append(x)
                    x = parent[x]
                if len(path) > 1:
                    path.pop()
                    for y in reversed(path):
                        start[y] += start[parent[y]]
                        parent[y] = x
                answers.append(total[x] - start[a] - weight[a])
        return answers
