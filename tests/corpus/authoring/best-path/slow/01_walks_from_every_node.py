class Solution:
    def solve(self, parents, values):
        near = [[] for _ in parents]
        for node, above in enumerate(parents):
            if above >= 0:
                near[node].append(above)
                near[above].append(node)
        sums = [values[0]]
        for start in range(len(parents)):
            todo = [(start, -1, values[start])]
            while todo:
                node, before, total = todo.pop()
                sums[0] = max(sums[0], total)
                todo += [(n, node, total + values[n]) for n in near[node] if n != before]
        return max(sums)
